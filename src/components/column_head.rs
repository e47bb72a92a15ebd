//! Headers that are dragged: at their edge to size their column, by themselves to move it.

use std::rc::Rc;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, HtmlElement, PointerEvent};

use super::dom::{Action, El, Reader, classed};
use crate::model::columns::{ColumnSpec, Columns, Sheet, Slot};
use crate::signal::{Memo, RwSignal};

/// How the columns of a grid are arranged, and by whom.
#[derive(Clone)]
pub struct Arrangement {
    /// The columns that there are.
    pub sheet: Sheet,
    /// The columns.
    pub columns: Reader<Columns>,
    /// The cells of a row, in their places.
    pub slots: Memo<Vec<Slot>>,
    /// Other columns are wanted.
    pub on_columns: Action<Columns>,
    /// The menu of the columns is wanted.
    pub on_menu: Rc<dyn Fn()>,
    /// The column that is being dragged.
    pub dragged: StoredValue<Option<&'static str>>,
    /// The columns as they are while the edge of one is dragged; `columns` and `slots` follow it.
    pub sizing: RwSignal<Option<Columns>>,
}

/// The columns' widths for `grid-template-columns`, and how wide a row is at least, in pixels. Kept where they are used,
/// on each row: a variable of the grid would be inherited by all cells, and the browser would style all of them anew.
pub fn tracks(arrangement: &Arrangement) -> Memo<(Rc<str>, u32)> {
    let columns = Rc::clone(&arrangement.columns);
    Memo::new(move |_| {
        let (tracks, least) = columns().tracks();
        (Rc::from(tracks), least)
    })
}

/// Has a header dragged, and its menu opened. By keyboard, the menu does the same.
pub fn movable(header: El, spec: &'static ColumnSpec, arrangement: &Arrangement) -> El {
    let id = spec.id;
    let (dragged, on_menu) = (arrangement.dragged, Rc::clone(&arrangement.on_menu));
    let (columns, on_columns) = (
        Rc::clone(&arrangement.columns),
        Rc::clone(&arrangement.on_columns),
    );
    let over = header.node();
    let mark = move |on: bool| {
        // A class always can be set.
        let _ = over.class_list().toggle_with_force("over", on);
    };
    let (unmark, drop_mark) = (mark.clone(), mark.clone());
    header
        .attr("draggable", "true")
        .on("contextmenu", move |event| {
            event.prevent_default();
            on_menu();
        })
        .on("dragstart", move |event| {
            dragged.set_value(Some(id));
            let event: DragEvent = event.unchecked_into();
            if let Some(data) = event.data_transfer() {
                data.set_effect_allowed("move");
                let _ = data.set_data("text/plain", id);
            }
        })
        .on("dragover", move |event| {
            if dragged.get_value().is_some() {
                event.prevent_default();
                mark(true);
            }
        })
        .on("dragleave", move |_| unmark(false))
        .on("dragend", move |_| dragged.set_value(None))
        .on("drop", move |event| {
            drop_mark(false);
            if let Some(from) = dragged.get_value().filter(|from| *from != id) {
                event.prevent_default();
                on_columns(untrack(|| columns()).put(from, id));
            }
            dragged.set_value(None);
        })
        .el(edge(id, arrangement))
}

/// The edge of a header. A double click makes its column as wide as usual.
fn edge(id: &'static str, arrangement: &Arrangement) -> El {
    let edge = classed("i", "edge").attr("aria-hidden", "true");
    let node = edge.node();
    // Where the pointer was, and how wide the column was then.
    let from = StoredValue::new(None::<(i32, i32)>);
    let columns = Rc::clone(&arrangement.columns);
    let wanted = move |event: &PointerEvent| {
        let (x, width) = from.get_value()?;
        let width = u32::try_from(width + event.client_x() - x).unwrap_or_default();
        Some(untrack(|| columns()).sized(id, Some(width)))
    };
    let header = node.clone();
    let (moved, sizing) = (wanted.clone(), arrangement.sizing);
    let on_done = Rc::clone(&arrangement.on_columns);
    let (on_usual, usual) = (Rc::clone(&on_done), Rc::clone(&arrangement.columns));
    // A header that is removed while its edge is dragged gets no pointerup.
    on_cleanup(move || {
        sizing.try_set(None);
    });
    edge.on("pointerdown", move |event| {
        let event: PointerEvent = event.unchecked_into();
        let Some(header) = node.parent_element() else {
            return;
        };
        // Else the header would be dragged.
        let _ = header.set_attribute("draggable", "false");
        let width = header.unchecked_ref::<HtmlElement>().offset_width();
        from.set_value(Some((event.client_x(), width)));
        let _ = node.set_pointer_capture(event.pointer_id());
    })
    .on("pointermove", move |event| {
        if let Some(columns) = moved(event.unchecked_ref()) {
            sizing.set(Some(columns));
        }
    })
    .on("lostpointercapture", move |_| {
        if let Some(header) = header.parent_element() {
            let _ = header.set_attribute("draggable", "true");
        }
    })
    .on("pointerup", move |event| {
        let wanted = wanted(event.unchecked_ref());
        let begun = from.get_value();
        from.set_value(None);
        let event: PointerEvent = event.unchecked_into();
        if let (Some(wanted), Some((x, _))) = (wanted, begun)
            && x != event.client_x()
        {
            on_done(wanted);
        }
        sizing.set(None);
    })
    .on("pointercancel", move |_| {
        from.set_value(None);
        sizing.set(None);
    })
    .on("dblclick", move |_| {
        on_usual(untrack(|| usual()).sized(id, None));
    })
}
