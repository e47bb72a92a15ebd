//! What others changed in the list since it was read; see [`ListDrift`].

use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;

use js_sys::Date;
use lead_workspace_api::{NewApprovalStatus, endpoints};

use super::LeadList;
use super::listed_lead::ListedLead;
use crate::app::model::lead_tab::Tab;
use crate::app::model::list_drift::{ListDrift, PlaceOfPage};
use crate::app::model::page_cache::PageCache;
use crate::app::reactive::StoredValue;
use crate::app::state::spawn;
use crate::client::{Error, ErrorKind, TableRow};
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

    /// Others decided on rows. See [`ListDrift::rows_decided`].
    pub fn rows_decided(self, is_decided: &dyn Fn(&str) -> bool) -> bool {
        // No decision moves a lead out of the tab of all.
        if matches!(self.tab(), None | Some(Tab::All)) {
            return false;
        }
        let Some((first, _)) = self.listing.position(|row| is_decided(&row.lead.id)) else {
            return false;
        };
        let in_view = self.listing.pages_in_view();
        let is_in_view = |page: u64| {
            in_view
                .as_ref()
                .is_some_and(|(pages, _)| pages.contains(&page))
        };
        let now = Date::now() as u64;
        self.drift_of_pages(|drift, pages| drift.rows_decided(first, now, pages, is_in_view))
    }

    /// Reads pages in view again that may have been read at a wrong position. If that is not possible, they stay.
    pub fn read_misplaced(self) {
        if self.drift_of_pages(|drift, pages| drift.expire_misplaced(pages)) {
            self.listing.request_missing();
        }
    }

    /// Others changed the list; see [`ListDrift::add`].
    pub fn add_drift(self, has_grown: bool, is_unknown: bool) {
        let add = |drift: &mut ListDrift, pages: &mut PageCache<ListedLead>| {
            drift.add(has_grown, is_unknown, pages, |row| &row.lead.id)
        };
        if self.drift_of_pages(add) {
            self.listing.request_missing();
        }
    }

    /// Changes the drift, and pages with it. The shown rows stay, so that nothing is rendered again.
    fn drift_of_pages(
        self,
        change: impl FnOnce(&mut ListDrift, &mut PageCache<ListedLead>) -> bool,
    ) -> bool {
        let change =
            |pages: &mut PageCache<ListedLead>| (false, self.drift(|drift| change(drift, pages)));
        let changed = self.listing.pages.try_maybe_update(change);
        changed.flatten() == Some(true)
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

    /// See [`ListDrift::rows_before`].
    fn rows_before(self, end: u64) -> SortedIds {
        let is_fresh = self.listing.is_stale();
        let rows = |pages: &PageCache<ListedLead>| {
            self.drift(|drift| drift.rows_before(end, is_fresh, pages, |row| &row.lead.id))
        };
        let rows = self.listing.pages.try_with_untracked(rows).flatten();
        rows.unwrap_or_default()
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
                |lead| self.presence(lead, tab),
            )
        };
        let placed = self
            .listing
            .pages
            .try_with_untracked(of)
            .unwrap_or_default();
        self.drift(|known| *known = drift);
        self.decided.set_value(decided);
        self.listing.pages.try_maybe_update(|pages| {
            placed.expire(&place, pages);
            (false, ())
        });
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
            let call = TableRow::of::<endpoints::QueryLeads>();
            return Err(call.error(ErrorKind::Argument("the list has changed".to_owned())));
        }
        // Cancels this request.
        spawn(async move { self.refresh() });
        pending().await
    }
}
