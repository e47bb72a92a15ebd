//! The headers of a grid's columns.

use lead_workspace_api::SortDir;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::{Grid, px};
use crate::app::components::column_head::movable;
use crate::app::components::dom::{El, button, div, effect, input, span};
use crate::app::model::columns::{CellSlot, ColumnSpec};
use crate::app::reactive::memo;
use crate::review::selection::Cursor;

pub fn id(kind: &str, cell: usize) -> String {
    format!("{kind}-head-{cell}")
}

/// Renders the headers that are shown, in order: the DOM order is the visual order, so that screen readers read the
/// headers in that order. Tracks what they show: they stay while a column is resized.
pub fn headers(kind: &'static str, grid: &Grid) -> impl Fn() -> Vec<El> + 'static {
    let grid = grid.clone();
    let slots = grid.arrangement.slots;
    let shown = memo(move |_| {
        let shown = |slot: &CellSlot| (slot.column, slot.left.is_some());
        slots.with(|slots| slots.iter().map(shown).collect::<Vec<_>>())
    });
    move || {
        shown.with(|_| ());
        let slots = slots.get_untracked();
        let header = |(at, slot): (usize, &CellSlot)| placed(kind, &grid, at, slot);
        slots.iter().enumerate().map(header).collect()
    }
}

/// Renders the header of a slot.
fn placed(kind: &'static str, grid: &Grid, at: usize, slot: &CellSlot) -> El {
    let (slots, cursor) = (grid.arrangement.slots, grid.cursor);
    let header = match slot.column {
        None => checkbox_header(grid),
        Some(column) => movable(header(column, grid), column, &grid.arrangement),
    };
    let is_here = move |cursor: &Cursor| cursor.head && cursor.cell == at;
    let header = header
        .attr("id", id(kind, at))
        .attr("data-active", move || {
            let active = cursor.with(|cursor| cursor.as_ref().is_some_and(is_here));
            active.to_string()
        });
    if slot.left.is_none() {
        return header;
    }
    // Adding a class cannot fail.
    let _ = header.node().class_list().add_1("pinned");
    // Columns before it may become wider.
    let left = move || slots.with(|slots| slots.get(at)?.left);
    header.style("left", move || {
        left().map_or_else(String::new, |left| px(f64::from(left)))
    })
}

fn column_header() -> El {
    div().attr("role", "columnheader")
}

/// Renders the checkbox for the rows in view.
fn checkbox_header(grid: &Grid) -> El {
    let (selected, on_select) = (grid.selected, grid.on_select);
    let input = input()
        .attr("type", "checkbox")
        .attr("tabindex", "-1")
        .attr("aria-label", "Select the rows in view")
        .attr("aria-checked", move || selected.get().to_owned());
    let node: HtmlInputElement = input.node().unchecked_into();
    let show = move || {
        let selected = untrack(|| selected.get());
        node.set_checked(selected == "true");
        node.set_indeterminate(selected == "mixed");
    };
    let show_again = show.clone();
    effect(move || {
        selected.track();
        show();
    });
    column_header().child(input.on(ev::change, move |_| {
        on_select.run(());
        // The browser checked or unchecked it by itself.
        show_again();
    }))
}

fn header(column: &'static ColumnSpec, grid: &Grid) -> El {
    let note = grid
        .note
        .filter(|note| note.with_untracked(|(id, _)| *id == column.id));
    let header = column_header()
        .class(if column.number { "number" } else { "" })
        .attr("title", note.map(|note| move || note.get().1));
    let Some(by) = column.sort else {
        return header.child(span().child(column.label));
    };
    let (sort, on_sort) = (grid.sort, grid.on_sort);
    header
        .attr("aria-sort", move || {
            let direction = match sort.get() {
                (column, SortDir::Asc) if column == by => "ascending",
                (column, SortDir::Desc) if column == by => "descending",
                _ => "none",
            };
            direction.to_owned()
        })
        // The whole header sorts, not only its label.
        .on(ev::click, move |_| on_sort.run(by))
        // Reached with the grid's cursor: for the Tab key, the grid is a single stop.
        .child(
            button()
                .class("")
                .child(column.label)
                .attr("tabindex", "-1"),
        )
}
