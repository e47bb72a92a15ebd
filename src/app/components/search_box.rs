//! Search box.

use lead_workspace_api::limits::SEARCH_CHARACTERS;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement, KeyboardEvent};

use super::debounce::Debounce;
use super::dom::{El, button, form, input, p};
use super::icon;
use crate::app::model::search_limit::too_long;
use crate::app::reactive::{RwSignal, Signal};

/// Element id of the error message.
const ERROR_ID: &str = "search-wrong";

/// State and callbacks of a search box.
pub struct Search {
    /// Accessible name.
    pub label: &'static str,
    /// Placeholder.
    pub hint: &'static str,
    /// The current search.
    pub text: Signal<String>,
    pub on_search: Callback<String>,
    /// Why the server refused the current search. The page shows this too; here it is for screen readers only.
    pub refused: Signal<Option<String>>,
}

impl Search {
    /// Creates a search that the server never refuses.
    pub fn new(
        label: &'static str,
        hint: &'static str,
        text: Signal<String>,
        on_search: Callback<String>,
    ) -> Self {
        Self {
            label,
            hint,
            text,
            on_search,
            refused: Signal::derive(|| None),
        }
    }
}

/// Renders a search box. It searches after a pause in typing, or at once on Enter, and never sends a text that is
/// over the length limit. Arrow Down, and Escape in an empty field, go to the list.
pub fn search_box(search: Search) -> El {
    let Search {
        label,
        hint,
        text: search,
        on_search,
        refused,
    } = search;
    let typed = RwSignal::new(untrack(|| search.get()));
    let debounce = Debounce::start();
    let send = {
        move || {
            debounce.cancel();
            // The page may be gone when the timer fires.
            if let Some(wanted) = typed.try_get_untracked()
                && untrack(|| search.get()) != wanted
                && too_long(&wanted).is_none()
            {
                on_search.run(wanted);
            }
        }
    };
    // The server's error applies until the user changes the text.
    let refused = {
        move || {
            refused
                .get()
                .filter(|_| typed.with(|typed| *typed == search.get()))
        }
    };
    let (invalid, described) = (refused, refused);
    let is_wrong = move |refused: Option<String>| refused.or(typed.with(|typed| too_long(typed)));
    let input = input()
        .attr("type", "search")
        .attr("role", "searchbox")
        .attr("aria-label", label)
        .attr("placeholder", hint)
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("enterkeyhint", "search")
        .attr("maxlength", SEARCH_CHARACTERS.to_string())
        .attr("aria-invalid", move || {
            is_wrong(invalid()).is_some().to_string()
        })
        .attr("aria-describedby", move || {
            let wrong = is_wrong(described()).is_some();
            if wrong { ERROR_ID } else { "" }.to_owned()
        });
    let node: HtmlInputElement = input.node().unchecked_into();
    let input = {
        let node = node.clone();
        input.on(ev::keydown, move |event| {
            let event: KeyboardEvent = event.unchecked_into();
            let has_modifier =
                event.shift_key() || event.ctrl_key() || event.alt_key() || event.meta_key();
            if has_modifier || event.is_composing() {
                return;
            }
            // The first Escape empties the field. Enter stays in it: more may be typed.
            let leaves = match &*event.key() {
                "ArrowDown" => true,
                "Escape" => node.value().is_empty(),
                _ => false,
            };
            if leaves && let Some(list) = list_beside(&node) {
                event.prevent_default();
                send();
                let _ = list.focus();
            }
        })
    };
    let input = {
        let (send, node) = (send, node.clone());
        // Back and Forward change the search too. While the user types, their text is not replaced.
        input
            .prop("value", move || {
                let wanted = search.get();
                if !debounce.is_pending() && typed.get_untracked() != wanted {
                    typed.set(wanted);
                }
                typed.get().into()
            })
            .on(ev::input, move |_| {
                typed.set(node.value());
                debounce.run_later(send);
            })
    };
    let clear = button()
        .class("quiet clear")
        .attr("aria-label", "Clear the search")
        .prop("hidden", move || typed.with(String::is_empty).into())
        .child(icon::cross())
        .on(ev::click, move |_| {
            typed.set(String::new());
            send();
            let _ = node.focus();
        });
    form()
        .class("search")
        .attr("role", "search")
        .on(ev::submit, move |event| {
            event.prevent_default();
            send();
        })
        .child(icon::magnifier())
        .child(input)
        .child(clear)
        .child(move || {
            let (class, role, wrong) = match typed.with(|typed| too_long(typed)) {
                Some(wrong) => ("wrong", Some("alert"), wrong),
                None => ("visually-hidden", None, refused()?),
            };
            let wrong = p().class(class).attr("id", ERROR_ID).child(&wrong);
            Some(wrong.attr("role", role))
        })
}

/// Returns the list of the page that the field is on.
fn list_beside(field: &HtmlInputElement) -> Option<HtmlElement> {
    let app = field.closest(".app").ok()??;
    let list = app.query_selector("[role=grid]").ok()??;
    list.dyn_into().ok()
}
