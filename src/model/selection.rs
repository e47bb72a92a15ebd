//! Which row the cursor is on, and which are ticked: by id, never by index, so that sorting, filtering
//! and loading again change neither.

use std::collections::BTreeMap;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;

/// Where the cursor is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The row; none where its data is not here yet.
    pub id: Option<Arc<str>>,
    /// Its index in the list when it was last seen.
    pub index: u64,
    /// The cell, from 0.
    pub cell: usize,
    /// Whether it is on the header, above the first row.
    pub head: bool,
}

/// A move of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Rows down, or up.
    Rows(i64),
    /// Cells to the right, or to the left.
    Cells(isize),
    /// The first cell of the row.
    RowStart,
    /// Its last cell.
    RowEnd,
    /// The first row.
    First,
    /// The last row.
    Last,
}

impl Cursor {
    /// The cursor after a move in a list of `rows` rows with `cells` cells each. Its id is not known
    /// before somebody looks at the row.
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

/// What was shown of a row when it was ticked.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// The status of a lead.
    Status(ApprovalStatus),
    /// The score of an account.
    Points(Option<f64>),
}

/// A ticked row.
pub type Ticked = (Arc<str>, Mark);

/// The ticked rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    ids: BTreeMap<Arc<str>, Mark>,
    /// Where a range begins.
    anchor: Option<Arc<str>>,
}

impl Selection {
    /// How many rows are ticked.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether no row is ticked.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Whether a row is ticked.
    pub fn has(&self, id: &str) -> bool {
        self.ids.contains_key(id)
    }

    /// The ticked rows, with what was shown of them.
    pub fn ids(&self) -> impl Iterator<Item = (&Arc<str>, &Mark)> {
        self.ids.iter()
    }

    /// Ticks a row, or takes its tick away. A range begins here.
    pub fn toggle(&mut self, id: &Arc<str>, mark: Mark) {
        if self.ids.remove(id).is_none() {
            self.ids.insert(Arc::clone(id), mark);
        }
        self.anchor = Some(Arc::clone(id));
    }

    /// A range will begin here.
    pub fn anchor_at(&mut self, id: &Arc<str>) {
        self.anchor = Some(Arc::clone(id));
    }

    /// Where a range begins.
    pub fn anchor(&self) -> Option<&Arc<str>> {
        self.anchor.as_ref()
    }

    /// Ticks rows, beside those that are ticked.
    pub fn add(&mut self, ids: impl IntoIterator<Item = Ticked>) {
        self.ids.extend(ids);
    }

    /// A row says something else by now: its tick remembers that.
    pub fn remark(&mut self, id: &str, mark: Mark) {
        if let Some(old) = self.ids.get_mut(id) {
            *old = mark;
        }
    }

    /// Takes the ticks of rows away.
    pub fn drop_all<'a>(&mut self, ids: impl IntoIterator<Item = &'a Arc<str>>) {
        for id in ids {
            self.ids.remove(id);
        }
    }

    /// Takes all ticks away.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.anchor = None;
    }
}
