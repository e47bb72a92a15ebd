//! Command palette: commands and places to go, found by typing a few letters.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlDialogElement, HtmlInputElement};

use super::dialog::modal;
use super::dom::{El, button, div, effect, input, p, span};
use super::keycaps::keycaps;
use crate::app::model::palette_search::{PaletteEntry, matching};
use crate::app::reactive::{Memo, RwSignal, Signal, memo};

/// Number of options that Page Up and Page Down move by.
const PAGE: usize = 8;

/// Inputs and callbacks of the palette.
#[derive(Clone, Copy)]
pub struct Palette {
    /// New entries are added at the end, so that an index keeps its meaning.
    pub entries: RwSignal<Vec<PaletteEntry>>,
    /// The typed text.
    pub typed: RwSignal<String>,
    /// Shown while there are no matches, or below them; empty for nothing.
    pub status: Signal<&'static str>,
    /// Called with the index of the picked entry.
    pub on_pick: Callback<usize>,
    /// Called after the dialog is closed and the focus is restored.
    pub on_close: Callback<()>,
}

/// The matching entries, best first, and the active one.
#[derive(Clone, Copy)]
struct Matches {
    found: Memo<Vec<usize>>,
    /// An index of the entries; `None` for the best match.
    chosen: RwSignal<Option<usize>>,
}

impl Matches {
    /// Returns the position of the active entry.
    fn active(self) -> usize {
        let chosen = self.chosen.get();
        let at = self
            .found
            .with(|found| found.iter().position(|at| Some(*at) == chosen));
        at.unwrap_or(0)
    }

    fn choose(self, position: usize) {
        let at = self
            .found
            .with_untracked(|found| found.get(position).copied());
        if self.chosen.get_untracked() != at {
            self.chosen.set(at);
        }
    }
}

pub fn palette(of: &Palette) -> El {
    let Palette {
        entries,
        typed,
        status,
        on_pick,
        on_close,
    } = *of;
    let matches = Matches {
        found: memo(move |_| entries.with(|entries| typed.with(|typed| matching(entries, typed)))),
        chosen: RwSignal::new(None),
    };
    let dialog = modal("palette", "Commands", move || on_close.run(()));
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let pick = {
        let node = node.clone();
        move |position: usize| {
            let at = matches
                .found
                .with_untracked(|found| found.get(position).copied());
            if let Some(at) = at {
                on_pick.run(at);
                node.close();
            }
        }
    };
    let input = field(matches, typed, pick.clone());
    let list = list(matches, entries, pick);
    let none = p().class("nothing").attr("role", "status").child(move || {
        let status = status.get();
        match matches.found.with(Vec::is_empty) {
            true if status.is_empty() => "No matches.",
            _ => status,
        }
        .to_owned()
    });
    let close = button()
        .class("visually-hidden")
        .child("Close")
        .on(ev::click, move |_| node.close());
    dialog.child(input).child(list).child(none).child(close)
}

fn field(matches: Matches, typed: RwSignal<String>, pick: impl Fn(usize) + 'static) -> El {
    let input = input()
        .attr("type", "text")
        .attr("role", "combobox")
        .attr("aria-label", "Find a command")
        .attr(
            "placeholder",
            "Go to a lead, account or view, or run a command",
        )
        .attr("aria-expanded", "true")
        .attr("aria-controls", "palette-list")
        .attr("aria-autocomplete", "list")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("autofocus", "");
    let node: HtmlInputElement = input.node().unchecked_into();
    input
        .attr("aria-activedescendant", move || {
            let active = matches.active();
            let here = matches.found.with(|found| found.get(active).copied());
            here.map(option_id).unwrap_or_default()
        })
        .on(ev::input, move |_| {
            matches.chosen.set(None);
            typed.set(node.value());
        })
        .on(ev::keydown, move |event| {
            let count = matches.found.with_untracked(Vec::len);
            let here = untrack(|| matches.active());
            let there = match event.key().as_str() {
                "ArrowDown" if here + 1 < count => here + 1,
                "ArrowDown" => 0,
                "ArrowUp" => here.checked_sub(1).unwrap_or(count.saturating_sub(1)),
                "PageDown" => (here + PAGE).min(count.saturating_sub(1)),
                "PageUp" => here.saturating_sub(PAGE),
                "Enter" => {
                    event.prevent_default();
                    // During IME composition, Enter confirms the text and must not pick an entry.
                    if count > 0 && !event.is_composing() {
                        pick(here);
                    }
                    return;
                }
                _ => return,
            };
            event.prevent_default();
            matches.choose(there);
        })
}

fn list(
    matches: Matches,
    entries: RwSignal<Vec<PaletteEntry>>,
    pick: impl Fn(usize) + Clone + 'static,
) -> El {
    let options = move || {
        let found = matches.found.get();
        let options = found.into_iter().enumerate().map(|(position, at)| {
            let entry = entries.with_untracked(|entries| entries[at].clone());
            let pick = pick.clone();
            let here = move || matches.active() == position;
            let option = div()
                .class("option")
                .attr("role", "option")
                .attr("id", option_id(at))
                .attr("aria-selected", move || here().to_string());
            let node = option.node();
            effect(move || {
                if here() {
                    let options = web_sys::ScrollIntoViewOptions::new();
                    options.set_block(web_sys::ScrollLogicalPosition::Nearest);
                    node.scroll_into_view_with_scroll_into_view_options(&options);
                }
            });
            let detail = Some(entry.detail).filter(|detail| !detail.is_empty());
            option
                // Keep the focus in the input.
                .on(ev::mousedown, |event| event.prevent_default())
                .on(ev::mousemove, move |_| matches.choose(position))
                .on(ev::click, move |_| pick(position))
                .child(span().class("label").child(&entry.label))
                .child(detail.map(|detail| span().class("detail").child(&detail)))
                .child(span().class("group").child(entry.group))
                .child(keycaps(&entry.keys))
        });
        Some(div().class("options").children(options))
    };
    div()
        .class("listbox")
        .attr("id", "palette-list")
        .attr("role", "listbox")
        .attr("aria-label", "Commands")
        .prop("hidden", move || {
            JsValue::from(matches.found.with(Vec::is_empty))
        })
        .child(options)
}

fn option_id(at: usize) -> String {
    let mut id = "palette-".to_owned();
    id.push_str(&at.to_string());
    id
}
