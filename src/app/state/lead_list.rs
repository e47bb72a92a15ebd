//! The lead list: rows, cursor and selection.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, LeadListItem};
use leptos::prelude::*;

use self::drift::DriftHooks;
use super::decisions::Decisions;
use super::grid_selection::{GridSelection, Selectable};
use super::listing::{Listing, Loading, PageResult};
use super::session::Session;
use super::suggestions::Suggestions;
use crate::app::model::decided_rows::DecidedRows;
use crate::app::model::deleted_leads::{Deleted, RowCheck};
#[cfg(feature = "embed")]
use crate::app::model::kept::Kept;
use crate::app::model::lead::LeadItem;
use crate::app::model::lead_tab::Tab;
use crate::app::model::page_cache::{self, PageAssembly, RowRange};
use crate::app::model::view::LeadsView;
use crate::client::{Client, Error};
use crate::review::selection::SelectedValue;

mod decide;
mod deleted_rows;
pub mod drift;
pub mod reread;

/// How often a page is requested again because of decisions that were made meanwhile.
const MAX_REPEATS: usize = 8;

#[derive(Clone)]
pub struct ListedLead {
    pub lead: Arc<LeadItem>,
    /// The status that the server reported.
    pub status: ApprovalStatus,
    /// The lead as the server sent it, for the columns of a host page.
    #[cfg(feature = "embed")]
    pub item: Option<Kept<LeadListItem>>,
}

impl PartialEq for ListedLead {
    /// A row that was read again and is equal stays as it is.
    fn eq(&self, other: &Self) -> bool {
        let is_same = self.lead == other.lead && self.status == other.status;
        #[cfg(feature = "embed")]
        let is_same = is_same && self.item.as_deref() == other.item.as_deref();
        is_same
    }
}

impl Selectable for ListedLead {
    fn id(&self) -> &str {
        &self.lead.id
    }

    fn selected_value(&self) -> SelectedValue {
        SelectedValue::Status(self.status.clone())
    }
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
    shown: StoredValue<Option<Rc<LeadsView>>, LocalStorage>,
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
            shown: StoredValue::new_local(None),
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

    /// Requests a page. Decisions in flight may or may not have removed rows before it from the server's list, and the
    /// first page may have been read without rows that were decided before. The page is requested again if there were
    /// any meanwhile, as it may lack rows or repeat some.
    async fn request_page(
        self,
        client: &Client,
        view: &LeadsView,
        page: u64,
        size: u32,
    ) -> Result<PageResult<ListedLead>, Error> {
        if let Some(hooks) = self.hooks() {
            (hooks.find_page)(self, page).await?;
        }
        for _ in 0..MAX_REPEATS {
            let none_decided = self.decided.with_value(DecidedRows::is_empty);
            let is_quiet = none_decided || self.decisions.wait_for_open_decisions().await;
            let offset = || {
                let departed = self.count_departed_before(page * u64::from(size));
                (self.decisions.made(), departed)
            };
            let before = offset();
            let rows = self
                .request_page_once(client, view, page, size, true)
                .await?;
            if let Some(hooks) = self.hooks() {
                (hooks.page_read)(self, page);
            }
            if page == 0 || is_quiet && offset() == before {
                return Ok(rows);
            }
        }
        self.request_page_once(client, view, page, size, true).await
    }

    /// `is_shown`: the rows will be those of the page on the screen.
    async fn request_page_once(
        self,
        client: &Client,
        view: &LeadsView,
        page: u64,
        size: u32,
        is_shown: bool,
    ) -> Result<PageResult<ListedLead>, Error> {
        self.wait_for_deletions().await;
        let first_row = page * u64::from(size);
        let sent = self.decisions.start_read();
        let deleted = |count: fn(&Deleted, u64, u64) -> u64| {
            let counted = |deleted: &Deleted| count(deleted, first_row, sent);
            self.decisions
                .deleted
                .try_with_untracked(counted)
                .unwrap_or_default()
        };
        let before = deleted(Deleted::count_before);
        let range = RowRange::new(page, size, self.count_departed_before(first_row), before);
        let mut assembly = PageAssembly::new(range);
        let (mut unreadable, mut total, mut has_new_deletion) = (0, None, false);
        let mut from = range.page;
        let has_more = loop {
            let response = client.query_leads(&view.query(from, size)).await?;
            unreadable += response.lost();
            total = response.total.or(total);
            let (none, has_more) = (response.data.is_empty(), response.has_more);
            let repeated = self
                .hooks()
                .map(|hooks| (hooks.rows_before)(self, first_row));
            assembly.take(response.data, |item, at| {
                let index = first_row + at as u64;
                let check_row = item.lead_id.as_ref().and_then(|id| {
                    let check_row = |deleted: &mut Deleted| {
                        (false, deleted.check_row(id.as_str(), index, sent))
                    };
                    self.decisions.deleted.try_maybe_update(check_row)
                });
                has_new_deletion |= check_row == Some(RowCheck::News);
                let is_repeated = item
                    .lead_id
                    .as_ref()
                    .zip(repeated.as_ref())
                    .is_some_and(|(id, repeated)| repeated.has(id.as_str()));
                is_repeated || !matches!(check_row, None | Some(RowCheck::Other))
            });
            let behind = u64::from(from) * u64::from(size);
            if !assembly.wants_more() || none || total.is_some_and(|total| total <= behind) {
                break has_more;
            }
            from += 1;
        };
        let departed = self.count_departed_before(u64::MAX);
        let mut rows = self.rows(assembly.rows, sent);
        if is_shown && let Some(hooks) = self.hooks() {
            (hooks.place)(self, first_row, size, view.tab, &mut rows);
        } else if is_shown {
            let ids = rows.iter().map(|row| Arc::from(&*row.lead.id));
            let listed: Vec<(u64, Arc<str>)> = (first_row..).zip(ids).collect();
            self.decided
                .update_value(|decided| decided.page_read(first_row, size, &listed));
        }
        if has_new_deletion || is_shown && self.count_departed_before(u64::MAX) != departed {
            // The later pages were loaded with other offsets.
            self.listing
                .pages
                .try_update(|pages| pages.keep(|of, _| of <= page));
        }
        let seen = first_row + rows.len() as u64;
        let too_many = deleted(|deleted, _, sent| deleted.count_listed(sent));
        let total = total
            .map(|total| (total + self.count_departed_before(u64::MAX)).saturating_sub(too_many));
        let total = page_cache::total(total, seen, has_more);
        Ok(PageResult {
            rows,
            total,
            unreadable,
        })
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
        let known = self.decisions.server_status(lead);
        known.is_some_and(|known| !tab.holds(&known))
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
