//! Command palette: the commands that are available now, found by typing a few letters.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlDialogElement, HtmlInputElement};

use super::dialog::modal;
use super::dom::{El, button, div, effect, input, p, span};
use super::keycaps::keycaps;
use crate::app::model::palette_search::{PaletteEntry, matching};

/// Number of options that Page Up and Page Down move by.
const PAGE: usize = 8;

/// Renders the palette. Calls `on_done` with the index of the picked entry, or `None`, after the dialog is closed and
/// the focus is restored.
pub fn palette(entries: Vec<PaletteEntry>, on_done: Callback<Option<usize>>) -> El {
    let entries = Rc::new(entries);
    let found = RwSignal::new(matching(&entries, ""));
    let active = RwSignal::new(0usize);
    let picked = StoredValue::new(None::<usize>);
    let dialog = modal("palette", "Commands", move || {
        on_done.run(picked.get_value());
    });
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let pick = {
        let node = node.clone();
        move |at: usize| {
            picked.set_value(found.with_untracked(|found| found.get(at).copied()));
            node.close();
        }
    };
    let input = field(found, active, Rc::clone(&entries), pick.clone());
    let list = list(found, active, entries, pick);
    let none = p().class("nothing").attr("role", "status").child(move || {
        let none = found.with(Vec::is_empty);
        if none { "No matching commands." } else { "" }.to_owned()
    });
    let close = button()
        .class("visually-hidden")
        .child("Close")
        .on(ev::click, move |_| node.close());
    dialog.child(input).child(list).child(none).child(close)
}

fn field(
    found: RwSignal<Vec<usize>>,
    active: RwSignal<usize>,
    entries: Rc<Vec<PaletteEntry>>,
    pick: impl Fn(usize) + 'static,
) -> El {
    let input = input()
        .attr("type", "text")
        .attr("role", "combobox")
        .attr("aria-label", "Find a command")
        .attr("placeholder", "What do you want to do?")
        .attr("aria-expanded", "true")
        .attr("aria-controls", "palette-list")
        .attr("aria-autocomplete", "list")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("autofocus", "");
    let node: HtmlInputElement = input.node().unchecked_into();
    input
        .attr("aria-activedescendant", move || {
            let at = active.get();
            let here = found.with(|found| found.get(at).copied());
            here.map(option_id).unwrap_or_default()
        })
        .on(ev::input, move |_| {
            found.set(matching(&entries, &node.value()));
            active.set(0);
        })
        .on(ev::keydown, move |event| {
            let count = found.with_untracked(Vec::len);
            let here = active.get_untracked();
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
            active.set(there);
        })
}

fn list(
    found: RwSignal<Vec<usize>>,
    active: RwSignal<usize>,
    entries: Rc<Vec<PaletteEntry>>,
    pick: impl Fn(usize) + Clone + 'static,
) -> El {
    let options = move || {
        let found = found.get();
        let options = found.into_iter().enumerate().map(|(position, at)| {
            let (entry, pick) = (&entries[at], pick.clone());
            let here = move || active.get() == position;
            let option = div()
                .class("option")
                .attr("role", "option")
                .attr("id", option_id(at))
                .attr("aria-selected", move || here().to_string());
            let node = option.node();
            effect(move || {
                if active.get() == position {
                    let options = web_sys::ScrollIntoViewOptions::new();
                    options.set_block(web_sys::ScrollLogicalPosition::Nearest);
                    node.scroll_into_view_with_scroll_into_view_options(&options);
                }
            });
            option
                // Keep the focus in the input.
                .on(ev::mousedown, |event| event.prevent_default())
                .on(ev::mousemove, move |_| {
                    if active.get_untracked() != position {
                        active.set(position);
                    }
                })
                .on(ev::click, move |_| pick(position))
                .child(span().child(&entry.label))
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
        .prop("hidden", move || JsValue::from(found.with(Vec::is_empty)))
        .child(options)
}

fn option_id(at: usize) -> String {
    let mut id = "palette-".to_owned();
    id.push_str(&at.to_string());
    id
}
