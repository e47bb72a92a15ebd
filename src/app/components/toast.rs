//! Toast: a short message about the last action, with an optional button.

use leptos::ev;
use std::rc::Rc;

use leptos::prelude::untrack;

use super::dom::{El, button, div, span};
use crate::app::signal::Memo;

/// A button: its label and its action.
pub type ToastAction = (&'static str, Rc<dyn Fn()>);

/// A message with an optional button.
pub struct ToastMessage {
    pub text: String,
    pub action: Option<ToastAction>,
}

/// Renders the toast, if there is a message. The live region is always in the page, so that screen readers announce
/// new messages.
pub fn toast(message: impl Fn() -> Option<ToastMessage> + 'static) -> El {
    let message = Rc::new(message);
    let now = Rc::clone(&message);
    // The elements stay, so that a new message changes only their text.
    let words = Memo::new(move |_| {
        let ToastMessage { text, action } = now()?;
        Some((text, action.map(|(label, _)| label)))
    });
    let is_here = Memo::new(move |_| words.with(Option::is_some));
    let label = Memo::new(move |_| words.with(|words| words.as_ref()?.1));
    let text = move || words.with(|words| words.as_ref().map(|(text, _)| text.clone()));
    div().class("toasts").attr("role", "status").child(move || {
        let message = Rc::clone(&message);
        let action = move || {
            let message = Rc::clone(&message);
            Some(
                button()
                    .class("")
                    .child(label.get()?)
                    .on(ev::click, move |_| {
                        if let Some((_, act)) =
                            untrack(|| message()).and_then(|message| message.action)
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
