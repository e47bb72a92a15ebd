//! A dialog over the page, which waits behind it.

use std::cell::RefCell;

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDialogElement, HtmlElement};

use super::dom::{El, button, classed, effect, el};

/// A dialog that opens when it comes into the page. It closes on Escape and on a click beside it;
/// the focus goes back to where it was, and only then `on_close` hears of it.
pub fn modal(class: &str, label: &str, on_close: impl FnMut() + 'static) -> El {
    let dialog = classed("dialog", class).attr("aria-label", label);
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    let (shown, beside) = (node.clone(), dialog.node());
    effect(move || {
        // Not yet in the page when this is made; the effect runs after that.
        if shown.is_connected() && !shown.open() {
            keep_focus();
            let _ = shown.show_modal();
        }
    });
    let mut on_close: Box<dyn FnMut()> = Box::new(on_close);
    dialog
        .on("mousedown", move |event| {
            // The dialog itself has no padding: what hits it hits its backdrop.
            let target = event.target();
            if target.is_some_and(|target| target == *beside.unchecked_ref()) {
                event.prevent_default();
                node.close();
            }
        })
        .on("close", move |_| on_close())
}

thread_local! {
    /// What had the focus before the last dialog opened.
    static BEFORE: RefCell<Option<HtmlElement>> = const { RefCell::new(None) };
}

/// A dialog that stood in for this one until its code was here took the focus with it when it went: it
/// is given back first, so that the browser knows where it belongs.
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

/// The head of a dialog: its title, and a button that closes it.
pub fn head(title: &str, dialog: &Element) -> El {
    let dialog: HtmlDialogElement = dialog.clone().unchecked_into();
    let close = button("quiet", "")
        .attr("aria-label", "Close")
        .el(super::icon::cross())
        .on("click", move |_| dialog.close());
    classed("div", "top").el(el("h2").text(title)).el(close)
}

/// Caps of a key.
pub fn caps(caps: &[String]) -> El {
    let mut all = classed("span", "caps");
    for (at, cap) in caps.iter().enumerate() {
        // Not seen, but read.
        all = all
            .text(if at > 0 { " " } else { "" })
            .el(el("kbd").text(cap));
    }
    all
}
