//! A text box with a list of options: opened by focus, narrowed by typing, picked from by key or pointer.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlInputElement;

use super::dom::{El, div, effect, span};
use crate::app::reactive::{RwSignal, Signal};

/// An option of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComboOption {
    pub value: String,
    pub label: String,
    /// Heading above it and its neighbors of the same group; empty for none.
    pub group: &'static str,
    /// Quiet text at its end.
    pub note: String,
}

pub struct Combobox {
    /// Unique in the page.
    pub id: &'static str,
    pub label: &'static str,
    /// The text box; it has the text already.
    pub input: El,
    /// The options that match the text, in display order.
    pub options: Signal<Vec<ComboOption>>,
    /// Whether the first match of a typed text is active, so that Enter and Tab pick it.
    pub picks_first: bool,
    /// Called with the text when it changes, and when the list opens.
    pub on_text: Callback<String>,
    /// Called with the picked option. The text box shows what the callback returns.
    pub on_pick: Callback<ComboOption, String>,
}

/// Renders the text box with its list. Returns also the text box.
pub fn combobox(combobox: Combobox) -> (El, HtmlInputElement) {
    let Combobox {
        id,
        label,
        input,
        options,
        picks_first,
        on_text,
        on_pick,
    } = combobox;
    let open = RwSignal::new(false);
    let active = RwSignal::new(None);
    let list_id = [id, "-list"].concat();
    let option_id = move |at: usize| [id, "-", &at.to_string()].concat();
    let is_shown = move || open.get() && options.with(|options| !options.is_empty());
    let field = input
        .attr("type", "text")
        .attr("role", "combobox")
        .attr("aria-label", label)
        .attr("placeholder", label)
        .attr("aria-autocomplete", "list")
        .attr("aria-controls", &list_id)
        .attr("autocomplete", "off")
        .attr("spellcheck", "false");
    let node: HtmlInputElement = field.node().unchecked_into();
    let show = {
        let node = node.clone();
        move |first: Option<usize>| {
            active.set(first);
            open.set(true);
            on_text.run(node.value());
        }
    };
    let pick = {
        let node = node.clone();
        Rc::new(move |at: usize| {
            let option = options.with_untracked(|options| options.get(at).cloned());
            open.set(false);
            if let Some(option) = option {
                node.set_value(&on_pick.run(option));
            }
        })
    };
    let on_key = {
        let (pick, show) = (Rc::clone(&pick), show.clone());
        move |event: web_sys::KeyboardEvent| {
            let count = options.with_untracked(Vec::len);
            let (is_open, here) = (untrack(is_shown), active.get_untracked());
            match event.key().as_str() {
                "ArrowDown" | "ArrowUp" if !is_open => show(None),
                "ArrowDown" => active.set(Some(here.map_or(0, |here| (here + 1) % count))),
                "ArrowUp" => {
                    active.set(
                        here.and_then(|here| here.checked_sub(1))
                            .or(Some(count - 1)),
                    );
                }
                // During IME composition, Enter confirms the text.
                "Enter" if is_open && !event.is_composing() => match here {
                    Some(here) => pick(here),
                    None => return,
                },
                "Tab" => {
                    if let Some(here) = here.filter(|_| is_open) {
                        pick(here);
                    }
                    return;
                }
                "Escape" if is_open => open.set(false),
                _ => return,
            }
            event.prevent_default();
            event.stop_propagation();
        }
    };
    let field = field
        .attr("aria-expanded", move || is_shown().to_string())
        .attr("aria-activedescendant", move || {
            let at = active.get().filter(|_| is_shown());
            at.map(option_id).unwrap_or_default()
        })
        .on(ev::focus, {
            let show = show.clone();
            move |_| show(None)
        })
        .on(ev::click, {
            let show = show.clone();
            move |_| {
                if !open.get_untracked() {
                    show(None);
                }
            }
        })
        .on(ev::input, move |_| show(picks_first.then_some(0)))
        .on(ev::blur, move |_| open.set(false))
        .on(ev::keydown, on_key);
    let options = move || {
        let mut list = div().class("options");
        let mut group: Option<(&'static str, El)> = None;
        for (at, option) in options.get().into_iter().enumerate() {
            if group.as_ref().is_none_or(|(of, _)| *of != option.group) {
                list = list.child(group.take().map(|(_, el)| el));
                group = Some((option.group, heading(option.group)));
            }
            let row = row(&option, option_id(at), at, active, &pick);
            group = group.map(|(of, el)| (of, el.child(row)));
        }
        Some(list.child(group.map(|(_, el)| el)))
    };
    let list = div()
        .class("listbox")
        .attr("id", &list_id)
        .attr("role", "listbox")
        .attr("aria-label", label)
        .prop("hidden", move || JsValue::from(!is_shown()))
        .child(options);
    (div().class("combobox").child(field).child(list), node)
}

fn heading(name: &'static str) -> El {
    let group = div().attr("role", "group");
    match name {
        "" => group.attr("aria-label", "Matches"),
        name => group.attr("aria-label", name).child(
            div()
                .class("heading")
                .attr("aria-hidden", "true")
                .child(name),
        ),
    }
}

fn row(
    option: &ComboOption,
    id: String,
    at: usize,
    active: RwSignal<Option<usize>>,
    pick: &Rc<impl Fn(usize) + 'static>,
) -> El {
    let pick = Rc::clone(pick);
    let row = div()
        .class("option")
        .attr("role", "option")
        .attr("id", id)
        .attr("aria-selected", move || {
            (active.get() == Some(at)).to_string()
        });
    let node = row.node();
    effect(move || {
        if active.get() == Some(at) {
            let options = web_sys::ScrollIntoViewOptions::new();
            options.set_block(web_sys::ScrollLogicalPosition::Nearest);
            node.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
    row
        // Keep the focus in the text box.
        .on(ev::mousedown, |event| event.prevent_default())
        .on(ev::mousemove, move |_| {
            if active.get_untracked() != Some(at) {
                active.set(Some(at));
            }
        })
        .on(ev::click, move |_| pick(at))
        .child(span().child(&option.label))
        .child(span().class("note").child(&option.note))
}
