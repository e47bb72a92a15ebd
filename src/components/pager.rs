//! From page to page.

use std::rc::Rc;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;

use super::dom::{Action, El, button, classed, el};
use super::{format, icon};
pub use crate::model::view::Position;
use crate::model::view::SIZES;

/// The pages to offer: the first, the last, those around the current one, and 0 for a gap.
pub fn offered(page: u32, pages: u32) -> Vec<u32> {
    let around = [page.saturating_sub(1), page, page.saturating_add(1)];
    let mut offered = vec![1];
    let mut last = 1;
    let inside = around.into_iter().filter(|number| *number < pages);
    for number in inside.chain([pages]).filter(|number| *number > 1) {
        match number - last {
            0 => continue,
            1 => {}
            // A gap of one page takes as much room as the page itself.
            2 => offered.push(last + 1),
            _ => offered.push(0),
        }
        offered.push(number);
        last = number;
    }
    offered
}

/// Page buttons and the page size.
pub fn pager(
    position: impl Fn() -> Position + Copy + 'static,
    on_page: Action<u32>,
    on_size: Action<u32>,
) -> [El; 2] {
    let step = |label: &str, picture: El, by: i32, is_end: fn(Position) -> bool| {
        classed("button", "quiet")
            .attr("type", "button")
            .attr("aria-label", label)
            .prop_of("disabled", move || is_end(position()).into())
            .el(picture)
            .on("click", {
                let on_page = Rc::clone(&on_page);
                move |_| on_page(untrack(position).page.saturating_add_signed(by))
            })
    };
    let to_page = Rc::clone(&on_page);
    let numbers = move || {
        let Position { page, pages, .. } = position();
        let numbers = offered(page, pages).into_iter().map(|number| match number {
            0 => classed("span", "gap").text("…"),
            number => button("quiet number", &format::number(number.into()))
                .attr("aria-label", &format!("Page {number}"))
                .attr_opt("aria-current", (number == page).then_some("page"))
                .on("click", {
                    let to_page = Rc::clone(&to_page);
                    move |_| to_page(number)
                }),
        });
        Some(classed("span", "numbers").els(numbers))
    };
    let sizes = SIZES.map(|size| {
        el("option")
            .attr("value", &size.to_string())
            .text(&size.to_string())
    });
    let select = el("select").attr("aria-label", "Rows on a page").els(sizes);
    let node: HtmlSelectElement = select.node().unchecked_into();
    let select = select
        .prop_of("value", move || position().size.to_string().into())
        .on("change", move |_| {
            if let Ok(size) = node.value().parse() {
                on_size(size);
            }
        });
    let pages = classed("nav", "pager")
        .attr("aria-label", "Pages")
        .el(step("Previous page", icon::left(), -1, |at| at.page <= 1))
        .el_of(numbers)
        .el(step("Next page", icon::right(), 1, |at| {
            at.page >= at.pages
        }));
    [pages, classed("label", "size").el(select).text(" a page")]
}
