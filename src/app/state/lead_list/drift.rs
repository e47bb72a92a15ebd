//! What others changed in the list since it was read, so that no lead is skipped or shown twice when more pages are loaded.

use std::future::pending;
use std::ops::Range;
use std::sync::Arc;

use js_sys::Date;
use lead_workspace_api::NewApprovalStatus;
use leptos::prelude::*;

use super::{LeadList, ListedLead};
use crate::app::model::decided_rows::put_back;
use crate::app::model::lead_tab::Tab;
use crate::app::model::page_cache::PageCache;
use crate::app::state::spawn;
use crate::client::{CallFailure, Error, ErrorKind};
use crate::review::sorted_ids::SortedIds;

/// How the server's list differs from the loaded rows, other than by decided rows.
#[derive(Clone, Debug, Default)]
pub(super) struct ListDrift {
    /// Whether leads may have come to it.
    grown: bool,
    /// Whether it is not known which rows have left it.
    unknown: bool,
    /// Whether others changed leads.
    has_changes: bool,
    /// The pages that were read, and when, in milliseconds since 1970.
    read: Vec<(u64, f64)>,
}

/// An event may arrive this many milliseconds later than the change that it tells.
const EVENT_DELAY_MS: f64 = 5_000.0;

impl LeadList {
    /// A page was read.
    pub(super) fn note_read(self, page: u64) {
        let now = Date::now();
        self.drift.try_update_value(|drift| {
            drift
                .read
                .retain(|(of, at)| *of != page && now - *at < EVENT_DELAY_MS);
            drift.read.push((page, now));
        });
    }

    /// Others decided on rows. The pages after them that were read a moment ago may have been read after that, at a wrong
    /// position, so they are read again.
    pub fn expire_recent_pages(self, is_decided: &dyn Fn(&str) -> bool) {
        let now = Date::now();
        let read = self.drift.try_with_value(|drift| drift.read.clone());
        let mut read = read.unwrap_or_default();
        read.retain(|(_, at)| now - *at < EVENT_DELAY_MS);
        let expire = |pages: &mut PageCache<ListedLead>| {
            let first = pages.rows().find(|(_, row)| is_decided(&row.lead.id));
            let first = first.map(|(index, _)| pages.page(index));
            let is_after = |page: &u64| first.is_some_and(|first| *page > first);
            read.retain(|(page, _)| is_after(page));
            pages.expire(|page| read.iter().any(|(of, _)| *of == page));
            (false, !read.is_empty())
        };
        if self.listing.pages.try_maybe_update(expire) == Some(true) {
            self.listing.request_missing();
        }
    }

    /// Rows changed: the pages out of view that have them are read again when they are needed.
    pub fn expire_out_of_view(self, has_changed: &dyn Fn(&str) -> bool) {
        self.listing.forget_recent();
        let shown = self.listing.rendered();
        self.listing.pages.try_maybe_update(|pages| {
            let is_changed = |(index, row): &(u64, &ListedLead)| {
                !shown.contains(index) && has_changed(&row.lead.id)
            };
            let changed = pages.rows().filter(is_changed);
            let changed: Vec<u64> = changed.map(|(index, _)| pages.page(index)).collect();
            let in_view = pages.page(shown.start)..=pages.page(shown.end.max(1) - 1);
            pages.expire(|page| !in_view.contains(&page) && changed.contains(&page));
            (false, ())
        });
    }

    /// The list is read anew.
    pub(super) fn forget_decided(self) {
        self.decided.update_value(|decided| decided.clear());
        self.drift.set_value(ListDrift::default());
    }

    /// Others changed the list. `unknown`: it is not known which rows have left the server's list. Then the list is read
    /// again before more of it is loaded.
    pub fn set_drift(self, grown: bool, unknown: bool) {
        self.drift.try_update_value(|drift| {
            drift.grown |= grown;
            drift.unknown |= unknown;
            drift.has_changes = true;
        });
        if !grown {
            return;
        }
        // A page may have been read after the list had grown, and before its event.
        let expire = |pages: &mut PageCache<ListedLead>| {
            let repeated = pages.repeated(|row| &row.lead.id);
            pages.expire(|page| repeated.contains(&page));
            (false, !repeated.is_empty())
        };
        if self.listing.pages.try_maybe_update(expire) == Some(true) {
            self.listing.request_missing();
        }
    }

    /// A decision here was saved. A lead that is not loaded may have come back to the list.
    pub fn on_own_saved(self, lead: &str, to: NewApprovalStatus) {
        let tab = self
            .shown
            .try_with_value(|view| view.as_ref().map(|view| view.tab));
        let is_here = tab.flatten().is_some_and(|tab| tab.holds(&to.into()));
        if is_here && self.listing.position(|row| row.lead.id == lead).is_none() {
            self.set_drift(true, false);
        }
    }

    /// Returns the ids of loaded rows before an index, which the server's next page may repeat, because leads may have come
    /// to its list.
    pub(super) fn rows_before(self, end: u64) -> SortedIds {
        let has_grown = self.drift.try_with_value(|drift| drift.grown) == Some(true);
        let mut ids = Vec::new();
        // Pages that replace all others repeat nothing.
        if has_grown && !self.listing.is_stale() {
            self.listing.pages.try_with_untracked(|pages| {
                let rows = pages.rows().take_while(|(index, _)| *index < end);
                ids.extend(rows.map(|(_, row)| Arc::from(&*row.lead.id)));
            });
        }
        SortedIds::new(ids)
    }

    /// A page was read. Returns whether a loaded page has other rows now, so that those of later pages are at other
    /// positions.
    ///
    /// Decided rows that are not on the screen any more are forgotten. If others change the list, those that have left the
    /// server's list since it was read stay where they are on the screen.
    pub(super) fn place_decided(
        self,
        first_row: u64,
        size: u32,
        tab: Tab,
        rows: &mut Vec<ListedLead>,
    ) -> bool {
        let is_fresh = self.listing.is_stale();
        let range = first_row..first_row + u64::from(size);
        let has_changes = self.drift.try_with_value(|drift| drift.has_changes) == Some(true);
        let listed = |rows: &[ListedLead]| -> Vec<(u64, Arc<str>)> {
            let ids = rows.iter().map(|row| Arc::from(&*row.lead.id));
            (first_row..).zip(ids).collect()
        };
        if !has_changes {
            if first_row == 0 {
                let listed = listed(rows);
                self.decided
                    .try_update_value(|decided| decided.retain_listed(range, &listed));
            }
            return false;
        }
        if !is_fresh {
            let mut kept = Vec::new();
            self.listing.pages.try_with_untracked(|pages| {
                let here = pages.rows().filter(|(index, _)| range.contains(index));
                let left = here.filter(|(_, row)| self.has_left(&row.lead.id, tab));
                kept.extend(left.map(|(index, row)| (index, row.clone())));
            });
            let is_fuller = !kept.is_empty();
            put_back(rows, kept, first_row, |one, other| {
                one.lead.id == other.lead.id
            });
            if is_fuller {
                rows.truncate(size as usize);
            }
        }
        let has_moved = !is_fresh
            && self.listing.pages.try_with_untracked(|pages| {
                let mut before = pages
                    .rows()
                    .filter(|(index, _)| range.contains(index))
                    .peekable();
                before.peek().is_some()
                    && !before
                        .map(|(_, row)| &row.lead.id)
                        .eq(rows.iter().map(|row| &row.lead.id))
            }) == Some(true);
        let listed = listed(rows);
        self.decided.try_update_value(|decided| {
            match is_fresh {
                true => decided.relocate(&listed),
                false => decided.retain_listed(range.clone(), &listed),
            }
            // Others may have decided on some since the read was sent.
            decided.add(listed.into_iter().filter(|(_, id)| self.has_left(id, tab)));
        });
        if !is_fresh {
            self.expire_repeated(range, rows);
        }
        has_moved
    }

    /// Rows of a page are on other pages, too: these were read before a change whose event has not arrived, or never says
    /// so. Once for each event, because a list that is read anew has none.
    fn expire_repeated(self, range: Range<u64>, rows: &[ListedLead]) {
        let ids = SortedIds::new(rows.iter().map(|row| Arc::from(&*row.lead.id)));
        let expire = |pages: &mut PageCache<ListedLead>| {
            let others = pages.rows().filter(|(index, _)| !range.contains(index));
            let others = others.filter(|(_, row)| ids.has(&row.lead.id));
            let repeated: Vec<u64> = others.map(|(index, _)| pages.page(index)).collect();
            pages.expire(|page| repeated.contains(&page));
            (false, !repeated.is_empty())
        };
        if self.listing.pages.try_maybe_update(expire) == Some(true) {
            self.drift.try_update_value(|drift| drift.unknown = true);
        }
    }

    /// Reads the list again if it is not known where the rows of a page are. It is not while the page is only prefetched:
    /// rows would move without the user.
    ///
    /// # Errors
    /// If the page is not in view.
    pub(super) async fn wait_for_known_rows(self, page: u64) -> Result<(), Error> {
        let drift = self
            .drift
            .try_with_value(|drift| (drift.unknown, drift.grown));
        let (unknown, grown) = drift.unwrap_or_default();
        let can_append = |pages: &PageCache<ListedLead>| pages.can_append(page);
        let is_unknown =
            unknown || grown && self.listing.pages.try_with_untracked(can_append) == Some(false);
        if !is_unknown || self.listing.is_stale() {
            return Ok(());
        }
        if !self.listing.is_in_view(page) {
            return Err(Error::from(CallFailure {
                kind: ErrorKind::Argument("The list has changed".to_owned()),
                operation: "query_leads",
                writes: false,
                status: None,
                request_id: None,
                retry_after: None,
                ambiguous: false,
                attempts: 0,
            }));
        }
        // Cancels this request.
        spawn(async move { self.refresh() });
        pending().await
    }
}
