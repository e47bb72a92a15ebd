//! Common code for the rows of all lists: missing rows, clicks, actions, cursor keys.

use lead_workspace_api::ApprovalStatus;
use web_sys::KeyboardEvent;

use crate::app::components::decision_cells::RowAction;
use crate::app::components::grid::{CellPress, ClickTarget};
use crate::app::components::grid_row::{GridRow, MissingRow};
use crate::app::model::columns::ColumnSet;
use crate::app::state::AppState;
use crate::app::state::grid_selection::{GridSelection, Selectable};
use crate::app::state::listing::Listing;
use crate::review::selection::{Cursor, Move};

/// A row without data: its page is still loading, or was loaded without it.
pub fn missing(index: u64, columns: ColumnSet, came: bool) -> GridRow {
    let message = came.then_some("This row could not be read or no longer exists.");
    GridRow {
        id: None,
        content: Box::new(MissingRow {
            index,
            columns,
            message,
        }),
    }
}

/// Handles a click on a row: moves the cursor, and selects with the checkbox, Ctrl or Shift.
pub fn press_row<R>(grid_selection: GridSelection, list: Listing<R>, press: CellPress)
where
    R: Selectable + Clone + Send + Sync + 'static,
{
    let row = list
        .pages
        .with_untracked(|pages| pages.row(press.index).cloned());
    match press.shift {
        true => grid_selection.begin_range(list),
        false => grid_selection.end_range(),
    }
    let cursor = Cursor {
        id: row.as_ref().map(|row| row.id().into()),
        index: press.index,
        cell: press.cell,
        head: false,
    };
    grid_selection.cursor.set(Some(cursor));
    let Some(row) = row else { return };
    match (press.hit, press.shift, press.ctrl) {
        (ClickTarget::Control | ClickTarget::Act(_), ..) => {}
        (ClickTarget::Menu(x, y), ..) => grid_selection.menu.set(Some((x, y))),
        (_, true, _) => grid_selection.range_to(list, press.index),
        (ClickTarget::Checkbox, ..) | (ClickTarget::Row, _, true) => grid_selection.toggle(&row),
        (ClickTarget::Row, ..) => {}
    }
}

/// Carries out an action on a lead, which need not be in the loaded list. `status` is its status on the server.
pub fn run_action(
    app: AppState,
    lead: &str,
    status: &ApprovalStatus,
    name: &str,
    action: RowAction,
) {
    match action {
        RowAction::Decide(to) => app.leads.decide(lead, status, name, to),
        RowAction::Retry => app.decisions.retry(Some(&[lead.into()])),
        RowAction::Revert => app.decisions.revert(Some(&[lead.into()])),
    }
}

/// Returns the cursor move of a key, as in the ARIA grid pattern. `fit` is the number of rows that fit the view.
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
