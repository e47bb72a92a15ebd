//! The cells of added columns: of the user's own data and of the host page. Their code is loaded after the first rows.

use std::rc::Rc;

use lead_workspace_api::ApprovalStatus;

use super::lead_list::listed_lead::ListedLead;
use crate::app::model::added_cell::AddedCell;
use crate::app::model::columns::{AddedColumns, ColumnSpec};

/// Computes cells.
pub trait AddedCellSource {
    /// Returns a number that is another one when cells of this lead changed, tracked.
    fn version(&self, row: &ListedLead) -> u32;

    /// Returns the cells of a lead, one for each column. `status` is the status that the list shows.
    fn cells(
        &self,
        row: &ListedLead,
        status: &ApprovalStatus,
        columns: &[&'static ColumnSpec],
    ) -> Vec<AddedCell>;
}

/// The added columns of a list.
#[derive(Clone, Default)]
pub struct Added {
    /// What is known of them.
    pub columns: AddedColumns,
    /// `None` until the code is loaded.
    pub cells: Option<Rc<dyn AddedCellSource>>,
}
