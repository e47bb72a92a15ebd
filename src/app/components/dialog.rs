//! Native modal dialogs. Escape closes them, and the focus returns to where it was.

use std::cell::RefCell;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDialogElement, HtmlElement};

use super::dom::{self, El, button, div, effect, h2};
use crate::app::reactive::Signal;

/// Renders a dialog that is shown while `open` is true.
pub fn dialog(class: &str, open: Signal<bool>, on_close: impl Fn() + 'static) -> El {
    dialog_with(class, open, || {}, on_close)
}

/// Same as [`dialog`]. Calls `before_open` before each opening.
fn dialog_with(
    class: &str,
    open: Signal<bool>,
    before_open: fn(),
    on_close: impl Fn() + 'static,
) -> El {
    let dialog = dom::dialog().class(class);
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    effect(move || match (open.get(), node.open()) {
        // By the time the effect runs, the dialog is in the page, unless it was removed before.
        (true, false) if node.is_connected() => {
            before_open();
            let _ = node.show_modal();
        }
        (false, true) => node.close(),
        _ => {}
    });
    dialog.on(ev::close, move |_| on_close())
}

/// Renders a dialog that opens as soon as it is in the page. A click outside closes it too. The browser restores the
/// focus before `on_close` is called.
pub fn modal(class: &str, label: &str, on_close: impl Fn() + 'static) -> El {
    let dialog = dialog_with(class, Signal::stored(true), keep_focus, on_close);
    close_on_backdrop(dialog).attr("aria-label", label)
}

/// Renders a dialog that is shown while `open` is true. A click outside closes it too. `inside` renders its content
/// each time it opens.
pub fn sheet(
    class: &str,
    label: &str,
    open: Signal<bool>,
    on_close: Callback<()>,
    inside: impl Fn() -> El + 'static,
) -> El {
    close_on_backdrop(dialog(class, open, move || on_close.run(())))
        .attr("aria-label", label)
        .child(move || open.get().then(&inside))
}

/// The last row of a dialog: Cancel, and the button that confirms.
pub fn dialog_buttons(on_cancel: impl Fn() + 'static, confirm: El) -> El {
    let cancel = button()
        .class("quiet")
        .child("Cancel")
        .on(ev::click, move |_| on_cancel());
    div().class("buttons").child(cancel).child(confirm)
}

/// Closes a dialog on a press outside of it. The event of the backdrop has the dialog itself as its target, as has that
/// of its scrollbar.
fn close_on_backdrop(dialog: El) -> El {
    let node: HtmlDialogElement = dialog.node().unchecked_into();
    dialog.on(ev::mousedown, move |event| {
        let on_itself = event.target().as_ref() == Some(node.as_ref());
        let bounds = node.get_bounding_client_rect();
        let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
        let is_inside = (bounds.left()..bounds.right()).contains(&x)
            && (bounds.top()..bounds.bottom()).contains(&y);
        if on_itself && !is_inside {
            event.prevent_default();
            node.close();
        }
    })
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
        .attr("aria-label", "Close")
        .child(super::icon::cross())
        .on(ev::click, move |_| dialog.close());
    div().class("top").child(h2().child(title)).child(close)
}
