//! A native dialog that follows a signal: modal, closed by Escape, with the focus where it was after.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;

use super::dom::{Action, El, Reader, classed, effect};

/// A dialog. `open` says whether it stands; `inside` draws what is in it, anew each time it opens.
pub fn sheet(
    class: &str,
    label: &str,
    open: Reader<bool>,
    on_close: Action<()>,
    inside: impl Fn() -> El + 'static,
) -> El {
    let dialog = classed("dialog", class).attr("aria-label", label);
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let (drawn, followed) = (Rc::clone(&open), open);
    let place = node.clone();
    let dialog = dialog
        .el_of(move || drawn().then(&inside))
        // A click beside it is one on the dialog itself, not on what is in it.
        .on("click", move |event| {
            let on_itself = event.target().as_ref() == Some(place.as_ref());
            if on_itself {
                place.close();
            }
        })
        .on("close", move |_| on_close(()));
    effect(move || match (followed(), node.open()) {
        (true, false) => {
            // Not yet in the page when this runs first; the effect runs after that.
            let _ = node.show_modal();
        }
        (false, true) => node.close(),
        _ => {}
    });
    dialog
}
