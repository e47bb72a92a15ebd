//! Cursor and selected rows. Both are stored by id, not by index, so that sorting, filtering and
//! reloading do not change them.

use std::collections::BTreeMap;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;

/// Position of the cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Id of the row; `None` if its data is not loaded.
    pub id: Option<Arc<str>>,
    /// Last known index of the row in the list.
    pub index: u64,
    /// Index of the cell.
    pub cell: usize,
    /// Whether it is on the header, above the first row.
    pub head: bool,
}

/// A move of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Rows down; negative for up.
    Rows(i64),
    /// Cells to the right; negative for left.
    Cells(isize),
    /// First cell of the row.
    RowStart,
    /// Last cell of the row.
    RowEnd,
    First,
    Last,
}

impl Cursor {
    /// Returns the cursor after a move in a list of `rows` rows with `cells` cells each. If the row
    /// changes, the id is `None` until the caller looks the row up.
    #[must_use]
    pub fn moved(&self, by: Move, rows: u64, cells: usize) -> Self {
        let last_row = rows.saturating_sub(1);
        let last_cell = cells.saturating_sub(1);
        let here = self.index.min(last_row);
        let (index, head) = match by {
            Move::Rows(by) if self.head => {
                let down = by.max(0) - 1;
                (here.saturating_add_signed(down.max(0)), by < 1)
            }
            Move::Rows(by) => (here.saturating_add_signed(by), by < 0 && here == 0),
            Move::First => (0, false),
            Move::Last => (last_row, false),
            _ => (here, self.head),
        };
        let index = index.min(last_row);
        let cell = match by {
            Move::Cells(by) => self.cell.saturating_add_signed(by),
            Move::RowStart => 0,
            Move::RowEnd => last_cell,
            _ => self.cell,
        };
        let stays = index == self.index;
        Self {
            id: self.id.clone().filter(|_| stays),
            index,
            cell: cell.min(last_cell),
            head,
        }
    }
}

/// What a row showed when it was selected.
#[derive(Clone, Debug, PartialEq)]
pub enum SelectedValue {
    /// Status of a lead.
    Status(ApprovalStatus),
    /// Score of an account.
    Points(Option<f64>),
}

/// A selected row.
pub type SelectedRow = (Arc<str>, SelectedValue);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    ids: BTreeMap<Arc<str>, SelectedValue>,
    /// Start of a range.
    anchor: Option<Arc<str>>,
}

impl Selection {
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub fn has(&self, id: &str) -> bool {
        self.ids.contains_key(id)
    }

    /// Returns the selected rows, with what they showed.
    pub fn ids(&self) -> impl Iterator<Item = (&Arc<str>, &SelectedValue)> {
        self.ids.iter()
    }

    /// Selects or deselects a row. A range starts here.
    pub fn toggle(&mut self, id: &Arc<str>, value: SelectedValue) {
        if self.ids.remove(id).is_none() {
            self.ids.insert(Arc::clone(id), value);
        }
        self.anchor = Some(Arc::clone(id));
    }

    /// Starts a range here.
    pub fn anchor_at(&mut self, id: &Arc<str>) {
        self.anchor = Some(Arc::clone(id));
    }

    pub fn anchor(&self) -> Option<&Arc<str>> {
        self.anchor.as_ref()
    }

    /// Adds rows to the selection.
    pub fn add(&mut self, ids: impl IntoIterator<Item = SelectedRow>) {
        self.ids.extend(ids);
    }

    /// Updates what a selected row shows.
    pub fn update_value(&mut self, id: &str, value: SelectedValue) {
        if let Some(old) = self.ids.get_mut(id) {
            *old = value;
        }
    }

    /// Deselects rows.
    pub fn drop_all<'a>(&mut self, ids: impl IntoIterator<Item = &'a Arc<str>>) {
        for id in ids {
            self.ids.remove(id);
        }
    }

    pub fn clear(&mut self) {
        self.ids.clear();
        self.anchor = None;
    }
}
