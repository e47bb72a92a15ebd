//! Column headers: dragging the edge resizes a column, dragging the header moves it.

use std::rc::Rc;
use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, PointerEvent};

use super::dom::{El, i};
use crate::app::model::columns::{CellSlot, ColumnSpec, Columns};
use crate::app::reactive::{Memo, RwSignal, Signal, StoredValue, memo};

/// State and callbacks for arranging the columns of a grid.
#[derive(Clone)]
pub struct ColumnArrangement {
    pub columns: Signal<Columns>,
    /// The visible cells of a row, in column order.
    pub slots: Memo<Vec<CellSlot>>,
    /// Called with the changed columns.
    pub on_columns: Callback<Columns>,
    /// Opens the column menu.
    pub on_menu: Rc<dyn Fn()>,
    /// Id of the column that is being dragged.
    pub dragged: StoredValue<Option<&'static str>>,
    /// The columns while an edge is dragged; `columns` and `slots` follow it.
    pub sizing: RwSignal<Option<Columns>>,
}

/// Returns the value of `grid-template-columns`, and the minimum width of a row in pixels.
///
/// Both are set where they are used, on each row. A CSS variable on the grid would be inherited by all cells, and the
/// browser would recalculate the style of each.
pub fn tracks(arrangement: &ColumnArrangement) -> Memo<(Arc<str>, u32)> {
    let columns = arrangement.columns;
    memo(move |_| {
        let (tracks, min_width) = columns.get().tracks();
        (Arc::from(tracks), min_width)
    })
}

/// Makes a header draggable; a right-click opens the column menu, which offers the same by keyboard.
pub fn movable(header: El, spec: &'static ColumnSpec, arrangement: &ColumnArrangement) -> El {
    let id = spec.id;
    let (dragged, on_menu) = (arrangement.dragged, Rc::clone(&arrangement.on_menu));
    let (columns, on_columns) = (arrangement.columns, arrangement.on_columns);
    let over = header.node();
    let mark = move |on: bool| {
        // Changing a class cannot fail.
        let _ = over.class_list().toggle_with_force("over", on);
    };
    let (unmark, drop_mark) = (mark.clone(), mark.clone());
    header
        .attr("draggable", "true")
        .on(ev::contextmenu, move |event| {
            event.prevent_default();
            on_menu();
        })
        .on(ev::dragstart, move |event| {
            dragged.set_value(Some(id));
            if let Some(data) = event.data_transfer() {
                data.set_effect_allowed("move");
                let _ = data.set_data("text/plain", id);
            }
        })
        .on(ev::dragover, move |event| {
            if dragged.get_value().is_some() {
                event.prevent_default();
                mark(true);
            }
        })
        .on(ev::dragleave, move |_| unmark(false))
        .on(ev::dragend, move |_| dragged.set_value(None))
        .on(ev::drop, move |event| {
            drop_mark(false);
            if let Some(from) = dragged.get_value().filter(|from| *from != id) {
                event.prevent_default();
                on_columns.run(columns.get_untracked().put(from, id));
            }
            dragged.set_value(None);
        })
        .child(edge(id, arrangement))
}

/// Renders the drag handle at the edge of a header. A double click resets the width of the column.
fn edge(id: &'static str, arrangement: &ColumnArrangement) -> El {
    let edge = i().class("edge").attr("aria-hidden", "true");
    let node = edge.node();
    // Pointer position and column width at the start of the drag.
    let from = StoredValue::new(None::<(i32, i32)>);
    let columns = arrangement.columns;
    let wanted = move |event: &PointerEvent| {
        let (x, width) = from.get_value()?;
        Some(u32::try_from(width + event.client_x() - x).unwrap_or_default())
    };
    let header = node.clone();
    let (moved, sizing) = (wanted, arrangement.sizing);
    let on_done = arrangement.on_columns;
    // A header that is removed while its edge is dragged gets no `pointerup`.
    on_cleanup(move || {
        sizing.set(None);
    });
    edge.on(ev::pointerdown, move |event| {
        let Some(header) = node.parent_element() else {
            return;
        };
        // Otherwise the browser would drag the header.
        let _ = header.set_attribute("draggable", "false");
        let width = header.unchecked_ref::<HtmlElement>().offset_width();
        from.set_value(Some((event.client_x(), width)));
        let _ = node.set_pointer_capture(event.pointer_id());
    })
    .on(ev::pointermove, move |event| {
        if let Some(width) = moved(event.unchecked_ref()) {
            sizing.set(Some(columns.get_untracked().dragged(id, width)));
        }
    })
    .on(ev::lostpointercapture, move |_| {
        if let Some(header) = header.parent_element() {
            let _ = header.set_attribute("draggable", "true");
        }
    })
    .on(ev::pointerup, move |event| {
        let wanted = wanted(event.unchecked_ref());
        let begun = from.get_value();
        from.set_value(None);
        if let (Some(width), Some((x, _))) = (wanted, begun)
            && x != event.client_x()
        {
            on_done.run(columns.get_untracked().sized(id, Some(width)));
        }
        sizing.set(None);
    })
    .on(ev::pointercancel, move |_| {
        from.set_value(None);
        sizing.set(None);
    })
    // The header sorts when it is clicked.
    .on(ev::click, |event| event.stop_propagation())
    .on(ev::dblclick, move |_| {
        on_done.run(columns.get_untracked().sized(id, None));
    })
}
