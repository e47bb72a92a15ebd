//! Toast: a short message about the last action, with an optional button.

use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;

use super::dom::{El, button, div, span};
use crate::app::reactive::memo;

/// A button: its label and its action.
pub type ToastAction = (&'static str, Arc<dyn Fn() + Send + Sync>);

/// A message with an optional button.
pub struct ToastMessage {
    pub text: String,
    pub action: Option<ToastAction>,
}

/// Renders the toast, if there is a message. The live region is always in the page, so that screen readers announce
/// new messages.
pub fn toast(message: impl Fn() -> Option<ToastMessage> + Copy + Send + Sync + 'static) -> El {
    // The elements stay, so that a new message changes only their text.
    let words = memo(move |_| {
        let ToastMessage { text, action } = message()?;
        Some((text, action.map(|(label, _)| label)))
    });
    let is_here = memo(move |_| words.with(Option::is_some));
    let label = memo(move |_| words.with(|words| words.as_ref()?.1));
    let text = move || words.with(|words| words.as_ref().map(|(text, _)| text.clone()));
    div().class("toasts").attr("role", "status").child(move || {
        let action = move || {
            Some(
                button()
                    .class("")
                    .child(label.get()?)
                    .on(ev::click, move |_| {
                        if let Some((_, act)) = untrack(message).and_then(|message| message.action)
                        {
                            act();
                        }
                    }),
            )
        };
        is_here.get().then(|| {
            div()
                .class("toast")
                .child(span().child(move || text().unwrap_or_default()))
                .child(action)
        })
    })
}
