//! Dialog that lists the keyboard shortcuts and lets the user change them.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement, KeyboardEvent};

use super::dialog::{head, modal};
use super::dom::{El, button, div, effect, h3, input, label, p, section, span};
use super::keycaps::keycaps;
use crate::app::model::chord::{Chord, KeyPress};
use crate::app::model::command::{COMMANDS, Command, CommandGroup, CommandSpec};
use crate::app::model::keymap::{KeyConflict, Keymap};
use crate::app::reactive::{RwSignal, Signal, StoredValue};

#[derive(Clone)]
pub struct Help {
    pub keymap: Signal<Keymap>,
    /// Called with the whole new keymap on every change.
    pub on_keymap: Callback<Keymap>,
    /// Whether keys are shown with the symbols of macOS.
    pub mac: bool,
    /// The name of a host page, and the labels of its actions with their key caps.
    pub host: (String, Vec<(String, Vec<String>)>),
    /// Reduces a key event to the fields that shortcuts depend on.
    pub press: fn(&KeyboardEvent) -> KeyPress,
}

/// The key that is being changed: its command, and its index among the command's keys.
type EditedKey = (Command, usize);

/// State of the prompt for a new key, shared by all rows.
#[derive(Clone, Copy)]
struct KeyCapture {
    editing: RwSignal<Option<EditedKey>>,
    /// The pressed key, if it already belongs to another command. Pressing it again takes it over.
    wanted: RwSignal<Option<Chord>>,
    message: RwSignal<String>,
    /// The key that gets the focus back when it is rendered again.
    back: StoredValue<Option<EditedKey>>,
}

impl KeyCapture {
    fn stop(self, message: &str) {
        self.back.set_value(self.editing.get_untracked());
        self.editing.set(None);
        self.wanted.set(None);
        self.message.set(message.to_owned());
    }
}

pub fn help(help: &Help, on_close: impl Fn() + 'static) -> El {
    let capture = KeyCapture {
        editing: RwSignal::new(None),
        wanted: RwSignal::new(None),
        message: RwSignal::new(String::new()),
        back: StoredValue::new(None),
    };
    let dialog = modal("help", "Keyboard shortcuts", on_close).attr("tabindex", "-1");
    let node: HtmlElement = dialog.node().unchecked_into();
    // Runs once the dialog is open. Its first button must not look chosen.
    effect(move || {
        let _ = node.focus();
    });
    // Decided when the dialog opens, so that no row moves while keys are changed.
    let keymap = help.keymap.get_untracked();
    let has_key =
        |spec: &&CommandSpec| !(spec.keys.is_empty() && keymap.keys(spec.command).is_empty());
    let (with_key, without): (Vec<_>, Vec<_>) = COMMANDS.iter().partition(has_key);
    let groups = CommandGroup::ALL.map(|group| {
        let rows = with_key
            .iter()
            .filter(|spec: &&&CommandSpec| spec.group == group);
        let rows = rows.map(|spec| row(spec, help, capture));
        section().child(h3().child(group.label())).children(rows)
    });
    let (host, actions) = &help.host;
    let host = (!actions.is_empty()).then(|| {
        let rows = actions.iter().map(|(label, caps)| {
            let keys = (!caps.is_empty()).then(|| keycaps(caps));
            div().class("pair").child(span().child(label)).child(keys)
        });
        section().child(h3().child(host)).children(rows)
    });
    let top = head("Keyboard shortcuts", &dialog.node());
    let intro = "Click a key to change it. Shortcuts work in the grid and in lead details, but not while you type.";
    let message = p()
        .class("message")
        .attr("role", "status")
        .child(move || capture.message.get());
    let (on_back, was) = (help.on_keymap, help.keymap);
    let back = button()
        .child("Reset to defaults")
        .prop("disabled", move || (was.get() == Keymap::default()).into())
        .on(ev::click, move |_| {
            on_back.run(Keymap::default());
            capture.stop("All shortcuts are reset to their defaults.");
        });
    let footer = div()
        .class("bottom")
        .child(single(help))
        .child(message)
        .child(back);
    let keys = help.clone();
    dialog
        .child(top)
        .child(p().class("intro").child(intro))
        .child(
            div()
                .class("scrolled")
                .child(div().class("groups").children(groups).child(host))
                .child(more(without, help, capture)),
        )
        .child(footer)
        .on(ev::keydown, move |event| {
            if let Some(editing) = capture.editing.get_untracked() {
                // Escape too: it cancels the prompt and must not close the dialog.
                event.prevent_default();
                event.stop_propagation();
                pressed(&keys, capture, editing, &event);
            }
        })
}

/// Renders the switch for single-key shortcuts: those that type a character.
fn single(help: &Help) -> El {
    let input = input().attr("type", "checkbox").attr("role", "switch");
    let node: HtmlInputElement = input.node().unchecked_into();
    let (keymap, on_keymap) = (help.keymap, help.on_keymap);
    let read = keymap;
    let input = input
        .prop("checked", move || read.get().single.into())
        .on(ev::change, move |_| {
            let mut new = untrack(|| keymap.get());
            new.single = node.checked();
            on_keymap.run(new);
        });
    label()
        .class("switch")
        .child(input)
        .child("Single-key shortcuts")
}

/// Renders the button that lists the commands without a key, and the list.
fn more(without: Vec<&'static CommandSpec>, help: &Help, capture: KeyCapture) -> El {
    let is_open = RwSignal::new(false);
    let help = help.clone();
    let toggle = button()
        .class("quiet")
        .child("Add a key to another command")
        .attr("aria-expanded", move || is_open.get().to_string())
        .on(ev::click, move |_| is_open.update(|open| *open = !*open));
    div().class("more").child(toggle).child(move || {
        is_open.get().then(|| {
            let rows = without.iter().map(|spec| row(spec, &help, capture));
            div()
                .class("groups")
                .attr("role", "group")
                .attr("aria-label", "Commands without a key")
                .children(rows)
        })
    })
}

fn row(spec: &'static CommandSpec, help: &Help, capture: KeyCapture) -> El {
    let (command, help) = (spec.command, help.clone());
    div()
        .class("pair")
        .child(span().child(spec.label))
        .child(move || {
            let keymap = help.keymap.get();
            let keys = keymap.keys(command);
            let mut all = span()
                .class("keys")
                .attr("data-none", keys.is_empty().to_string());
            // A command has at most two keys.
            let more = (keys.len() < 2).then_some(keys.len());
            for at in more.into_iter().chain(0..keys.len()) {
                all = all.child(key(spec, at, &keymap, &help, capture));
            }
            Some(all)
        })
}

/// Renders one key of a command, or the button that adds one.
fn key(
    spec: &'static CommandSpec,
    at: usize,
    keymap: &Keymap,
    help: &Help,
    capture: KeyCapture,
) -> El {
    let command = spec.command;
    let chord = keymap.keys(command).get(at);
    let off = chord.is_some_and(|chord| chord.is_single() && !keymap.single);
    let editing = move || capture.editing.get() == Some((command, at));
    let name = match chord {
        Some(chord) => [
            spec.label,
            ": ",
            &chord.caps(help.mac).join(" "),
            ". Change the key",
        ]
        .concat(),
        None => [spec.label, ": add a key"].concat(),
    };
    let class = match chord {
        None => "add",
        Some(_) if off => "key off",
        Some(_) => "key",
    };
    let shown = chord.map(|chord| chord.caps(help.mac));
    let key = button().class(class);
    let node = key.node();
    effect(move || {
        if capture.back.get_value() == Some((command, at)) {
            capture.back.set_value(None);
            let _ = node.unchecked_ref::<HtmlElement>().focus();
        }
    });
    key.attr("aria-label", move || {
        if editing() {
            [spec.label, ": press a key"].concat()
        } else {
            name.clone()
        }
    })
    .attr("data-command", spec.id)
    .attr("aria-pressed", move || editing().to_string())
    .on(ev::click, move |_| {
        if capture.editing.get_untracked() == Some((command, at)) {
            capture.stop("");
            return;
        }
        capture.wanted.set(None);
        capture.editing.set(Some((command, at)));
        let hint = [
            "Press the key for “",
            command.spec().label,
            "”. Esc cancels, Backspace removes the key.",
        ];
        capture.message.set(hint.concat());
    })
    .child(move || {
        Some(match &shown {
            _ if editing() => span().class("wait").child("Press a key"),
            Some(shown) => keycaps(shown),
            None if at == 0 => span().child("Add a key"),
            None => span().child("+"),
        })
    })
}

/// Handles a key press while the prompt waits for a new key.
fn pressed(help: &Help, capture: KeyCapture, (command, at): EditedKey, event: &KeyboardEvent) {
    let press = (help.press)(event);
    if press.repeat {
        return;
    }
    let mut keymap = untrack(|| help.keymap.get());
    let label = command.spec().label;
    let plain = !(press.ctrl || press.alt || press.shift || press.meta);
    match press.key.as_str() {
        "Escape" if plain => return capture.stop(""),
        "Tab" => return capture.stop(""),
        "Backspace" if plain => {
            keymap.unbind(command, at);
            help.on_keymap.run(keymap);
            return capture.stop(&["Key removed from “", label, "”."].concat());
        }
        _ => {}
    }
    let Some(chord) = Chord::from_press(&press) else {
        return;
    };
    let shown = chord.caps(help.mac).join(" ");
    let sure = capture.wanted.get_untracked().as_ref() == Some(&chord);
    let outcome = if sure {
        keymap.take(command, at, chord.clone())
    } else {
        keymap.bind(command, at, chord.clone())
    };
    match outcome {
        Ok(()) => {
            help.on_keymap.run(keymap);
            capture.stop(&["“", label, "” is now ", &shown, "."].concat());
        }
        Err(KeyConflict::Browser) => {
            capture.wanted.set(None);
            let message = [&*shown, " is reserved by the browser. Press another key."];
            capture.message.set(message.concat());
        }
        Err(KeyConflict::Commands(others)) => {
            capture.wanted.set(Some(chord));
            let message = [
                &*shown,
                " is already used for ",
                &in_words(&others),
                ". Press it again to reassign it, or press another key.",
            ];
            capture.message.set(message.concat());
        }
    }
}

/// Returns the labels of commands as text: “Go to leads”, “Go to accounts” and “Go to portfolio”.
fn in_words(commands: &[Command]) -> String {
    let mut text = String::new();
    for (at, command) in commands.iter().enumerate() {
        text.push_str(match at {
            0 => "“",
            _ if at + 1 == commands.len() => "” and “",
            _ => "”, “",
        });
        text.push_str(command.spec().label);
    }
    text + "”"
}
