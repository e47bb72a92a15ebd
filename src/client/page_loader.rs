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
pub enum PageEvent {
    /// The list changed while it was read.
    Drift(Drift),
    /// A row could not be read.
    RowError(RowError),
}

/// The pages of one query. Dropping it aborts the request in flight.
pub struct Pages<T> {
    paginator: Paginator,
    loader: PageLoader<Page<T>>,
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

    /// Fetches a page in a background task, as nothing polls this loader while the caller uses the
    /// current page.
    pub(crate) fn fetch_ahead(&mut self, number: u32) {
        let (task, ahead) = (self.fetch)(number).remote_handle();
        self.runtime.spawn(Box::pin(task));
        self.ahead = Some(ahead);
    }
}

impl<T: Row + 'static> Pages<T> {
    fn new(
        paginator: Paginator,
        runtime: Rc<dyn Runtime>,
        fetch: impl Fn(u32) -> Call<Page<T>> + 'static,
    ) -> Self {
        Self {
            paginator,
            loader: PageLoader::new(fetch, runtime),
        }
    }

    /// Returns the number of rows of the query, from the latest page that reported it.
    pub fn total(&self) -> Option<u64> {
        self.paginator.total()
    }

    /// Returns the next page; `None` after the last one. After an error, the next call requests the
    /// same page again.
    pub async fn next(&mut self) -> Option<Result<AcceptedPage<T>, Error>> {
        let number = self.paginator.next_page()?;
        let page = match self.loader.get(number).await {
            Ok(page) => self.paginator.accept(page, Row::row_id),
            Err(error) => return Some(Err(error)),
        };
        if let Some(next) = self.paginator.next_page() {
            self.loader.fetch_ahead(next);
        }
        Some(Ok(page))
    }

    /// Returns the rows of all pages, without duplicates. Ends after the first error.
    pub fn rows<F: FnMut(PageEvent)>(
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
                    Ok(page) => {
                        rows.extend(page.rows);
                        page.drift
                            .into_iter()
                            .map(PageEvent::Drift)
                            .chain(page.row_errors.into_iter().map(PageEvent::RowError))
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
        let paginator = Paginator::new(query.page, query.page_size, max_items);
        let (client, query) = (self.clone(), query.clone());
        Pages::new(paginator, self.runtime(), move |page| {
            client.query_leads(&LeadQuery {
                page,
                ..query.clone()
            })
        })
    }

    /// Like [`lead_pages`](Self::lead_pages), for accounts.
    pub fn account_pages(&self, query: &AccountQuery, max_items: Option<u64>) -> Pages<Account> {
        let paginator = Paginator::new(query.page, query.page_size, max_items);
        let (client, query) = (self.clone(), query.clone());
        Pages::new(paginator, self.runtime(), move |page| {
            client.query_accounts(&AccountQuery {
                page,
                ..query.clone()
            })
        })
    }
}
