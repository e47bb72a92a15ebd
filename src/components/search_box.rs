//! The search box.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use lead_workspace_api::limits::SEARCH_CHARACTERS;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::dom::{Action, El, Reader, classed, el};
use super::icon;
use crate::signal::RwSignal;

/// How long the keys must rest before the search begins, in milliseconds.
const REST: u32 = 150;

/// A search that begins by itself when the keys rest, and at once on Enter. The label is the name
/// of the box, the hint says what can be searched, `search` is what is shown now.
pub fn search_box(
    label: &str,
    hint: &str,
    search: Reader<String>,
    on_search: Action<String>,
) -> El {
    let typed = RwSignal::new(untrack(|| search()));
    // Kept by the owner: a box that goes does not send any more.
    let timer = StoredValue::new_local(None::<Timeout>);
    let send = {
        let search = Rc::clone(&search);
        move || {
            timer.try_update_value(Option::take);
            // The page may be gone before the keys rest.
            if let Some(wanted) = typed.try_get_untracked()
                && untrack(|| search()) != wanted
            {
                on_search(wanted);
            }
        }
    };
    let input = el("input")
        .attr("type", "search")
        .attr("role", "searchbox")
        .attr("aria-label", label)
        .attr("placeholder", hint)
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("maxlength", &SEARCH_CHARACTERS.to_string())
        .attr("enterkeyhint", "search");
    let node: HtmlInputElement = input.node().unchecked_into();
    let input = {
        let (send, node) = (send.clone(), node.clone());
        // Back and Forward change the search, too; while somebody types, the box is theirs.
        input
            .prop_of("value", move || {
                let wanted = search();
                if timer.with_value(Option::is_none) && typed.get_untracked() != wanted {
                    typed.set(wanted);
                }
                typed.get().into()
            })
            .on("input", move |_| {
                typed.set(node.value());
                timer.set_value(Some(Timeout::new(REST, send.clone())));
            })
    };
    let clear = classed("button", "quiet clear")
        .attr("type", "button")
        .attr("aria-label", "Clear the search")
        .prop_of("hidden", move || typed.with(String::is_empty).into())
        .el(icon::cross());
    let clear = {
        let send = send.clone();
        clear.on("click", move |_| {
            typed.set(String::new());
            send();
            let _ = node.focus();
        })
    };
    classed("form", "search")
        .attr("role", "search")
        .on("submit", move |event| {
            event.prevent_default();
            send();
        })
        .el(icon::magnifier())
        .el(input)
        .el(clear)
}
