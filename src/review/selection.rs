//! Cursor and selected rows. Both are stored by id, not by index, so that sorting, filtering and
//! reloading do not change them.

use std::collections::BTreeSet;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;

use super::sorted_ids::{SortedIds, in_order};

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

/// A selected row, with the view in which it was selected.
#[derive(Clone, Debug, PartialEq)]
struct Selected {
    id: Arc<str>,
    value: SelectedValue,
    view: Arc<str>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Sorted by id. A map would be 2 kB more on the first page.
    rows: Vec<Selected>,
    /// Start of a range.
    anchor: Option<Arc<str>>,
    /// The rows that the range from the anchor added.
    range: Vec<Arc<str>>,
    /// The view that the list shows.
    view: Arc<str>,
}

/// Selected rows that the list does not show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenRows {
    pub ids: Vec<Arc<str>>,
    /// The view in which some of them were selected; `None` if it is the one that the list shows.
    pub view: Option<Arc<str>>,
    /// Whether the whole list is loaded, so that it certainly lacks these rows.
    pub is_certain: bool,
}

impl Selection {
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn has(&self, id: &str) -> bool {
        self.find(id).is_ok()
    }

    /// Returns the selected rows, with what they showed.
    pub fn ids(&self) -> impl Iterator<Item = (&Arc<str>, &SelectedValue)> {
        self.rows.iter().map(|row| (&row.id, &row.value))
    }

    /// Sets the view that the list shows: its tab, search and filters. Returns whether it is another one.
    pub fn set_view(&mut self, view: &str) -> bool {
        let is_other = *self.view != *view;
        if is_other {
            self.view = view.into();
        }
        is_other
    }

    /// Returns the selected rows that the list does not show. While only a part of the list is loaded, these are the
    /// rows that were selected in another view and are not in that part.
    pub fn hidden<'a>(&self, loaded: impl Iterator<Item = &'a str>, is_whole: bool) -> HiddenRows {
        if self.is_empty() {
            return HiddenRows::default();
        }
        let loaded: BTreeSet<&str> = loaded.collect();
        let mut hidden = HiddenRows {
            is_certain: is_whole,
            ..HiddenRows::default()
        };
        for Selected { id, view, .. } in &self.rows {
            let is_other = *view != self.view;
            if (is_whole || is_other) && !loaded.contains(&**id) {
                hidden.ids.push(Arc::clone(id));
                hidden.view = hidden.view.or_else(|| is_other.then(|| Arc::clone(view)));
            }
        }
        hidden
    }

    /// Selects or deselects a row. A range starts here.
    pub fn toggle(&mut self, id: &Arc<str>, value: SelectedValue) {
        match self.find(id) {
            Ok(at) => {
                self.rows.remove(at);
            }
            Err(at) => self.rows.insert(at, self.selected((Arc::clone(id), value))),
        }
        self.anchor_at(Some(id));
    }

    /// Starts a range here; with `None`, the next range starts at the cursor.
    pub fn anchor_at(&mut self, id: Option<&Arc<str>>) {
        self.anchor = id.cloned();
        self.range.clear();
    }

    pub fn anchor(&self) -> Option<&Arc<str>> {
        self.anchor.as_ref()
    }

    /// Adds rows to the selection.
    pub fn add(&mut self, ids: impl IntoIterator<Item = SelectedRow>) {
        let old = self.rows.len();
        for row in ids {
            match self.rows[..old].binary_search_by(|known| known.id.cmp(&row.0)) {
                Ok(at) => self.rows[at] = self.selected(row),
                Err(_) => self.rows.push(self.selected(row)),
            }
        }
        self.rows = in_order(&self.rows, |row| &row.id);
        self.rows.dedup_by(|later, first| later.id == first.id);
    }

    fn selected(&self, (id, value): SelectedRow) -> Selected {
        let view = Arc::clone(&self.view);
        Selected { id, value, view }
    }

    /// Returns the index of a row, or where it would be.
    fn find(&self, id: &str) -> Result<usize, usize> {
        self.rows.binary_search_by(|row| (*row.id).cmp(id))
    }

    /// Selects the rows of a range from the anchor, instead of those that the last range from there added.
    pub fn select_range(&mut self, rows: impl IntoIterator<Item = SelectedRow>) {
        let last = std::mem::take(&mut self.range);
        self.drop_all(&last);
        let new: Vec<SelectedRow> = rows.into_iter().filter(|(id, _)| !self.has(id)).collect();
        self.range = new.iter().map(|(id, _)| Arc::clone(id)).collect();
        self.add(new);
    }

    /// Updates what a selected row shows.
    pub fn update_value(&mut self, id: &str, value: SelectedValue) {
        if let Ok(at) = self.find(id) {
            self.rows[at].value = value;
        }
    }

    /// Deselects rows.
    pub fn drop_all<'a>(&mut self, ids: impl IntoIterator<Item = &'a Arc<str>>) {
        let dropped = SortedIds::new(ids.into_iter().cloned());
        self.rows.retain(|row| !dropped.has(&row.id));
    }

    pub fn clear(&mut self) {
        self.rows.clear();
        self.anchor_at(None);
    }
}
