//! The account list.

use std::rc::Rc;
use std::sync::Arc;

use gloo_timers::future::TimeoutFuture;
use lead_workspace_api::{FacetContext, FacetSearchResult};

use super::abort_on_drop::AbortOnDrop;
use super::facets::{Editing, VIEW_REST_MS, is_unsupported};
use super::grid_selection::{GridSelection, Selectable};
use super::listing::{Listing, Loading, PageResult};
use super::relaxation_counts::{CountFuture, RelaxationCounts};
use super::remote_value::Remote;
use super::session::Session;
use crate::app::model::account::AccountItem;
use crate::app::model::facet_options::AccountFacets;
use crate::app::model::lead::changed;
use crate::app::model::page_cache;
use crate::app::model::relaxations::Relaxation;
use crate::app::model::view::{AccountsView, ActiveFilter};
use crate::app::reactive::{RwSignal, StoredValue};
use crate::client::{Client, Error};
use crate::review::selection::SelectedValue;

#[derive(Clone, PartialEq)]
pub struct ListedAccount {
    pub account: Arc<AccountItem>,
}

impl Selectable for ListedAccount {
    fn id(&self) -> &str {
        &self.account.id
    }

    fn selected_value(&self) -> SelectedValue {
        SelectedValue::Points(self.account.score)
    }
}

#[derive(Clone, Copy)]
pub struct AccountList {
    pub listing: Listing<ListedAccount>,
    pub grid_selection: GridSelection,
    /// The values to filter by.
    pub facets: RwSignal<Remote<AccountFacets, Error>>,
    /// The counts of these values within the view. Empty if they are not known, or the server cannot count them.
    pub counts: RwSignal<Vec<FacetSearchResult>>,
    /// The filter in the editor.
    pub editing: RwSignal<Option<Editing>>,
    /// Whether the filter sheet is open, where there is no room for the sidebar.
    pub sheet_open: RwSignal<bool>,
    /// The number of accounts for each relaxation to drop a filter.
    pub relaxations: RelaxationCounts,
    session: Session,
    task: StoredValue<Option<AbortOnDrop>>,
    counting: StoredValue<Option<AbortOnDrop>>,
    rereading: StoredValue<Option<AbortOnDrop>>,
    /// Whether the server counts values; `None` until it has answered.
    can_count: StoredValue<Option<bool>>,
}

impl AccountList {
    pub fn start(session: Session) -> Self {
        Self {
            listing: Listing::start(),
            grid_selection: GridSelection::start(),
            facets: RwSignal::new(Remote::Idle),
            counts: RwSignal::new(Vec::new()),
            editing: RwSignal::new(None),
            sheet_open: RwSignal::new(false),
            relaxations: RelaxationCounts::start(),
            session,
            task: StoredValue::new(None),
            counting: StoredValue::new(None),
            rereading: StoredValue::new(None),
            can_count: StoredValue::new(None),
        }
    }

    /// Loads a view in pages of `size` rows.
    pub fn load(self, client: Client, view: &AccountsView, size: u32) {
        let view = Rc::new(view.clone());
        let loading = Loading {
            size,
            query: view.to_query(),
            is_gone: &|_| false,
        };
        self.listing.load(
            loading,
            Rc::new(move |page| {
                let (client, view) = (client.clone(), Rc::clone(&view));
                Box::pin(async move {
                    let number = u32::try_from(page + 1).unwrap_or(u32::MAX);
                    let response = client.query_accounts(&view.query(number, size)).await?;
                    let seen = page * u64::from(size) + response.data.len() as u64;
                    let unreadable = response.lost();
                    let total = page_cache::total(response.total, seen, response.has_more);
                    let rows = response.data.into_iter();
                    Ok(PageResult {
                        rows: rows.map(|item| self.row(AccountItem::new(item))).collect(),
                        total,
                        unreadable,
                    })
                })
            }),
            Rc::new(move |response| {
                if let Err(error) = response {
                    self.session.check_key(error);
                }
            }),
        );
    }

    /// Reads the accounts in view again, and updates their rows in place: they keep their positions until the list is read
    /// again. Pages out of view are read again when they are needed.
    pub fn reread_in_view(self, client: Client, view: &AccountsView) {
        let (listing, view) = (self.listing, view.clone());
        let Some((in_view, size)) = listing.pages_in_view() else {
            return;
        };
        self.rereading
            .set_value(Some(AbortOnDrop::start(async move {
                for page in in_view {
                    let number = u32::try_from(page + 1).unwrap_or(u32::MAX);
                    let Ok(response) = client.query_accounts(&view.query(number, size)).await
                    else {
                        return;
                    };
                    for account in response.data.into_iter().map(AccountItem::new) {
                        self.replace(account);
                    }
                }
                listing.expire_out_of_view(&|_| true);
            })));
    }

    fn replace(self, mut account: AccountItem) {
        let Some((index, row)) = self.listing.position(|row| row.account.id == account.id) else {
            return;
        };
        let before = &row.account;
        account.previous_score = changed(before.score, account.score).or(before.previous_score);
        if account != **before {
            let row = self.row(account);
            self.listing
                .pages
                .try_update(|pages| pages.replace(index, row));
        }
    }

    /// Loads the values to filter by. They are taken from the lead facets.
    pub fn load_facets(self, client: Client) {
        self.facets.update(Remote::start);
        self.task.set_value(Some(AbortOnDrop::start(async move {
            let response = client.get_lead_facets(&FacetContext::default()).await;
            let facets = response.map(|facets| Arc::new(AccountFacets::new(facets)));
            self.facets.try_update(|known| known.finish(facets));
        })));
    }

    /// Forgets the counts, and whether the server has them: the client changed.
    pub fn forget_counts(self) {
        self.can_count.set_value(None);
        self.counts.set(Vec::new());
    }

    /// Counts the values to filter by within a view whose rows are loaded; `None` while they are being loaded.
    pub fn count_values(self, client: Client, view: Option<&AccountsView>) {
        let can_count = self.can_count.get_value();
        let view = view.filter(|_| can_count != Some(false));
        let task = view.map(|view| {
            let query = view.facet_query();
            AbortOnDrop::start(async move {
                TimeoutFuture::new(VIEW_REST_MS).await;
                let response = client.query_account_facets(&query).await;
                let counts = response.map(|counts| counts.facets.unwrap_or_default());
                match &counts {
                    Ok(counts) => {
                        let is_complete = counts.len() == query.facets.len();
                        self.can_count.set_value(Some(is_complete));
                    }
                    Err(error) if is_unsupported(error, true, can_count.is_some()) => {
                        self.can_count.set_value(Some(false));
                    }
                    Err(error) => self.session.check_key(error),
                }
                self.counts.set(counts.unwrap_or_default());
            })
        });
        self.counting.set_value(task);
    }

    /// Counts the accounts for each relaxation to drop a filter.
    pub fn count_matches(self, relaxations: Vec<Relaxation<ActiveFilter, AccountsView>>) {
        let requests = relaxations.into_iter().map(|relaxation| {
            let (client, query) = (self.session.client_now(), relaxation.view.query(1, 1));
            let request: CountFuture =
                Box::pin(async move { client?.query_accounts(&query).await.ok()?.total });
            request
        });
        self.relaxations.count_matches(requests.collect());
    }

    fn row(self, account: AccountItem) -> ListedAccount {
        self.update_selected_score(&account.id, account.score);
        ListedAccount {
            account: Arc::new(account),
        }
    }

    /// Updates the score that the selection stores for an account, loaded or not.
    fn update_selected_score(self, id: &str, score: Option<f64>) {
        self.grid_selection.selection.try_maybe_update(|selection| {
            selection.update_value(id, SelectedValue::Points(score));
            (false, ())
        });
    }

    /// Updates the score of an account. Returns the score before, if the account is loaded.
    pub fn update_score(
        self,
        id: &str,
        score: Option<f64>,
        tier: Option<String>,
    ) -> Option<Option<f64>> {
        self.update_selected_score(id, score);
        let row = self.listing.find(|row| row.account.id == id)?;
        self.replace(AccountItem {
            score,
            tier,
            ..(*row.account).clone()
        });
        Some(row.account.score)
    }
}
