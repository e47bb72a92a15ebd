//! Native modal dialog that is controlled by a signal. Escape closes it, and the focus returns to where it was.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;

use super::dom::{El, dialog, effect};

/// Renders a dialog that is shown while `open` is true. `inside` renders its content each time it opens.
pub fn sheet(
    class: &str,
    label: &str,
    open: Signal<bool>,
    on_close: Callback<()>,
    inside: impl Fn() -> El + 'static,
) -> El {
    let dialog = dialog().class(class).attr("aria-label", label);
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let (read, followed) = (open, open);
    let place = node.clone();
    let dialog = dialog
        .child(move || read.get().then(&inside))
        // A click on the backdrop has the dialog itself as its target.
        .on(ev::click, move |event| {
            let on_itself = event.target().as_ref() == Some(place.as_ref());
            if on_itself {
                place.close();
            }
        })
        .on(ev::close, move |_| on_close.run(()));
    effect(move || match (followed.get(), node.open()) {
        (true, false) => {
            // By the time the effect runs, the dialog is in the page.
            let _ = node.show_modal();
        }
        (false, true) => node.close(),
        _ => {}
    });
    dialog
}
