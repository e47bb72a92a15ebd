//! Dialog for the API key of the workspace.

use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlInputElement};

use super::dom::{El, button, classed, effect, el};
use crate::app::signal::RwSignal;

/// Renders a native modal dialog for the API key.
///
/// `to` is the address that receives the key, since a link may have set it; empty for the server of this page.
/// `may_keep` is whether this page can store a key at all. `why` returns the reason for the request, or `None` while
/// the dialog is closed. `on_key` receives the key and whether to store it for the tab; it returns an error message
/// if the key cannot be used.
pub fn key_dialog(
    (to, may_keep): (&str, bool),
    why: impl Fn() -> Option<&'static str> + Copy + 'static,
    on_key: impl Fn(String, bool) -> Result<(), String> + 'static,
    on_close: impl Fn() + 'static,
) -> El {
    let wrong = RwSignal::new(String::new());
    let input = el("input")
        .attr("type", "password")
        .attr("name", "key")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("autofocus", "")
        .attr("placeholder", "lwk_…")
        .attr("aria-describedby", "ask-wrong")
        .attr_of("aria-invalid", move || {
            wrong.with(|wrong| !wrong.is_empty()).to_string()
        });
    let field: HtmlInputElement = input.node().unchecked_into();
    let dialog = classed("dialog", "ask").attr("aria-labelledby", "ask-title");
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let close = node.clone();
    let buttons = classed("div", "buttons")
        .el(button("quiet", "Not now").on("click", move |_| close.close()))
        .el(classed("button", "main")
            .attr("type", "submit")
            .text("Use this key"));
    let wrong_text = classed("p", "wrong")
        .attr("id", "ask-wrong")
        .attr("role", "alert")
        .text_of(move || wrong.get());
    let keep = el("input").attr("type", "checkbox");
    let keeps: HtmlInputElement = keep.node().unchecked_into();
    let keep = classed("label", "keep")
        .el(keep)
        .text("Keep it in this tab after a reload");
    let fine = match to {
        "" => el("p").text("The key stays in this tab and is sent to this server only."),
        to => el("p")
            .text("The key stays in this tab and is sent to ")
            .el(el("strong").text(to))
            .text(
                " only, which is not this page's server. Continue only if you trust that address.",
            ),
    };
    let form = el("form")
        .el(el("h2").attr("id", "ask-title").text("Workspace key"))
        .el(el("p").text_of(move || why().unwrap_or_default().to_owned()))
        .el(el("label").text("API key").el(input))
        .el_opt(may_keep.then_some(keep))
        .el(wrong_text)
        .el(fine.attr("class", "fine"))
        .el(buttons)
        .on("submit", move |event| {
            event.prevent_default();
            match on_key(field.value(), keeps.checked()) {
                Ok(()) => field.set_value(""),
                Err(problem) => wrong.set(problem),
            }
        });
    effect(move || match (why(), node.open()) {
        (Some(_), false) => {
            wrong.set(String::new());
            // By the time the effect runs, the dialog is in the page.
            let _ = node.show_modal();
        }
        (None, true) => node.close(),
        _ => {}
    });
    dialog.el(form).on("close", move |_| on_close())
}
