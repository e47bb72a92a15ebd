//! Arranges the cells of a row by their columns.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::dom::{El, effect};
use crate::app::model::columns::CellSlot;

/// Moves, adds and removes the cells of a row whenever its columns change. The cells must be passed in the default
/// order, one for each column. The DOM order follows the visual order, so that screen readers read the cells in that
/// order.
pub fn arranged(row: El, slots: Memo<Vec<CellSlot>>) -> El {
    let node = row.node();
    let children = node.children();
    let cells: Vec<Element> = (0..children.length())
        .filter_map(|at| children.item(at))
        .collect();
    if cells.len() < 2 {
        // The row has one text instead of cells.
        return row;
    }
    let arrange = move |slots: &[CellSlot]| {
        for (at, cell) in cells.iter().enumerate() {
            let Some(slot) = slots.iter().find(|slot| slot.cell == at) else {
                cell.remove();
                continue;
            };
            let style = cell.unchecked_ref::<HtmlElement>().style();
            // Through the CSSOM: the page's CSP forbids style attributes.
            let _ = match slot.left {
                Some(left) => {
                    let left = left.to_string() + "px";
                    cell.class_list()
                        .add_1("pinned")
                        .and(style.set_property("left", &left))
                }
                None => {
                    let gone = style.remove_property("left").map(|_| ());
                    cell.class_list().remove_1("pinned").and(gone)
                }
            };
        }
        for (index, slot) in slots.iter().enumerate() {
            let Some(cell) = cells.get(slot.cell) else {
                continue;
            };
            let there = node.children().item(index as u32);
            // Do not move a cell that is already in place: it may have the focus.
            if there.as_ref() != Some(cell) {
                let _ = node.insert_before(cell, there.as_ref().map(AsRef::as_ref));
            }
        }
    };
    slots.with_untracked(|slots| arrange(slots));
    let first = StoredValue::new(true);
    effect(move || {
        slots.with(|slots| {
            if !first.get_value() {
                arrange(slots);
            }
        });
        first.set_value(false);
    });
    row
}
