//! What the rows of every list have in common: those that are not here, clicks, and the cursor's keys.

use web_sys::KeyboardEvent;

use crate::components::grid::{Hit, Press, Row, missing_row};
use crate::model::selection::{Cursor, Move};
use crate::state::choice::{Choice, Identified};
use crate::state::listing::Listing;

/// A row whose data is not here: on its way, or its page came without it.
pub fn missing(index: u64, cells: usize, came: bool) -> Row {
    let said = came.then_some("This row could not be read, or is not there any more.");
    Row {
        id: None,
        markup: missing_row(index, cells, said),
    }
}

/// A click on a row: the cursor goes there, and a tick ticks.
pub fn press_row<R>(choice: Choice, list: Listing<R>, press: Press)
where
    R: Identified + Clone + Send + Sync + 'static,
{
    let row = list
        .pages
        .with_untracked(|pages| pages.row(press.index).cloned());
    let cursor = Cursor {
        id: row.as_ref().map(|row| row.id().into()),
        index: press.index,
        cell: press.cell,
        head: false,
    };
    choice.cursor.set(Some(cursor));
    let Some(row) = row else { return };
    match (press.hit, press.shift, press.ctrl) {
        (Hit::Control | Hit::Act(_), ..) => {}
        (_, true, _) => choice.range_to(list, press.index),
        (Hit::Tick, ..) | (Hit::Row, _, true) => choice.toggle(&row),
        (Hit::Row, ..) => {}
    }
}

/// The move that a key asks for, by the grid pattern of ARIA. `fit` is how many rows fit the view.
pub fn movement(event: &KeyboardEvent, fit: u64) -> Option<Move> {
    if event.alt_key() || event.meta_key() {
        return None;
    }
    let page = i64::try_from(fit).unwrap_or(1).max(2) - 1;
    Some(match (event.key().as_str(), event.ctrl_key()) {
        ("ArrowDown", false) => Move::Rows(1),
        ("ArrowUp", false) => Move::Rows(-1),
        ("ArrowRight", false) => Move::Cells(1),
        ("ArrowLeft", false) => Move::Cells(-1),
        ("PageDown", false) => Move::Rows(page),
        ("PageUp", false) => Move::Rows(-page),
        ("Home", false) => Move::RowStart,
        ("End", false) => Move::RowEnd,
        ("Home", true) => Move::First,
        ("End", true) => Move::Last,
        _ => return None,
    })
}
