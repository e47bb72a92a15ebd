//! Pages of a query, each fetched while the caller uses the one before it.

use std::collections::VecDeque;
use std::rc::Rc;

use futures_util::future::{FutureExt, RemoteHandle};
use futures_util::stream::{Stream, unfold};
use lead_workspace_api::{Account, AccountQuery, LeadListItem, LeadQuery, Page, Row, RowError};

use super::error::Error;
use super::paginate::{AcceptedPage, Drift, Paginator};
use super::runtime::Runtime;
use super::{Call, Client};

/// Events of pagination besides rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The list changed while it was read.
    Drift(Drift),
    /// A row could not be read.
    RowError(RowError),
}

/// The pages of one query. Dropping it aborts the request in flight.
pub struct Pages<T> {
    walk: Paginator,
    id: fn(&T) -> Option<&str>,
    source: PageLoader<Page<T>>,
}

/// Fetches pages, one of them in advance.
pub(crate) struct PageLoader<P> {
    fetch: Box<dyn Fn(u32) -> Call<P>>,
    ahead: Option<RemoteHandle<Result<P, Error>>>,
    runtime: Rc<dyn Runtime>,
}

impl<P: 'static> PageLoader<P> {
    pub(crate) fn new(fetch: impl Fn(u32) -> Call<P> + 'static, runtime: Rc<dyn Runtime>) -> Self {
        Self {
            fetch: Box::new(fetch),
            ahead: None,
            runtime,
        }
    }

    /// Returns a page. After [`fetch_ahead`](Self::fetch_ahead), `number` must be the page fetched ahead.
    pub(crate) async fn get(&mut self, number: u32) -> Result<P, Error> {
        match self.ahead.take() {
            Some(ahead) => ahead.await,
            None => (self.fetch)(number).await,
        }
    }

    /// Fetches a page in a background task, as nothing polls this source while the caller uses the
    /// current page.
    pub(crate) fn fetch_ahead(&mut self, number: u32) {
        let (task, ahead) = (self.fetch)(number).remote_handle();
        self.runtime.spawn(Box::pin(task));
        self.ahead = Some(ahead);
    }
}

impl<T: 'static> Pages<T> {
    fn new(
        walk: Paginator,
        fetch: impl Fn(u32) -> Call<Page<T>> + 'static,
        id: fn(&T) -> Option<&str>,
        runtime: Rc<dyn Runtime>,
    ) -> Self {
        Self {
            walk,
            id,
            source: PageLoader::new(fetch, runtime),
        }
    }

    /// Returns the number of rows of the query, from the latest page that reported it.
    pub fn total(&self) -> Option<u64> {
        self.walk.total()
    }

    /// Returns the next page; `None` after the last one. After an error, the next call requests the
    /// same page again.
    pub async fn next(&mut self) -> Option<Result<AcceptedPage<T>, Error>> {
        let number = self.walk.next_page()?;
        let step = match self.source.get(number).await {
            Ok(page) => self.walk.accept(page, self.id),
            Err(error) => return Some(Err(error)),
        };
        if let Some(next) = self.walk.prefetch() {
            self.source.fetch_ahead(next);
        }
        Some(Ok(step))
    }

    /// Returns the rows of all pages, without duplicates. Ends after the first error.
    pub fn rows<F: FnMut(Event)>(
        self,
        on_event: F,
    ) -> impl Stream<Item = Result<T, Error>> + use<T, F> {
        let state = (Some(self), VecDeque::new(), on_event);
        unfold(state, |(mut pages, mut rows, mut on_event)| async move {
            loop {
                if let Some(row) = rows.pop_front() {
                    return Some((Ok(row), (pages, rows, on_event)));
                }
                match pages.as_mut()?.next().await? {
                    Ok(step) => {
                        rows.extend(step.rows);
                        step.drift
                            .into_iter()
                            .map(Event::Drift)
                            .chain(step.row_errors.into_iter().map(Event::RowError))
                            .for_each(&mut on_event);
                    }
                    Err(error) => return Some((Err(error), (None, rows, on_event))),
                }
            }
        })
    }
}

impl Client {
    /// Returns the pages of a lead query, from the query's page on, with at most `max_items` rows.
    pub fn lead_pages(&self, query: &LeadQuery, max_items: Option<u64>) -> Pages<LeadListItem> {
        let walk = Paginator::new(query.page, query.page_size, max_items);
        let (client, query) = (self.clone(), query.clone());
        let fetch = move |page| {
            client.query_leads(&LeadQuery {
                page,
                ..query.clone()
            })
        };
        Pages::new(walk, fetch, Row::row_id, Rc::clone(&self.shared.runtime))
    }

    /// Like [`lead_pages`](Self::lead_pages), for accounts.
    pub fn account_pages(&self, query: &AccountQuery, max_items: Option<u64>) -> Pages<Account> {
        let walk = Paginator::new(query.page, query.page_size, max_items);
        let (client, query) = (self.clone(), query.clone());
        let fetch = move |page| {
            client.query_accounts(&AccountQuery {
                page,
                ..query.clone()
            })
        };
        Pages::new(walk, fetch, Row::row_id, Rc::clone(&self.shared.runtime))
    }

    /// Returns every lead of a query, without duplicates; ends after the first error. `on_event`
    /// receives changes on the server and rows that could not be read.
    pub fn query_leads_stream<F: FnMut(Event)>(
        &self,
        query: &LeadQuery,
        max_items: Option<u64>,
        on_event: F,
    ) -> impl Stream<Item = Result<LeadListItem, Error>> + use<F> {
        self.lead_pages(query, max_items).rows(on_event)
    }

    /// Like [`query_leads_stream`](Self::query_leads_stream), for accounts.
    pub fn query_accounts_stream<F: FnMut(Event)>(
        &self,
        query: &AccountQuery,
        max_items: Option<u64>,
        on_event: F,
    ) -> impl Stream<Item = Result<Account, Error>> + use<F> {
        self.account_pages(query, max_items).rows(on_event)
    }
}
