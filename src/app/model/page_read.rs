//! Reads a page of a list from the pages of the server while leads are decided and deleted. Pure: pages to request are
//! returned, and responses are passed in.

use super::page_cache::{self, PageAssembly, RowRange};

/// What the position of a page on the server depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageOffset {
    /// How often something was decided here.
    pub made: u64,
    /// Number of decided rows before the page that are no longer in the server's list.
    pub departed: u64,
    /// Number of deleted rows before the page that the server may still have.
    pub deleted: u64,
    /// See [`Deleted::changes`](super::deleted_leads::Deleted::changes).
    pub deletions: u64,
}

/// A page of the screen that is being read.
#[derive(Clone, Debug)]
pub struct PageRead<R> {
    page: u64,
    size: u32,
    offset: PageOffset,
    is_quiet: bool,
    assembly: PageAssembly<R>,
    next: Option<u32>,
    total: Option<u64>,
    has_more: Option<bool>,
}

impl<R> PageRead<R> {
    /// Starts to read a page of `size` rows, counted from 0. `is_fresh`: it replaces all others, and the decided rows among
    /// them. `is_quiet`: it is known that no decision is in flight.
    pub fn new(page: u64, size: u32, offset: PageOffset, is_fresh: bool, is_quiet: bool) -> Self {
        let departed = if is_fresh { 0 } else { offset.departed };
        let range = RowRange::new(page, size, departed, offset.deleted);
        Self {
            page,
            size,
            offset,
            is_quiet,
            assembly: PageAssembly::new(range),
            next: Some(range.page),
            total: None,
            has_more: None,
        }
    }

    pub fn page(&self) -> u64 {
        self.page
    }

    pub fn size(&self) -> u32 {
        self.size
    }

    /// Returns the index of its first row.
    pub fn first_row(&self) -> u64 {
        self.page * u64::from(self.size)
    }

    /// Returns the page of the server to request, counted from 1; `None` if no row is missing.
    pub fn next(&self) -> Option<u32> {
        self.next
    }

    /// Takes the requested page of the server, with the length of the list and whether another page follows, as far as the
    /// server says so. `is_dropped` is called for each row with its index on the screen: it may be deleted, or loaded
    /// already.
    pub fn take(
        &mut self,
        rows: Vec<R>,
        total: Option<u64>,
        has_more: Option<bool>,
        mut is_dropped: impl FnMut(&R, u64) -> bool,
    ) {
        let Some(page) = self.next else { return };
        let (first, is_empty) = (self.first_row(), rows.is_empty());
        self.assembly
            .take(rows, |row, at| is_dropped(row, first + at as u64));
        self.total = total.or(self.total);
        self.has_more = has_more;
        let read = u64::from(page) * u64::from(self.size);
        let is_end = is_empty || self.total.is_some_and(|total| total <= read);
        self.next = (self.assembly.wants_more() && !is_end).then_some(page + 1);
    }

    /// Removes and returns the rows.
    pub fn take_rows(&mut self) -> Vec<R> {
        std::mem::take(&mut self.assembly.rows)
    }

    /// Whether the rows are those of the page. Not if a deletion changed since. Pages after the first also need the same
    /// offset, and no decision in flight at the start: what happens to the rows before them moves them.
    pub fn is_current(&self, now: PageOffset) -> bool {
        let same_deletions = self.offset.deletions == now.deletions;
        same_deletions && (self.page == 0 || self.is_quiet && self.offset == now)
    }

    /// Returns the length of the list on the screen. `shown` rows of the page are shown, `departed` decided rows are no longer
    /// in the server's list, and `deleted` rows of that list are no longer on the screen.
    pub fn total(&self, shown: usize, departed: u64, deleted: u64) -> u64 {
        let seen = self.first_row() + shown as u64;
        let total = self
            .total
            .map(|total| (total + departed).saturating_sub(deleted));
        page_cache::total(total, seen, self.has_more)
    }
}
