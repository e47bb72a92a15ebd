//! Active filters as chips, with buttons to edit and remove them.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlElement};

use super::dom::{El, b, button, div, span};
use super::icon;
use crate::app::reactive::Signal;

#[derive(Clone)]
pub struct Chip {
    /// Name of the filtered field.
    pub label: String,
    pub value: String,
    /// The server's error for this filter.
    pub wrong: Option<String>,
    /// Edits the filter; `None` if it cannot be edited.
    pub on_edit: Option<Callback<()>>,
    pub on_remove: Callback<()>,
}

/// Renders the chips. `announced` makes their errors alerts, for pages where nothing else announces them.
///
/// When a chip is removed, the focus moves to the first remaining chip, else to the grid or the dialog around them.
pub fn chips(chips: Signal<Vec<Chip>>, announced: bool) -> El {
    let container = div()
        .class("chips")
        .attr("role", "group")
        .attr("aria-label", "Active filters");
    let node = container.node();
    container.child(move || {
        let chips = chips.get().into_iter().map(|one| {
            let (remove, node) = (one.on_remove, node.clone());
            // Looked up while the chips are still in the page.
            let on_remove = Callback::new(move |()| {
                let around = node.closest("dialog, .page").ok().flatten();
                remove.run(());
                let node = node.clone();
                // The button is removed by then, and the focus would be lost.
                spawn_local(async move { go_on(&node, around) });
            });
            chip(Chip { on_remove, ..one }, announced)
        });
        Some(div().class("few").children(chips))
    })
}

fn go_on(chips: &Element, around: Option<Element>) {
    let next = chips.query_selector(".chip .quiet").ok().flatten();
    let next = next.filter(|_| chips.is_connected());
    // A dialog has no grid, but a header with buttons.
    let other = |what: &str| around.as_ref()?.query_selector(what).ok()?;
    let next = next
        .or_else(|| other(".grid"))
        .or_else(|| other(".sidebar-head button"));
    if let Some(next) = next {
        let _ = next.unchecked_into::<HtmlElement>().focus();
    }
}

fn chip(chip: Chip, announced: bool) -> El {
    let Chip {
        label,
        value,
        wrong,
        on_edit,
        on_remove,
    } = chip;
    let content = match on_edit {
        Some(on_edit) => button()
            .class("label")
            .attr("title", "Change this filter")
            .on(ev::click, move |_| on_edit.run(())),
        None => span().class("label"),
    };
    let content = content
        .child(&label)
        .child(" ")
        .child(b().attr("title", &value).child(&value));
    let remove = button()
        .class("quiet")
        .attr("aria-label", ["Remove ", &label].concat())
        .child(icon::cross())
        .on(ev::click, move |_| on_remove.run(()));
    let wrong_text = wrong.as_ref().map(|wrong| {
        span()
            .class("wrong")
            .attr("role", announced.then_some("alert"))
            .child(wrong)
    });
    span()
        .class("chip")
        .attr("data-wrong", wrong.as_ref().map(|_| ""))
        .child(content)
        .child(wrong_text)
        .child(remove)
}
