//! The sort menu for phones, where cards have no column headers.

use std::rc::Rc;

use lead_workspace_api::SortDir;
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;

use crate::app::components::dom::{Action, El, Reader, classed, el};
use crate::app::components::grid::GridColumn;

/// A menu of the columns, and a button that reverses the direction. Calling `on_sort` with the current column
/// reverses the direction.
pub fn sort_menu(
    all: &'static [GridColumn],
    sort: &Reader<(&'static str, SortDir)>,
    on_sort: &Action<&'static str>,
) -> El {
    let (chosen, turned, now) = (Rc::clone(sort), Rc::clone(sort), Rc::clone(sort));
    let (choose, turn) = (Rc::clone(on_sort), Rc::clone(on_sort));
    let columns = move || {
        all.iter()
            .filter_map(|column| Some((column.label, column.sort?)))
    };
    let options = columns().map(|(label, by)| el("option").attr("value", by).text(label));
    let select = el("select").attr("aria-label", "Sort by").els(options);
    let node: HtmlSelectElement = select.node().unchecked_into();
    let select = select
        .prop_of("value", move || chosen().0.into())
        .on("change", move |_| {
            let wanted = node.value();
            if let Some((_, by)) = columns().find(|(_, by)| *by == wanted) {
                choose(by);
            }
        });
    let ascending = move || turned().1 == SortDir::Asc;
    let arrow = ascending.clone();
    let turn_round = classed("button", "quiet")
        .attr("type", "button")
        .attr_of("aria-label", move || {
            if ascending() {
                "Ascending"
            } else {
                "Descending"
            }
            .to_owned()
        })
        .text_of(move || if arrow() { "↑" } else { "↓" }.to_owned())
        .on("click", move |_| turn(now().0));
    classed("div", "sort-menu").el(select).el(turn_round)
}
