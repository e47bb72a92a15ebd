//! Native modal dialog that is controlled by a signal. Escape closes it, and the focus returns to where it was.

use leptos::ev;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;

use super::dom::{Action, El, Reader, dialog, effect};

/// Renders a dialog that is shown while `open` is true. `inside` renders its content each time it opens.
pub fn sheet(
    class: &str,
    label: &str,
    open: Reader<bool>,
    on_close: Action<()>,
    inside: impl Fn() -> El + 'static,
) -> El {
    let dialog = dialog().class(class).attr("aria-label", label);
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let (read, followed) = (Rc::clone(&open), open);
    let place = node.clone();
    let dialog = dialog
        .child(move || read().then(&inside))
        // A click on the backdrop has the dialog itself as its target.
        .on(ev::click, move |event| {
            let on_itself = event.target().as_ref() == Some(place.as_ref());
            if on_itself {
                place.close();
            }
        })
        .on(ev::close, move |_| on_close(()));
    effect(move || match (followed(), node.open()) {
        (true, false) => {
            // By the time the effect runs, the dialog is in the page.
            let _ = node.show_modal();
        }
        (false, true) => node.close(),
        _ => {}
    });
    dialog
}
