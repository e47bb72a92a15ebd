//! Confirmation dialog for actions that cannot be undone.

use leptos::ev;

use super::dialog::{dialog, dialog_buttons};
use super::dom::{El, button, form, h2, p};
use crate::app::reactive::Signal;

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

/// Renders a native dialog that is open while `prompt` returns a request. Escape and Cancel only close it.
pub fn confirm(
    prompt: Signal<Option<Confirm>>,
    on_yes: impl Fn() + Copy + 'static,
    on_close: impl Fn() + Copy + 'static,
) -> El {
    let open = Signal::derive(move || prompt.with(Option::is_some));
    dialog("ask", open, on_close)
        .attr("role", "alertdialog")
        .attr("aria-labelledby", "confirm-title")
        .attr("aria-describedby", "confirm-text")
        .child(move || {
            let Confirm {
                title,
                text,
                verb,
                mild,
            } = prompt.get()?;
            let class = if mild { "main" } else { "main danger" };
            let confirm = button()
                .class(class)
                .child(verb)
                .on(ev::click, move |_| on_yes());
            let form = form()
                .attr("method", "dialog")
                .child(h2().attr("id", "confirm-title").child(&title))
                .child(p().attr("id", "confirm-text").child(&text))
                .child(dialog_buttons(on_close, confirm));
            Some(form)
        })
}
