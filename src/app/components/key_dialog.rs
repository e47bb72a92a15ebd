//! Dialog for the API key of the workspace.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlInputElement};

use super::dialog::dialog;
use super::dom::{El, button, div, effect, form, h2, input, label, p, strong};
use crate::app::reactive::memo;

/// Renders a native modal dialog for the API key.
///
/// `to` is the address that receives the key, since a link may have set it; empty for the server of this page.
/// `may_keep` is whether this page can store a key at all. `why` returns the reason for the request, or `None` while
/// the dialog is closed. `on_key` receives the key and whether to store it for the tab; it returns an error message
/// if the key cannot be used.
pub fn key_dialog(
    (to, may_keep): (&str, bool),
    why: impl Fn() -> Option<&'static str> + Copy + Send + Sync + 'static,
    on_key: impl Fn(String, bool) -> Result<(), String> + 'static,
    on_close: impl Fn() + 'static,
) -> El {
    let wrong = RwSignal::new(String::new());
    let key_input = input()
        .attr("type", "password")
        .attr("name", "key")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("autofocus", "")
        .attr("placeholder", "lwk_…")
        .attr("aria-describedby", "ask-wrong")
        .attr("aria-invalid", move || {
            wrong.with(|wrong| !wrong.is_empty()).to_string()
        });
    let field: HtmlInputElement = key_input.node().unchecked_into();
    let dialog = dialog("ask", Signal::derive(move || why().is_some()), on_close)
        .attr("aria-labelledby", "ask-title");
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let buttons = div()
        .class("buttons")
        .child(
            button()
                .class("quiet")
                .child("Not now")
                .on(ev::click, move |_| node.close()),
        )
        .child(
            button()
                .class("main")
                .attr("type", "submit")
                .child("Use this key"),
        );
    let wrong_text = p()
        .class("wrong")
        .attr("id", "ask-wrong")
        .attr("role", "alert")
        .child(move || wrong.get());
    let keep = input().attr("type", "checkbox");
    let keeps: HtmlInputElement = keep.node().unchecked_into();
    let keep = label()
        .class("keep")
        .child(keep)
        .child("Keep it in this tab after a reload");
    let fine = match to {
        "" => p().child("The key stays in this tab and is sent to this server only."),
        to => p()
            .child("The key stays in this tab and is sent to ")
            .child(strong().child(to))
            .child(
                " only, which is not this page's server. Continue only if you trust that address.",
            ),
    };
    let form = form()
        .child(h2().attr("id", "ask-title").child("Workspace key"))
        .child(p().child(move || why().unwrap_or_default().to_owned()))
        .child(label().child("API key").child(key_input))
        .child(may_keep.then_some(keep))
        .child(wrong_text)
        .child(fine.attr("class", "fine"))
        .child(buttons)
        .on(ev::submit, move |event| {
            event.prevent_default();
            match on_key(field.value(), keeps.checked()) {
                Ok(()) => field.set_value(""),
                Err(problem) => wrong.set(problem),
            }
        });
    // Cleared when the dialog opens, and not by another refused request while it is open.
    let is_open = memo(move |_| why().is_some());
    effect(move || {
        if is_open.get() {
            wrong.set(String::new());
        }
    });
    dialog.child(form)
}
