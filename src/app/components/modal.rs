//! Modal dialog over the page.

use std::cell::RefCell;

use leptos::ev;
use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDialogElement, HtmlElement};

use super::dom::{El, button, dialog, div, effect, h2, kbd, span};

/// Renders a dialog that opens as soon as it is in the page. Escape and a click outside close it. The browser
/// restores the focus before `on_close` is called.
pub fn modal(class: &str, label: &str, on_close: impl FnMut() + 'static) -> El {
    let dialog = dialog().class(class).attr("aria-label", label);
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let (shown, beside) = (node.clone(), dialog.node());
    effect(move || {
        // By the time the effect runs, the dialog is in the page.
        if shown.is_connected() && !shown.open() {
            keep_focus();
            let _ = shown.show_modal();
        }
    });
    let mut on_close: Box<dyn FnMut()> = Box::new(on_close);
    dialog
        .on(ev::mousedown, move |event| {
            // The dialog has no padding, so a click on the dialog element itself hit the backdrop.
            let target = event.target();
            if target.is_some_and(|target| target == *beside.unchecked_ref()) {
                event.prevent_default();
                node.close();
            }
        })
        .on(ev::close, move |_| on_close())
}

thread_local! {
    /// The element that had the focus before the last dialog opened.
    static BEFORE: RefCell<Option<HtmlElement>> = const { RefCell::new(None) };
}

/// Stores the focused element, or restores the focus if it was lost. A placeholder dialog that this dialog replaces
/// loses the focus when it is removed. The focus must be restored before this dialog opens, because the browser
/// returns it to where it was at that time.
fn keep_focus() {
    let active = document().active_element();
    let active = active.filter(|active| active.tag_name() != "BODY");
    BEFORE.with_borrow_mut(|before| match active {
        Some(active) => *before = active.dyn_into().ok(),
        None => {
            if let Some(before) = before {
                let _ = before.focus();
            }
        }
    });
}

/// Renders the header of a dialog: its title and a close button.
pub fn head(title: &str, dialog: &Element) -> El {
    let dialog: HtmlDialogElement = dialog.clone().unchecked_into();
    let close = button()
        .class("quiet")
        .child("")
        .attr("aria-label", "Close")
        .child(super::icon::cross())
        .on(ev::click, move |_| dialog.close());
    div().class("top").child(h2().child(title)).child(close)
}

/// Renders the keys of a shortcut as keycaps.
pub fn caps(caps: &[String]) -> El {
    let mut all = span().class("caps");
    for (at, cap) in caps.iter().enumerate() {
        // The space is invisible, but screen readers need it.
        all = all
            .child(if at > 0 { " " } else { "" })
            .child(kbd().child(cap));
    }
    all
}
