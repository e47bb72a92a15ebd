//! A short word on what was just done, with the way back.

use super::dom::{El, button, classed, el};

/// The toast; nothing while there is nothing to undo. Its place in the page is always there, so
/// that what it says is heard.
pub fn toast(
    text: impl Fn() -> Option<String> + 'static,
    on_undo: impl Fn() + Copy + 'static,
) -> El {
    classed("div", "toasts")
        .attr("role", "status")
        .el_of(move || {
            let toast = classed("div", "toast")
                .el(el("span").text(&text()?))
                .el(button("", "Undo").on("click", move |_| on_undo()));
            Some(toast)
        })
}
