//! Action bar above the status bar, shown while rows are selected.

use std::rc::Rc;

use super::dom::{El, button, div, span};
use super::format;
use crate::app::reactive::Memo;
use crate::review::selection::HiddenRows;

/// Returns a button. On screens without room for it, `more` is for screen readers only.
pub fn spoken(class: &str, label: &str, more: &str) -> El {
    button()
        .class(class)
        .child(label)
        .child(span().class("more").child(more))
}

/// Renders the number of selected rows, how many of them are `hidden`, and the buttons that `buttons` returns.
pub fn bulk_bar(
    many: Memo<usize>,
    hidden: Memo<HiddenRows>,
    buttons: Rc<dyn Fn(HiddenRows) -> Vec<El>>,
) -> El {
    div().class("bulks").attr("role", "status").child(move || {
        let count = many.get();
        (count > 0).then(|| {
            let hidden = hidden.get();
            let mut message = [&*format::number(count as u64), " selected"].concat();
            if !hidden.ids.is_empty() {
                let rows = format::number(hidden.ids.len() as u64);
                let place = match hidden.is_certain {
                    true => " not in this list",
                    false => " in another view",
                };
                message = [&*message, ", ", &rows, place].concat();
            }
            div()
                .class("bulk")
                .attr("role", "toolbar")
                .attr("aria-label", "Selection")
                .child(span().child(&message))
                .children(buttons(hidden))
        })
    })
}
