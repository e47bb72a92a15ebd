//! Every page of a query, one fetched ahead while the one before it is in use.

use std::collections::VecDeque;
use std::rc::Rc;

use futures_util::future::{FutureExt, RemoteHandle};
use futures_util::stream::{Stream, unfold};
use lead_workspace_api::{Account, AccountQuery, LeadListItem, LeadQuery, Page, Row, RowError};

use super::error::Error;
use super::runtime::Runtime;
use super::walk::{Drift, Step, Walk};
use super::{Call, Client};

/// What a walk meets besides rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Rows changed places while they were read.
    Drift(Drift),
    /// A row that could not be read.
    RowError(RowError),
}

/// The pages of one query. Dropping it ends what is on its way.
pub struct Pages<T> {
    walk: Walk,
    fetch: Box<dyn Fn(u32) -> Call<Page<T>>>,
    id: fn(&T) -> Option<&str>,
    ahead: Option<RemoteHandle<Result<Page<T>, Error>>>,
    runtime: Rc<dyn Runtime>,
}

impl<T: 'static> Pages<T> {
    pub(crate) fn new(
        walk: Walk,
        fetch: impl Fn(u32) -> Call<Page<T>> + 'static,
        id: fn(&T) -> Option<&str>,
        runtime: Rc<dyn Runtime>,
    ) -> Self {
        Self {
            walk,
            fetch: Box::new(fetch),
            id,
            ahead: None,
            runtime,
        }
    }

    /// The next page, or nothing after the last. After an error the same page can be asked for
    /// again.
    pub async fn next(&mut self) -> Option<Result<Step<T>, Error>> {
        let number = self.walk.next_page()?;
        let page = match self.ahead.take() {
            Some(ahead) => ahead.await,
            None => (self.fetch)(number).await,
        };
        let step = match page {
            Ok(page) => self.walk.arrived(page, self.id),
            Err(error) => return Some(Err(error)),
        };
        if let Some(next) = self.walk.prefetch() {
            // By itself: nobody polls it while the rows of this page are in use.
            let (task, ahead) = (self.fetch)(next).remote_handle();
            self.runtime.spawn(Box::pin(task));
            self.ahead = Some(ahead);
        }
        Some(Ok(step))
    }

    /// The rows of all pages, each once. Ends after the first error.
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
    /// The pages of a query of leads, from the query's page on, with at most `max_items` rows.
    pub fn lead_pages(&self, query: &LeadQuery, max_items: Option<u64>) -> Pages<LeadListItem> {
        let walk = Walk::new(query.page, query.page_size, max_items);
        let (client, query) = (self.clone(), query.clone());
        let fetch = move |page| {
            client.query_leads(&LeadQuery {
                page,
                ..query.clone()
            })
        };
        Pages::new(walk, fetch, Row::row_id, Rc::clone(&self.shared.runtime))
    }

    /// The pages of a query of accounts, as [`lead_pages`](Self::lead_pages).
    pub fn account_pages(&self, query: &AccountQuery, max_items: Option<u64>) -> Pages<Account> {
        let walk = Walk::new(query.page, query.page_size, max_items);
        let (client, query) = (self.clone(), query.clone());
        let fetch = move |page| {
            client.query_accounts(&AccountQuery {
                page,
                ..query.clone()
            })
        };
        Pages::new(walk, fetch, Row::row_id, Rc::clone(&self.shared.runtime))
    }

    /// Every lead of a query, each once; ends after the first error. `on_event` hears what moved
    /// meanwhile and which rows could not be read.
    pub fn query_leads_stream<F: FnMut(Event)>(
        &self,
        query: &LeadQuery,
        max_items: Option<u64>,
        on_event: F,
    ) -> impl Stream<Item = Result<LeadListItem, Error>> + use<F> {
        self.lead_pages(query, max_items).rows(on_event)
    }

    /// Every account of a query, as [`query_leads_stream`](Self::query_leads_stream).
    pub fn query_accounts_stream<F: FnMut(Event)>(
        &self,
        query: &AccountQuery,
        max_items: Option<u64>,
        on_event: F,
    ) -> impl Stream<Item = Result<Account, Error>> + use<F> {
        self.account_pages(query, max_items).rows(on_event)
    }
}
