//! The grid: a header to sort by, and a window onto a long list of rows.

use std::ops::Range;
use std::rc::Rc;

use js_sys::Date;
use lead_workspace_api::SortDir;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

pub use self::press::{CellPress, ClickTarget};
use self::scroll::GridScroll;
use super::column_head::{ColumnArrangement, tracks};
use super::dom::{El, div, effect};
use super::grid_row::{GridRow, PlacedRow};
use crate::app::model::columns::Columns;
use crate::app::reactive::{RwSignal, Signal, StoredValue};
use crate::review::selection::Cursor;

mod head;
mod press;
mod scroll;

/// Height of a tile, in pixels.
const TILE: u32 = 88;

/// Inputs and callbacks of a grid.
#[derive(Clone)]
pub struct Grid {
    /// Accessible name.
    pub label: &'static str,
    pub arrangement: ColumnArrangement,
    pub sort: Signal<(&'static str, SortDir)>,
    /// Called with the sort key of the clicked header.
    pub on_sort: Callback<&'static str>,
    /// The id of a column, and its description.
    pub note: Option<Signal<(&'static str, String)>>,
    /// In pixels.
    pub row_height: Signal<u32>,
    /// Returns the row at an index of the list. Its data may not be loaded yet.
    pub row: Rc<dyn Fn(u64) -> GridRow>,
    /// Number of rows in the whole list.
    pub total: Signal<u64>,
    /// Whether rows are being loaded.
    pub busy: Signal<bool>,
    /// Whether no rows have been loaded yet. Then a skeleton is shown.
    pub blank: Signal<bool>,
    /// Identifies the list that is shown. When it changes, the grid scrolls to the top.
    pub query_id: RwSignal<String>,
    pub cursor: RwSignal<Option<Cursor>>,
    /// Index of the row under the pointer; `None` while the rows scroll.
    pub pointed: RwSignal<Option<u64>>,
    /// Index of a row to scroll into view.
    pub reveal: RwSignal<Option<u64>>,
    /// Changes when the grid must take the focus.
    pub focus: RwSignal<u32>,
    /// The rows in view. The initial value is where the list was left.
    pub seen: RwSignal<Range<u64>>,
    /// The value of `query_id` that `seen` belongs to.
    pub seen_query_id: StoredValue<String>,
    /// Width of the view, in pixels.
    pub width: RwSignal<Option<u32>>,
    /// Called with the range of rows in the DOM whenever it changes.
    pub on_rendered_range: Callback<Range<u64>>,
    pub on_press: Callback<CellPress>,
    /// Called for key presses that the grid does not handle itself.
    pub on_key: Callback<KeyboardEvent>,
    /// Whether the rows in view are selected, as the value of `aria-checked`: `mixed` if some rows of the list are.
    pub selected: Signal<&'static str>,
    /// Called for a click on the checkbox in the header.
    pub on_select: Callback<()>,
}

/// Renders a grid over a long list. `kind` is used in the style sheet and in element ids. Rows of the kinds `cards`
/// and `tiles` have no columns; a card is as high as the view.
pub fn grid(kind: &'static str, grid: &Grid) -> El {
    let cards = kind == "cards";
    let tiles = kind == "tiles";
    let (cursor, pointed) = (grid.cursor, grid.pointed);
    let grid_slots = grid.arrangement.slots;
    let slots = (!cards && !tiles).then_some(grid.arrangement.slots);
    let tracks = tracks(&grid.arrangement);
    let heads = head::headers(kind, grid);
    // Cards and tiles are as wide as the view.
    let min_width = move || match slots {
        Some(_) => tracks.with(|(_, min_width)| format!("{min_width}px")),
        None => String::new(),
    };
    let el = div()
        .class("grid")
        .attr("role", "grid")
        .attr("aria-label", grid.label)
        .attr("data-kind", kind)
        .attr("tabindex", "0")
        .attr("aria-multiselectable", "true")
        .attr("data-compact", {
            let columns = grid.arrangement.columns;
            move || columns.with(Columns::is_compact).to_string()
        })
        .attr("aria-colcount", move || {
            grid_slots.with(Vec::len).to_string()
        });
    let head = div()
        .class("head")
        .attr("role", "rowgroup")
        .style("min-width", min_width)
        .child(move || {
            let head = div()
                .class("row")
                .attr("role", "row")
                .attr("aria-rowindex", "1");
            Some(
                head.children(heads())
                    .style("grid-template-columns", move || {
                        tracks.with(|(tracks, _)| tracks.to_string())
                    }),
            )
        });
    let row_height = match tiles {
        true => Signal::derive(|| TILE),
        false => grid.row_height,
    };
    let scroll = GridScroll::attach(&el, &head, grid.width, (!cards).then_some(row_height));
    scroll.begin(grid);
    let drawn_rows = scroll.drawn();
    let (row, row_at) = (Rc::clone(&grid.row), Rc::clone(&grid.row));
    let rows = move || {
        let range = drawn_rows.get();
        let first = range.start;
        let slots = slots.map(|slots| (slots.get(), tracks.get().0));
        let minute = (Date::now() / 60_000.0) as u64;
        let rows = cursor.with(|cursor| {
            let row = |index| {
                let row = row(index);
                PlacedRow {
                    cursor: cursor_in(kind, &row, index, cursor.as_ref()),
                    row,
                    slots: slots.clone(),
                    minute,
                }
            };
            range.map(row).collect()
        });
        (first, rows)
    };
    let (seen, on_rendered_range) = (grid.seen, grid.on_rendered_range);
    effect(move || on_rendered_range.run(drawn_rows.get()));
    let seen_now = scroll.seen();
    effect(move || seen.set(seen_now.get()));
    let (focus, node, whole) = (grid.focus, el.node(), el.node());
    let had = StoredValue::new(focus.get_untracked());
    effect(move || {
        let wanted = focus.get();
        if had.get_value() != wanted {
            had.set_value(wanted);
            press::focus(&node);
        }
    });
    let total = grid.total;
    scroll.watch(grid);
    let (height, offset, height_of) = (scroll.height(), scroll.offset(), scroll.row());
    let blank = grid.blank;
    let body = div()
        .class("body")
        .style("height", move || px(height.get()))
        .child(press::listening(
            div()
                .class("rows")
                .attr("role", "rowgroup")
                .style("translate", move || format!("0 {}", px(offset.get())))
                .style("--card", move || px(height_of.get()))
                .recycled_rows(rows),
            el.node(),
            grid.pointed,
            &grid.on_press,
        ))
        .style("min-width", min_width)
        .child(move || {
            // Skeleton of the first rows.
            blank
                .get()
                .then(|| div().class("skeletons").attr("aria-hidden", "true"))
        });
    let (busy, on_key) = (grid.busy, grid.on_key);
    let (unknown, awaited) = (grid.blank, grid.blank);
    // ARIA: -1 means that the number of rows is unknown.
    el.attr("aria-rowcount", move || match unknown.get() {
        true => "-1".to_owned(),
        false => (total.get() + 1).to_string(),
    })
    .attr("aria-busy", move || {
        (busy.get() || awaited.get()).to_string()
    })
    .attr("aria-activedescendant", move || {
        let range = drawn_rows.get();
        cursor.with(|cursor| match cursor {
            Some(cursor) if cursor.head => head::id(kind, cursor.cell),
            Some(cursor) if range.contains(&cursor.index) => {
                // Its row may have left the list.
                let here = cursor_in(kind, &row_at(cursor.index), cursor.index, Some(cursor));
                here.map_or_else(String::new, |(_, id)| id)
            }
            _ => String::new(),
        })
    })
    .on(ev::scroll, move |_| {
        press::point(pointed, None);
        scroll.scrolled();
    })
    .on(ev::keydown, move |event| {
        if press::is_on_host_control(&event) {
            return;
        }
        let on_head = cursor.with_untracked(|cursor| {
            let cursor = cursor.as_ref().filter(|cursor| cursor.head)?;
            let id = head::id(kind, cursor.cell);
            Some(["#", &id, " :is(button, input)"].concat())
        });
        match (on_head, event.key().as_str()) {
            (Some(button), "Enter" | " ") => {
                event.prevent_default();
                if let Ok(Some(button)) = whole.query_selector(&button) {
                    button.unchecked_into::<HtmlElement>().click();
                }
            }
            _ => on_key.run(event),
        }
    })
    .child(head)
    .child(body)
}

fn px(length: f64) -> String {
    format!("{}px", length as i64)
}

fn cell_id(kind: &str, index: u64, cell: usize) -> String {
    format!("{kind}-{index}-{cell}")
}

/// Returns the cell of the cursor and its id, if the cursor is on the row.
fn cursor_in(
    kind: &str,
    row: &GridRow,
    index: u64,
    cursor: Option<&Cursor>,
) -> Option<(usize, String)> {
    let cursor = cursor.filter(|cursor| !cursor.head)?;
    let is_here = match (&cursor.id, &row.id) {
        (Some(at), Some(id)) => at == id,
        (None, None) => cursor.index == index,
        _ => false,
    };
    is_here.then(|| (cursor.cell, cell_id(kind, index, cursor.cell)))
}
