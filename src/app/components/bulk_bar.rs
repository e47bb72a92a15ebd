//! Action bar above the status bar, shown while rows are selected.

use std::rc::Rc;

use leptos::prelude::*;

use super::dom::{El, button, div, span};
use super::format;

/// Returns a button. On narrow screens, `more` is for screen readers only.
pub fn spoken(class: &str, label: &str, more: &str) -> El {
    button()
        .class(class)
        .child(label)
        .child(span().class("more").child(more))
}

/// Renders the number of selected rows, and the buttons that `buttons` returns for this number.
pub fn bulk_bar(many: Memo<usize>, buttons: Rc<dyn Fn(usize) -> Vec<El>>) -> El {
    div().class("bulks").attr("role", "status").child(move || {
        let count = many.get();
        (count > 0).then(|| {
            let message = format!("{} selected", format::number(count as u64));
            div()
                .class("bulk")
                .attr("role", "toolbar")
                .attr("aria-label", "Selection")
                .child(span().child(&message))
                .children(buttons(count))
        })
    })
}
