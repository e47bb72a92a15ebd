//! Confirmation dialog for actions that cannot be undone.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;

use super::dom::{El, button, dialog, div, effect, form, h2, p};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirm {
    pub title: String,
    /// What the action would do.
    pub text: String,
    /// Label of the button that confirms.
    pub verb: &'static str,
    /// Whether nothing is lost: then the button is not marked as dangerous.
    pub mild: bool,
}

/// Renders a native dialog that is open while `asked` returns a request. Escape and Cancel only close it.
pub fn confirm(
    asked: Signal<Option<Confirm>>,
    on_yes: impl Fn() + Copy + 'static,
    on_close: impl Fn() + Copy + 'static,
) -> El {
    let dialog = dialog()
        .class("ask")
        .attr("role", "alertdialog")
        .attr("aria-labelledby", "confirm-title")
        .attr("aria-describedby", "confirm-text");
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let shown = asked;
    let dialog = dialog
        .child(move || {
            let Confirm {
                title,
                text,
                verb,
                mild,
            } = shown.get()?;
            let class = if mild { "main" } else { "main danger" };
            let buttons = div()
                .class("buttons")
                .child(
                    button()
                        .class("quiet")
                        .child("Cancel")
                        .on(ev::click, move |_| on_close()),
                )
                .child(
                    button()
                        .class(class)
                        .child(verb)
                        .on(ev::click, move |_| on_yes()),
                );
            let form = form()
                .attr("method", "dialog")
                .child(h2().attr("id", "confirm-title").child(&title))
                .child(p().attr("id", "confirm-text").child(&text))
                .child(buttons);
            Some(form)
        })
        .on(ev::close, move |_| on_close());
    effect(move || match (asked.get().is_some(), node.open()) {
        (true, false) => {
            // By the time the effect runs, the dialog is in the page.
            let _ = node.show_modal();
        }
        (false, true) => node.close(),
        _ => {}
    });
    dialog
}
