//! The lead list: rows, cursor and selection.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::LeadListItem;

use self::drift::DriftHooks;
use self::listed_lead::ListedLead;
use super::decisions::Decisions;
use super::grid_selection::GridSelection;
use super::listing::{Listing, Loading, PageResult};
use super::session::Session;
use super::suggestions::Suggestions;
use crate::app::model::decided_rows::{DecidedRows, Presence};
use crate::app::model::deleted_leads::{Deleted, RowCheck};
#[cfg(feature = "embed")]
use crate::app::model::kept::Kept;
use crate::app::model::lead::LeadItem;
use crate::app::model::lead_tab::Tab;
use crate::app::model::page_cache::PageCache;
use crate::app::model::page_read::{PageOffset, PageRead};
use crate::app::model::view::LeadsView;
use crate::app::reactive::{RwSignal, StoredValue};
use crate::client::{Client, Error};

mod decide;
mod deleted_rows;
pub mod drift;
pub mod listed_lead;
pub mod reread;

/// How often a page is requested again because of decisions and deletions that were made meanwhile.
const MAX_REPEATS: usize = 8;

/// A page that was read, and is not placed on the screen yet.
struct ReadPage {
    page: PageRead<LeadListItem>,
    rows: Vec<ListedLead>,
    /// Number of rows that could not be decoded.
    unreadable: usize,
    /// When the read was sent.
    sent: u64,
    /// Number of decided rows that were not in the server's list when the page had arrived.
    departed: u64,
}

#[derive(Clone, Copy)]
pub struct LeadList {
    pub listing: Listing<ListedLead>,
    pub grid_selection: GridSelection,
    /// The id of the account whose leads are being selected.
    pub selecting_company: RwSignal<Option<Arc<str>>>,
    /// Whether a host page has columns, which need the leads as the server sent them.
    #[cfg(feature = "embed")]
    pub keeps_items: StoredValue<bool>,
    decisions: Decisions,
    session: Session,
    suggestions: Suggestions,
    shown: StoredValue<Option<Rc<LeadsView>>>,
    /// Decided rows, here or by others. They stay in the list here, but may have left the server's list.
    decided: StoredValue<DecidedRows>,
    /// Set once the changes of others are followed.
    hooks: StoredValue<Option<DriftHooks>>,
    /// [`Decisions::made`] when the list was loaded.
    made: StoredValue<u64>,
}

impl LeadList {
    pub fn start(session: Session, decisions: Decisions, suggestions: Suggestions) -> Self {
        let listing = Listing::start();
        decisions.register_status_lookup(Rc::new(move |lead| {
            listing
                .find(|row: &ListedLead| row.lead.id == lead)
                .map(|row| row.status)
        }));
        Self {
            listing,
            grid_selection: GridSelection::start(),
            selecting_company: RwSignal::new(None),
            #[cfg(feature = "embed")]
            keeps_items: StoredValue::new(false),
            decisions,
            session,
            suggestions,
            shown: StoredValue::new(None),
            decided: StoredValue::new(DecidedRows::default()),
            hooks: StoredValue::new(None),
            made: StoredValue::new(0),
        }
    }

    /// Loads a view in pages of `size` rows.
    pub fn load(self, client: Client, view: &LeadsView, size: u32) {
        self.forget_decided();
        let (view, client_of_pages) = (Rc::new(view.clone()), client.clone());
        let before = self.shown.get_value();
        self.decisions
            .deleted
            .update(|deleted| deleted.list_changed(before.as_deref(), &view));
        self.shown.set_value(Some(Rc::clone(&view)));
        let made = self.decisions.made();
        if made != self.made.get_value() {
            self.made.set_value(made);
            // Other tabs lack what was decided in this one.
            let tab = before.map(|before| before.tab);
            self.listing
                .keep_recent(|query| tab.is_some_and(|tab| query.starts_with(tab.as_str())));
        }
        let ordered = self.suggestions.ordered_pages(&client, &view, size);
        let (of, tab) = (Rc::clone(&view), view.tab);
        // A list that is ordered here may be only the first part of the tab.
        let whole = view.is_whole() && ordered.is_none();
        let order = if ordered.is_some() { "likeliest?" } else { "?" };
        let query = [tab.as_str(), order, &view.to_query()].concat();
        if ordered.is_some() {
            // The order depends on what was learned since.
            self.listing.keep_recent(|recent| *recent != query);
        }
        let loading = Loading {
            size,
            query,
            is_gone: &|row: &ListedLead| self.has_left(&row.lead.id, tab),
        };
        self.listing.load(
            loading,
            ordered.unwrap_or_else(|| {
                Rc::new(move |page| {
                    let (client, view) = (client_of_pages.clone(), Rc::clone(&of));
                    Box::pin(async move { self.request_page(&client, &view, page, size).await })
                })
            }),
            Rc::new(move |response| match response {
                Ok(page_rows) => {
                    let departed = self.count_departed_before(u64::MAX);
                    let listed = page_rows.total - departed.min(page_rows.total);
                    self.decisions
                        .counts
                        .try_update(|counts| counts.set_listed(tab, listed, whole));
                }
                Err(error) => self.session.check_key(error),
            }),
        );
    }

    /// Reloads the list and the counts. The scroll position is kept.
    pub fn refresh(self) {
        self.decisions.has_tab_counts.set_value(false);
        self.forget_decided();
        if let Some(view) = self.shown.get_value() {
            self.decisions
                .deleted
                .update(|deleted| deleted.list_changed(Some(&view), &view));
        }
        let is_ordered = self.suggestions.is_ordered;
        if is_ordered.get_untracked() {
            // Loads the leads to order again.
            is_ordered.set(true);
        } else {
            self.listing.reload();
        }
    }

    /// Requests a page. It is requested again if decisions or deletions moved its rows meanwhile; see [`PageRead::is_current`].
    async fn request_page(
        self,
        client: &Client,
        view: &LeadsView,
        page: u64,
        size: u32,
    ) -> Result<PageResult<ListedLead>, Error> {
        let mut repeats = 0;
        loop {
            self.wait_for_deletions().await;
            let is_quiet = !self.may_move(page) || self.decisions.wait_for_open_decisions().await;
            if let Some(hooks) = self.hooks() {
                (hooks.find_page)(self, page).await?;
            }
            let read = self.read_page(client, view, page, size, is_quiet).await?;
            if let Some(hooks) = self.hooks() {
                (hooks.page_read)(self, page);
            }
            let offset = self.offset(read.page.first_row(), read.sent);
            if repeats == MAX_REPEATS || read.page.is_current(offset) {
                return Ok(self.place_page(read, view.tab));
            }
            repeats += 1;
        }
    }

    /// Whether rows before a page may leave the server's list, because of decisions here.
    fn may_move(self, page: u64) -> bool {
        let is_loaded = |pages: &PageCache<ListedLead>| pages.is_loaded_before(page);
        let is_known = !self.listing.is_stale()
            && self.listing.pages.try_with_untracked(is_loaded) == Some(true);
        self.record_leaving();
        page > 0 && !(is_known && self.decided.with_value(DecidedRows::is_empty))
    }

    /// Reads a page. Its rows are not placed among those on the screen yet. `is_quiet`: it is known that no decision is in
    /// flight.
    async fn read_page(
        self,
        client: &Client,
        view: &LeadsView,
        page: u64,
        size: u32,
        is_quiet: bool,
    ) -> Result<ReadPage, Error> {
        let first_row = page * u64::from(size);
        let sent = self.decisions.start_read();
        let (offset, is_fresh) = (self.offset(first_row, sent), self.listing.is_stale());
        let mut read = PageRead::new(page, size, offset, is_fresh, is_quiet);
        let mut unreadable = 0;
        while let Some(from) = read.next() {
            let response = client.query_leads(&view.query(from, size)).await?;
            unreadable += response.lost();
            let repeated = self
                .hooks()
                .map(|hooks| (hooks.rows_before)(self, first_row));
            let (total, has_more) = (response.total, response.has_more);
            let is_current = read.is_current(self.offset(first_row, sent));
            let mut has_new_deletion = false;
            read.take(response.data, total, has_more, |item, index| {
                let Some(id) = &item.lead_id else {
                    return false;
                };
                let index = is_current.then_some(index);
                let check_row =
                    |deleted: &mut Deleted| (false, deleted.check_row(id.as_str(), index, sent));
                let checked = self.decisions.deleted.try_maybe_update(check_row);
                has_new_deletion |= checked == Some(RowCheck::News);
                repeated.as_ref().is_some_and(|ids| ids.has(id.as_str()))
                    || !matches!(checked, None | Some(RowCheck::Other))
            });
            // Those of an older query are replaced anyway.
            if has_new_deletion && !self.listing.is_stale() {
                self.drop_pages_after(page);
                self.listing.request_missing();
            }
        }
        let departed = self.count_departed_before(u64::MAX);
        let rows = self.rows(read.take_rows(), sent);
        Ok(ReadPage {
            page: read,
            rows,
            unreadable,
            sent,
            departed,
        })
    }

    /// Places a page that was read among those on the screen.
    fn place_page(self, read: ReadPage, tab: Tab) -> PageResult<ListedLead> {
        let ReadPage { page, mut rows, .. } = read;
        let (first_row, size) = (page.first_row(), page.size());
        // They were in the list that was read, whose length counts them.
        let listed = rows.iter().filter(|row| self.has_left(&row.lead.id, tab));
        let listed = listed.count() as u64;
        if let Some(hooks) = self.hooks() {
            (hooks.place)(self, first_row, size, tab, &mut rows);
        } else {
            let ids = rows.iter().map(|row| Arc::from(&*row.lead.id));
            let listed: Vec<(u64, Arc<str>)> = (first_row..).zip(ids).collect();
            let is_fresh = self.listing.is_stale();
            let presence = |lead: &str| self.presence(lead, tab);
            self.decided.update_value(|decided| match is_fresh {
                true => decided.list_read(listed, presence),
                false => decided.page_read(first_row, size, listed, presence),
            });
        }
        let departed = self.count_departed_before(u64::MAX);
        if departed != read.departed {
            self.drop_pages_after(page.page());
        }
        let placed = |deleted: &mut Deleted| (false, deleted.page_placed());
        self.decisions.deleted.try_maybe_update(placed);
        let deleted = self.with_deleted(|deleted| deleted.count_listed(read.sent));
        PageResult {
            total: page.total(rows.len(), departed.saturating_sub(listed), deleted),
            rows,
            unreadable: read.unreadable,
        }
    }

    /// Drops the pages after one, which were loaded with other offsets.
    fn drop_pages_after(self, page: u64) {
        self.listing
            .pages
            .try_update(|pages| pages.keep(|of, _| of <= page));
    }

    fn with_deleted(self, count: impl Fn(&Deleted) -> u64) -> u64 {
        let deleted = self.decisions.deleted.try_with_untracked(count);
        deleted.unwrap_or_default()
    }

    /// Returns what the position of a row depends on in a read that was sent at `sent`.
    fn offset(self, row: u64, sent: u64) -> PageOffset {
        self.record_leaving();
        PageOffset {
            made: self.decisions.made(),
            departed: self.count_departed_before(row),
            deleted: self.with_deleted(|deleted| deleted.count_before(row, sent)),
            deletions: self.with_deleted(Deleted::changes),
        }
    }

    /// Returns how many decided rows before the index `end` are no longer in the server's list.
    fn count_departed_before(self, end: u64) -> u64 {
        let Some(tab) = self.shown.get_value().map(|view| view.tab) else {
            return 0;
        };
        self.decided
            .with_value(|decided| decided.count_departed(end, |lead| self.has_left(lead, tab)))
    }

    /// Returns whether a lead that was decided here is no longer in the server's list of a tab.
    fn has_left(self, lead: &str, tab: Tab) -> bool {
        self.presence(lead, tab) == Presence::HasLeft
    }

    /// Stores the rows that have left the server's list or may leave it. Undo and other tabs decide on rows, too.
    fn record_leaving(self) {
        let tab = self.shown.get_value().map(|view| view.tab);
        let Some(tab) = tab.filter(|_| !self.listing.is_stale()) else {
            return;
        };
        self.record_rows(&|lead| self.presence(lead, tab) != Presence::Stays);
    }

    fn presence(self, lead: &str, tab: Tab) -> Presence {
        let known = self.decisions.server_status(lead);
        Presence::of(known.as_ref(), self.decisions.unsaved(lead).is_some(), tab)
    }

    /// Returns the rows of a read that was sent at `sent`.
    pub(super) fn rows(self, items: Vec<LeadListItem>, sent: u64) -> Vec<ListedLead> {
        let mut rows = Vec::with_capacity(items.len());
        for mut item in items {
            #[cfg(feature = "embed")]
            let kept = (self.keeps_items.try_get_value() == Some(true)).then(|| item.clone());
            let status = item.approval_status.take();
            let lead = LeadItem::new(item);
            rows.push(ListedLead {
                #[cfg(feature = "embed")]
                item: kept.map(|item| Kept(Arc::new(item))),
                lead: Arc::new(lead),
                status: status.unwrap_or_else(|| "unknown".into()),
            });
        }
        let read = rows.iter().map(|row| (&*row.lead.id, &row.status));
        self.decisions.on_read(read, sent);
        rows
    }

    fn hooks(self) -> Option<DriftHooks> {
        self.hooks.try_get_value().flatten()
    }

    fn forget_decided(self) {
        self.decided.update_value(DecidedRows::clear);
        if let Some(hooks) = self.hooks() {
            (hooks.reset)(self);
        }
    }

    /// Shifts the indexes of decided rows from an index on.
    fn shift(self, from: u64, by: i64) {
        self.decided
            .try_update_value(|decided| decided.shift(from, by));
    }
}
