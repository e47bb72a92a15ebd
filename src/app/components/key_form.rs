//! Form for the API key of the workspace.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::dom::{El, button, div, effect, form, input, label, p, strong};

/// Texts and options of the form.
pub struct KeyForm<'a> {
    /// The address that receives the key, since a link may have set it; empty for the server of this page.
    pub to: &'a str,
    /// Whether this page can store a key at all.
    pub may_keep: bool,
    /// Label of the button that uses the key.
    pub submit: &'static str,
}

/// Renders the form below `heading`, and focuses its field. `cancel` is a button beside the one that uses the key.
/// `on_key` receives the key and whether to store it for the tab; it returns an error message if the key cannot be used.
pub fn key_form(
    of: &KeyForm<'_>,
    heading: El,
    cancel: Option<El>,
    on_key: impl Fn(String, bool) -> Result<(), String> + 'static,
) -> El {
    let wrong = RwSignal::new(String::new());
    let key_input = input()
        .attr("type", "password")
        .attr("name", "key")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("autofocus", "")
        .attr("placeholder", "lwk_…")
        .attr("aria-describedby", "key-wrong")
        .attr("aria-invalid", move || {
            wrong.with(|wrong| !wrong.is_empty()).to_string()
        });
    let field: HtmlInputElement = key_input.node().unchecked_into();
    let keep = input().attr("type", "checkbox");
    let keeps: HtmlInputElement = keep.node().unchecked_into();
    keeps.set_checked(of.may_keep);
    let keep = label()
        .class("keep")
        .child(keep)
        .child("Keep it in this tab after a reload");
    let wrong_text = p()
        .class("wrong")
        .attr("id", "key-wrong")
        .attr("role", "alert")
        .child(move || wrong.get());
    let fine = match of.to {
        "" => p().child("The key stays in this tab and is sent to this server only."),
        to => p()
            .child("The key stays in this tab and is sent to ")
            .child(strong().child(to))
            .child(
                " only, which is not this page's server. Continue only if you trust that address.",
            ),
    };
    let submit = button()
        .class("main")
        .attr("type", "submit")
        .child(of.submit);
    let node = field.clone();
    effect(move || {
        let _ = node.focus();
    });
    form()
        .child(heading)
        .child(label().child("API key").child(key_input))
        .child(of.may_keep.then_some(keep))
        .child(wrong_text)
        .child(fine.attr("class", "fine"))
        .child(div().class("buttons").child(cancel).child(submit))
        .on(ev::submit, move |event| {
            event.prevent_default();
            // A key that works removes the form.
            if let Err(problem) = on_key(field.value(), keeps.checked()) {
                wrong.set(problem);
            }
        })
}
