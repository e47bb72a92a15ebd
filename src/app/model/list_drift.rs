//! What others changed in a list since it was read, so that no lead is skipped or shown twice when more pages are loaded.
//! Pure.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::decided_rows::{DecidedRows, Presence, put_back};
use super::page_cache::PageCache;
use crate::review::sorted_ids::SortedIds;

/// An event may arrive this many milliseconds later than the change that it reports.
const EVENT_DELAY_MS: u64 = 5_000;

/// How the server's list differs from the loaded rows, other than by decided rows.
#[derive(Clone, Debug, Default)]
pub struct ListDrift {
    /// Whether others changed leads.
    has_changes: bool,
    has_grown: bool,
    is_unknown: bool,
    /// The pages that were read lately, and when, in milliseconds since 1970.
    read: Vec<(u64, u64)>,
    /// Pages that may have been read at a wrong position.
    misplaced: BTreeSet<u64>,
}

/// The place of a page that was read.
#[derive(Clone, Debug)]
pub struct PlaceOfPage {
    pub first_row: u64,
    /// Rows on a page.
    pub size: u32,
    /// Whether the list was read anew, so that the page replaces all others.
    pub is_fresh: bool,
}

impl PlaceOfPage {
    fn range(&self) -> Range<u64> {
        self.first_row..self.first_row + u64::from(self.size)
    }
}

/// What a page that was read does to the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    /// Whether the page has other rows than before, so that those of later pages are at other positions.
    pub has_moved: bool,
    /// The other pages with rows of this one. They were read before a change whose event has not arrived.
    pub repeated: Vec<u64>,
}

impl Placed {
    /// Marks the other pages as outdated whose rows are at other positions.
    pub fn expire<R>(&self, place: &PlaceOfPage, pages: &mut PageCache<R>) {
        let next = pages.page(place.range().end);
        let is_moved = |page| self.has_moved && page >= next;
        pages.expire(|page| self.repeated.contains(&page) || is_moved(page));
    }
}

/// Marks pages as outdated. Returns whether there are some.
fn expire<R>(pages: &mut PageCache<R>, outdated: &[u64]) -> bool {
    pages.expire(|page| outdated.contains(&page));
    !outdated.is_empty()
}

impl ListDrift {
    /// Whether leads may have come to the server's list, so that its next page may repeat loaded rows.
    pub fn has_grown(&self) -> bool {
        self.has_grown
    }

    /// Others changed leads. `has_grown`: some may have come to the list. `is_unknown`: it is not known which rows have left
    /// it. Then it is read again before more of it is loaded. Marks the pages as outdated that may have been read after the
    /// list had grown, and before its event, and returns whether there are some.
    pub fn add<R>(
        &mut self,
        has_grown: bool,
        is_unknown: bool,
        pages: &mut PageCache<R>,
        id: impl Fn(&R) -> &str,
    ) -> bool {
        self.has_changes = true;
        self.has_grown |= has_grown;
        self.is_unknown |= is_unknown;
        has_grown && expire(pages, &pages.repeated(id))
    }

    /// Returns the ids of loaded rows before an index, which the server's next page may repeat, because leads may have come to
    /// its list. None if the page replaces all others (`is_fresh`).
    pub fn rows_before<R>(
        &self,
        end: u64,
        is_fresh: bool,
        pages: &PageCache<R>,
        id: impl Fn(&R) -> &str,
    ) -> SortedIds {
        let mut ids = Vec::new();
        if self.has_grown && !is_fresh {
            let rows = pages.rows().take_while(|(index, _)| *index < end);
            ids.extend(rows.map(|(_, row)| Arc::from(id(row))));
        }
        SortedIds::new(ids)
    }

    /// Whether it is not known where the rows of a page are in the server's list.
    pub fn loses<R>(&self, page: u64, pages: &PageCache<R>) -> bool {
        self.is_unknown || self.has_grown && !pages.can_append(page)
    }

    /// A page was read.
    pub fn page_read(&mut self, page: u64, now: u64) {
        self.read
            .retain(|(of, at)| *of != page && now < *at + EVENT_DELAY_MS);
        self.read.push((page, now));
    }

    /// Others decided on rows; `first` is the index of the first one. Later pages that were read a moment ago may have been
    /// read after these decisions, at a wrong position. Those out of view are read again when they come into view. Returns
    /// whether some are in view; see [`expire_misplaced`](Self::expire_misplaced).
    pub fn rows_decided<R>(
        &mut self,
        first: u64,
        now: u64,
        pages: &mut PageCache<R>,
        is_in_view: impl Fn(u64) -> bool,
    ) -> bool {
        let page = pages.page(first);
        let read = self.read.iter();
        let lately = read.filter(|(of, at)| *of > page && now < *at + EVENT_DELAY_MS);
        self.misplaced.extend(lately.map(|(of, _)| *of));
        let out_of_view = self.take_misplaced(|page| !is_in_view(page));
        if self.can_read_alone() {
            expire(pages, &out_of_view);
        } else {
            pages.keep(|page, _| !out_of_view.contains(&page));
        }
        !self.misplaced.is_empty()
    }

    /// Marks pages as outdated that may have been read at a wrong position. If they cannot be read again alone, they stay.
    /// Returns whether there are some.
    pub fn expire_misplaced<R>(&mut self, pages: &mut PageCache<R>) -> bool {
        let misplaced = self.take_misplaced(|_| true);
        self.can_read_alone() && expire(pages, &misplaced)
    }

    /// Whether one page can be read again without the others.
    fn can_read_alone(&self) -> bool {
        !self.is_unknown && !self.has_grown
    }

    fn take_misplaced(&mut self, is_wanted: impl Fn(u64) -> bool) -> Vec<u64> {
        let wanted = self.misplaced.iter().copied();
        let wanted: Vec<u64> = wanted.filter(|page| is_wanted(*page)).collect();
        self.misplaced.retain(|page| !wanted.contains(page));
        wanted
    }

    /// Places the rows of a page that was read among those that are loaded.
    ///
    /// Decided rows that are not on the screen any more are forgotten. If others change the list, those that have left the
    /// server's list since it was read stay where they are on the screen. Those with a decision that is not saved yet may leave
    /// it later.
    pub fn place<R: Clone>(
        &mut self,
        pages: &PageCache<R>,
        decided: &mut DecidedRows,
        place: &PlaceOfPage,
        rows: &mut Vec<R>,
        id: impl Fn(&R) -> &str,
        presence: impl Fn(&str) -> Presence,
    ) -> Placed {
        let listed = |rows: &[R]| -> Vec<(u64, Arc<str>)> {
            let ids = rows.iter().map(|row| Arc::from(id(row)));
            (place.first_row..).zip(ids).collect()
        };
        if place.is_fresh {
            decided.list_read(listed(rows), presence);
            return Placed::default();
        }
        if !self.has_changes {
            decided.page_read(place.first_row, place.size, listed(rows), presence);
            return Placed::default();
        }
        let range = place.range();
        let here = || pages.rows().filter(|(index, _)| range.contains(index));
        let kept = here().filter(|(_, row)| presence(id(row)) == Presence::HasLeft);
        let kept: Vec<(u64, R)> = kept.map(|(index, row)| (index, row.clone())).collect();
        if !kept.is_empty() {
            put_back(rows, kept, place.first_row, |one, other| {
                id(one) == id(other)
            });
            rows.truncate(place.size as usize);
        }
        let is_loaded = here().next().is_some();
        let is_same = here().map(|(_, row)| id(row)).eq(rows.iter().map(&id));
        let listed = listed(rows);
        decided.retain_listed(range.clone(), &listed);
        let ids = SortedIds::new(listed.iter().map(|(_, lead)| Arc::clone(lead)));
        // Others may have decided on some since the read was sent.
        decided.add_departing(listed, presence);
        let others = pages.rows().filter(|(index, _)| !range.contains(index));
        let others = others.filter(|(_, row)| ids.has(id(row)));
        let mut repeated: Vec<u64> = others.map(|(index, _)| pages.page(index)).collect();
        repeated.dedup();
        self.is_unknown |= !repeated.is_empty();
        Placed {
            has_moved: is_loaded && !is_same,
            repeated,
        }
    }
}
