//! Rows of the settings: what is in force, and one form at a time to change it.

use std::rc::Rc;

use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::app::components::dom::{El, button, div, effect, span};
use crate::app::reactive::{RwSignal, StoredValue};

/// The row whose form is open, by its label.
#[derive(Clone, Copy)]
pub struct OpenForm {
    open: RwSignal<Option<&'static str>>,
    /// The row whose button gets the focus when it is rendered again.
    back: StoredValue<Option<&'static str>>,
}

impl OpenForm {
    pub fn new(open: Option<&'static str>) -> Self {
        Self {
            open: RwSignal::new(open),
            back: StoredValue::new(None),
        }
    }

    /// Opens the form of a row, and closes the others.
    pub fn open(self, row: &'static str) {
        self.open.set(Some(row));
    }

    pub fn close(self) {
        self.back.set_value(self.open.get_untracked());
        self.open.set(None);
    }
}

/// Renders a row without a form.
pub fn row(label: &str, value: El) -> El {
    div()
        .class("setting")
        .child(span().class("label").child(label))
        .child(value.attr("class", "value"))
}

/// Renders a row with a form. `value` renders what is in force, `form` the form; its first field gets the focus.
pub fn editable(
    forms: OpenForm,
    label: &'static str,
    verb: &'static str,
    value: impl Fn() -> El + 'static,
    form: impl Fn() -> El + 'static,
) -> El {
    let is_open = move || forms.open.get() == Some(label);
    let form = Rc::new(form);
    let row = div()
        .class("setting")
        .attr("data-open", move || is_open().to_string());
    row.child(span().class("label").child(label))
        .child(move || {
            if is_open() {
                return Some(opened(forms, form()));
            }
            let change = button()
                .class("quiet")
                .child(verb)
                .attr("aria-label", [verb, ": ", label].concat())
                .on(ev::click, move |_| forms.open(label));
            if forms.back.get_value() == Some(label) {
                forms.back.set_value(None);
                focus_later(change.node().unchecked_into());
            }
            let value = value().attr("class", "value");
            Some(div().class("in-force").child(value).child(change))
        })
}

fn opened(forms: OpenForm, form: El) -> El {
    let form = form.on(ev::keydown, move |event| {
        if event.key() == "Escape" && !event.is_composing() {
            event.prevent_default();
            forms.close();
        }
    });
    let node = form.node();
    let find = |what: &str| node.query_selector(what).ok().flatten();
    if let Some(first) = find("[data-first]").or_else(|| find("input:checked")) {
        focus_later(first.unchecked_into());
    }
    form
}

/// Focuses an element that is not in the page yet.
fn focus_later(node: HtmlElement) {
    effect(move || {
        let _ = node.focus();
    });
}

/// Renders the buttons of a form: the one that submits it, others, and Cancel.
pub fn form_buttons(forms: OpenForm, submit: &str, others: Option<El>) -> El {
    let submit = button().class("main").attr("type", "submit").child(submit);
    let cancel = button()
        .class("quiet")
        .child("Cancel")
        .on(ev::click, move |_| forms.close());
    div()
        .class("buttons")
        .child(submit)
        .child(others)
        .child(cancel)
}
