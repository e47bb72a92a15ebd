//! What others changed in the list since it was read; see [`ListDrift`].

use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;

use js_sys::Date;
use lead_workspace_api::NewApprovalStatus;
use leptos::prelude::*;

use super::{LeadList, ListedLead};
use crate::app::model::lead_tab::Tab;
use crate::app::model::list_drift::{ListDrift, PlaceOfPage};
use crate::app::model::page_cache::PageCache;
use crate::app::state::spawn;
use crate::client::{CallFailure, Error, ErrorKind};
use crate::review::sorted_ids::SortedIds;

/// What the list does when others change it. Function pointers, because the follower is loaded after the first rows, and so is
/// the code that they point to.
#[derive(Clone, Copy)]
pub struct DriftHooks {
    drift: StoredValue<ListDrift>,
    /// The list is read anew.
    pub reset: fn(LeadList),
    /// Waits until it is known where the rows of a page are.
    pub find_page: fn(LeadList, u64) -> FindPage,
    /// A page was read.
    pub page_read: fn(LeadList, u64),
    /// Returns the ids of loaded rows before an index, which the server's next page may repeat.
    pub rows_before: fn(LeadList, u64) -> SortedIds,
    /// Places the rows of a page that was read.
    pub place: fn(LeadList, u64, u32, Tab, &mut Vec<ListedLead>),
}

type FindPage = Pin<Box<dyn Future<Output = Result<(), Error>>>>;

impl LeadList {
    /// Follows the changes of others from now on.
    pub fn follow_others(self) {
        self.hooks.set_value(Some(DriftHooks {
            drift: StoredValue::new(ListDrift::default()),
            reset: |list| {
                list.drift(|drift| *drift = ListDrift::default());
            },
            find_page: |list, page| Box::pin(list.find_page(page)),
            page_read: |list, page| {
                list.drift(|drift| drift.page_read(page, Date::now() as u64));
            },
            rows_before: Self::rows_before,
            place: Self::place,
        }));
    }

    fn drift<T>(self, of: impl FnOnce(&mut ListDrift) -> T) -> Option<T> {
        self.hooks()?.drift.try_update_value(of)
    }

    /// Others decided on rows. The pages that may have been read at a wrong position are read again when they are in view.
    /// Returns whether some are; see [`read_misplaced`](Self::read_misplaced).
    pub fn rows_decided(self, is_decided: &dyn Fn(&str) -> bool) -> bool {
        // No decision moves a lead out of the tab of all.
        if matches!(self.tab(), None | Some(Tab::All)) {
            return false;
        }
        let Some((first, _)) = self.listing.position(|row| is_decided(&row.lead.id)) else {
            return false;
        };
        let pages = self.listing.pages;
        if let Some(page) = pages.try_with_untracked(|pages| pages.page(first)) {
            self.drift(|drift| drift.row_decided(page, Date::now() as u64));
        }
        let in_view = self.listing.pages_in_view();
        let is_in_view = |page: u64| {
            in_view
                .as_ref()
                .is_some_and(|(pages, _)| pages.contains(&page))
        };
        let taken = self.drift(|drift| drift.take_misplaced(|page| !is_in_view(page)));
        let Some((out_of_view, can_be_read)) = taken else {
            return false;
        };
        if can_be_read {
            self.expire(&out_of_view);
        } else {
            pages.try_maybe_update(|pages| {
                pages.keep(|page, _| !out_of_view.contains(&page));
                (false, ())
            });
        }
        self.drift(|drift| drift.has_misplaced()) == Some(true)
    }

    /// Reads pages in view again that may have been read at a wrong position. If that is not possible, they stay.
    pub fn read_misplaced(self) {
        let taken = self.drift(|drift| drift.take_misplaced(|_| true));
        if let Some((in_view, true)) = taken
            && self.expire(&in_view)
        {
            self.listing.request_missing();
        }
    }

    /// Others changed the list; see [`ListDrift::add`].
    pub fn add_drift(self, has_grown: bool, is_unknown: bool) {
        self.drift(|drift| drift.add(has_grown, is_unknown));
        if !has_grown {
            return;
        }
        // A page may have been read after the list had grown, and before its event.
        let repeated = self
            .listing
            .pages
            .try_with_untracked(|pages| pages.repeated(|row| &row.lead.id));
        if self.expire(&repeated.unwrap_or_default()) {
            self.listing.request_missing();
        }
    }

    /// Marks pages as outdated. Returns whether there are some.
    fn expire(self, outdated: &[u64]) -> bool {
        self.listing.pages.try_maybe_update(|pages| {
            pages.expire(|page| outdated.contains(&page));
            (false, ())
        });
        !outdated.is_empty()
    }

    /// Decisions here were saved. Leads that are not loaded may have come back to the list.
    pub fn on_own_saved(self, saved: &[(Arc<str>, NewApprovalStatus)]) {
        let Some(tab) = self.tab().filter(|tab| *tab != Tab::All) else {
            return;
        };
        let mut back = saved
            .iter()
            .filter(|(_, to)| tab.holds(&(*to).into()))
            .peekable();
        if back.peek().is_none() {
            return;
        }
        let loaded = self.listing.pages.try_with_untracked(|pages| {
            SortedIds::new(pages.rows().map(|(_, row)| Arc::from(&*row.lead.id)))
        });
        if loaded.is_some_and(|loaded| back.any(|(lead, _)| !loaded.has(lead))) {
            self.add_drift(true, false);
        }
    }

    fn tab(self) -> Option<Tab> {
        let view = self.shown.try_get_value().flatten()?;
        Some(view.tab)
    }

    /// Returns the ids of loaded rows before an index, which the server's next page may repeat, because leads may have come
    /// to its list.
    fn rows_before(self, end: u64) -> SortedIds {
        let has_grown = self.drift(|drift| drift.has_grown()) == Some(true);
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

    /// See [`ListDrift::place`].
    fn place(self, first_row: u64, size: u32, tab: Tab, rows: &mut Vec<ListedLead>) {
        let place = PlaceOfPage {
            first_row,
            size,
            is_fresh: self.listing.is_stale(),
        };
        // Copies, because whether a row has left is looked up in the same values.
        let values = (
            self.drift(|drift| drift.clone()),
            self.decided.try_get_value(),
        );
        let (Some(mut drift), Some(mut decided)) = values else {
            return;
        };
        let of = |pages: &PageCache<ListedLead>| {
            drift.place(
                pages,
                &mut decided,
                &place,
                rows,
                |row| &row.lead.id,
                |lead| self.has_left(lead, tab),
            )
        };
        let placed = self
            .listing
            .pages
            .try_with_untracked(of)
            .unwrap_or_default();
        self.drift(|known| *known = drift);
        self.decided.try_set_value(decided);
        self.expire(&placed.repeated);
        if placed.has_moved {
            // The rows of later pages are at other positions.
            let last = first_row + u64::from(size);
            self.listing.pages.try_update(|pages| {
                let next = pages.page(last);
                pages.expire(|page| page >= next);
            });
        }
    }

    /// Reads the list again if it is not known where the rows of a page are. It is not while the page is only prefetched:
    /// rows would move without the user.
    ///
    /// # Errors
    /// If the page is not in view.
    async fn find_page(self, page: u64) -> Result<(), Error> {
        let loses = |pages: &PageCache<ListedLead>| {
            self.drift(|drift| drift.loses(page, pages)) == Some(true)
        };
        let is_lost = self.listing.pages.try_with_untracked(loses) == Some(true);
        if !is_lost || self.listing.is_stale() {
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
