//! Rows of a list that were decided, here or by others, and were still in the server's list when it was read. They stay on the
//! screen, but may have left that list, so that the rows after them are at other positions there. Pure.

use std::ops::Range;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;

use super::lead_tab::Tab;
use crate::review::sorted_ids::SortedIds;

/// Whether a row is still in the server's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    Stays,
    /// It has a decision that is not saved yet, as far as known.
    MayLeave,
    HasLeft,
}

impl Presence {
    /// `known` is the lead's status on the server, as far as known.
    pub fn of(known: Option<&ApprovalStatus>, is_unsaved: bool, tab: Tab) -> Self {
        if known.is_some_and(|known| !tab.holds(known)) {
            Self::HasLeft
        } else if is_unsaved && tab != Tab::All {
            Self::MayLeave
        } else {
            Self::Stays
        }
    }
}

/// The rows with their indexes in the list on the screen.
#[derive(Clone, Debug, Default)]
pub struct DecidedRows(Vec<(u64, Arc<str>)>);

impl DecidedRows {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Stores rows that are not stored yet.
    pub fn add(&mut self, rows: impl Iterator<Item = (u64, Arc<str>)>) {
        let known = SortedIds::new(self.0.iter().map(|(_, id)| Arc::clone(id)));
        self.0.extend(rows.filter(|(_, id)| !known.has(id)));
    }

    /// Counts those before the index `end` that are no longer in the server's list.
    pub fn count_departed(&self, end: u64, has_left: impl Fn(&str) -> bool) -> u64 {
        let departed = |(index, lead): &&(u64, Arc<str>)| *index < end && has_left(lead);
        self.0.iter().filter(departed).count() as u64
    }

    /// A part of the list was read again: forgets its rows that are not on the screen any more.
    pub fn retain_listed(&mut self, part: Range<u64>, rows: &[(u64, Arc<str>)]) {
        let listed = SortedIds::new(rows.iter().map(|(_, id)| Arc::clone(id)));
        self.0
            .retain(|(at, lead)| !part.contains(at) || listed.has(lead));
    }

    /// A page was read of a list that only this reviewer changes. A row that was decided since the read was sent may have left
    /// the list before it. Later pages are requested again until no decision was made meanwhile.
    pub fn page_read(
        &mut self,
        first_row: u64,
        size: u32,
        rows: Vec<(u64, Arc<str>)>,
        presence: impl Fn(&str) -> Presence,
    ) {
        if first_row == 0 {
            self.retain_listed(0..u64::from(size), &rows);
        }
        self.add_departing(rows, presence);
    }

    /// Stores those of a page that have left the list, or may leave it.
    pub fn add_departing(
        &mut self,
        rows: Vec<(u64, Arc<str>)>,
        presence: impl Fn(&str) -> Presence,
    ) {
        let rows = rows.into_iter();
        self.add(rows.filter(|(_, id)| presence(id) != Presence::Stays));
    }

    /// The list was read anew, beginning with these rows: forgets all others, and where they were.
    pub fn list_read(
        &mut self,
        mut rows: Vec<(u64, Arc<str>)>,
        presence: impl Fn(&str) -> Presence,
    ) {
        let known = SortedIds::new(self.0.iter().map(|(_, id)| Arc::clone(id)));
        rows.retain(|(_, id)| known.has(id) || presence(id) != Presence::Stays);
        self.0 = rows;
    }

    /// Moves the rows from an index on.
    pub fn shift(&mut self, from: u64, by: i64) {
        for (index, _) in self.0.iter_mut().filter(|(index, _)| *index >= from) {
            *index = index.saturating_add_signed(by);
        }
    }
}

/// Puts rows that have left the server's list back among those of a page that was read again, each at its index.
pub fn put_back<R>(
    rows: &mut Vec<R>,
    kept: Vec<(u64, R)>,
    first: u64,
    is_same: impl Fn(&R, &R) -> bool,
) {
    for (index, row) in kept {
        if !rows.iter().any(|other| is_same(&row, other)) {
            let at = (index - first) as usize;
            rows.insert(at.min(rows.len()), row);
        }
    }
}
