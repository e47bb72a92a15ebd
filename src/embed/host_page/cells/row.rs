//! What the cells of a row show.

use lead_workspace_api::{ApprovalStatus, LeadListItem};

use crate::app::model::columns::ColumnSpec;
use crate::app::model::kept::Kept;
use crate::embed::host_page::slot::SlottedNode;

/// What a cell shows.
pub(super) enum Shown {
    /// A promise is not settled yet.
    Waiting,
    Text(String),
    Node(SlottedNode),
    /// The reason.
    Failed(String),
}

/// The cells of a row. Two rows may have the same lead, if others were inserted before it since the first was read.
pub(super) struct Row {
    pub(super) lead: Kept<LeadListItem>,
    pub(super) status: ApprovalStatus,
    pub(super) cells: Vec<Computed>,
    pub(super) version: u32,
    /// The round of computations in which the row was last rendered.
    pub(super) used: u32,
}

pub(super) struct Computed {
    /// Id of the column.
    pub(super) column: &'static str,
    pub(super) shown: Shown,
    /// Number of the computation. The result of an older one is dropped.
    pub(super) number: u32,
}

impl Row {
    pub(super) fn cell(&self, column: &'static ColumnSpec) -> Option<&Computed> {
        self.cells.iter().find(|cell| cell.column == column.id)
    }

    /// Shows something else in a cell. Returns what it showed: dropping a node may run code of the page, so the caller does
    /// that when nothing is borrowed.
    pub(super) fn show(
        &mut self,
        column: &'static ColumnSpec,
        shown: Shown,
        number: u32,
    ) -> Option<Shown> {
        self.version = self.version.wrapping_add(1);
        let mut cells = self.cells.iter_mut();
        if let Some(cell) = cells.find(|cell| cell.column == column.id) {
            cell.number = number;
            return Some(std::mem::replace(&mut cell.shown, shown));
        }
        self.cells.push(Computed {
            column: column.id,
            shown,
            number,
        });
        None
    }

    /// Has all cells computed again when they are rendered: no computation has the number 0.
    pub(super) fn outdate(&mut self) {
        self.cells.iter_mut().for_each(|cell| cell.number = 0);
    }
}
