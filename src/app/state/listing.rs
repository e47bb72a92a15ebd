//! A long list, of which only the pages around the view are loaded.

use std::ops::Range;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;

use super::abort_on_drop::AbortOnDrop;
use crate::app::model::page_cache::PageCache;
use crate::app::model::recent_lists::RecentLists;
use crate::app::reactive::{Memo, RwSignal, StoredValue, memo};
use crate::client::Error;
use crate::platform::idle::idle;

mod in_view;
mod recent;

/// After this many milliseconds without a response the page reports a slow server.
const SLOW_AFTER_MS: u32 = 5_000;

/// While the user scrolls fast, a page is requested after this many milliseconds without scrolling.
const SCROLL_REST_MS: u32 = 60;

/// When a page is requested.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RequestTiming {
    AtOnce,
    /// After [`SCROLL_REST_MS`].
    AfterRest,
    /// When the browser is idle: the page is prefetched.
    Idle,
}

/// A page of results.
#[derive(Clone, Debug, PartialEq)]
pub struct PageResult<R> {
    pub rows: Vec<R>,
    /// The number of rows of the whole list.
    pub total: u64,
    /// The number of rows that could not be read.
    pub unreadable: usize,
}

/// The status of a list: everything that is shown around its rows.
#[derive(Clone, Debug, Default)]
pub struct LoadStatus {
    /// The number of rows of the list.
    pub total: u64,
    /// The number of loaded rows that could not be read.
    pub unreadable: usize,
    /// Whether the rows are those of an older query.
    pub busy: bool,
    /// Whether nothing was loaded yet and a response is awaited.
    pub blank: bool,
    /// Whether there are rows to show, or it is known that there are none.
    pub is_loaded: bool,
    /// Whether the list is current and has no rows.
    pub empty: bool,
    pub error: Option<Arc<Error>>,
}

impl LoadStatus {
    /// Whether the rows are those of the current query.
    pub fn is_current(&self) -> bool {
        self.is_loaded && !self.busy && self.error.is_none()
    }
}

impl PartialEq for LoadStatus {
    /// Errors are compared by pointer: comparing their contents would be a lot of code for no benefit.
    fn eq(&self, other: &Self) -> bool {
        let all = |of: &Self| {
            let flags = (of.busy, of.blank, of.is_loaded, of.empty);
            (of.total, of.unreadable, flags)
        };
        let error = |of: &Self| of.error.as_ref().map(Arc::as_ptr);
        all(self) == all(other) && error(self) == error(other)
    }
}

/// The status of the list besides its rows.
#[derive(Clone, Debug, Default)]
struct ListingState {
    /// Whether the first response to the current query is awaited.
    stale: bool,
    /// Whether rows may have changed on the server since they were read.
    outdated: bool,
    is_loaded: bool,
    /// By page, so that a reloaded page counts once.
    unreadable: Vec<(u64, usize)>,
    error: Option<Arc<Error>>,
}

/// A request in flight.
pub type PageFuture<R> = Pin<Box<dyn Future<Output = Result<PageResult<R>, Error>>>>;

/// Requests a page, counted from 0.
pub type RequestPage<R> = Rc<dyn Fn(u64) -> PageFuture<R>>;

/// Receives every response that is not outdated, before it is shown.
pub type OnPage<R> = Rc<dyn Fn(&Result<PageResult<R>, Error>)>;

/// The page size, the request, and the receiver of responses.
type PageSource<R> = (u32, RequestPage<R>, OnPage<R>);

/// How a query is loaded.
pub struct Loading<'a, R> {
    /// Rows on a page.
    pub size: u32,
    /// Identifies the query.
    pub query: String,
    /// Whether a row has left the list since it was read.
    pub is_gone: &'a dyn Fn(&R) -> bool,
}

/// The loaded rows and the requests in flight. A newer query cancels older requests, and so does scrolling past a
/// page, so that a late response never wins.
pub struct Listing<R: Send + Sync + 'static> {
    pub pages: RwSignal<PageCache<R>>,
    /// Identifies the current query. Set once it is requested.
    pub query: RwSignal<String>,
    /// Whether a response takes long.
    pub slow: RwSignal<bool>,
    state: RwSignal<ListingState>,
    /// The rows that the grid renders.
    range: StoredValue<Range<u64>>,
    source: StoredValue<Option<PageSource<R>>>,
    recent: StoredValue<RecentLists<R>>,
    tasks: StoredValue<Vec<(u64, RequestTiming, AbortOnDrop)>>,
    timer: StoredValue<Option<Timeout>>,
}

impl<R: Send + Sync + 'static> Copy for Listing<R> {}
impl<R: Send + Sync + 'static> Clone for Listing<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Send + Sync + 'static> Listing<R> {
    pub fn start() -> Self {
        Self {
            pages: RwSignal::new(PageCache::default()),
            query: RwSignal::new(String::new()),
            slow: RwSignal::new(false),
            state: RwSignal::new(ListingState::default()),
            range: StoredValue::new(0..0),
            source: StoredValue::new(None),
            recent: StoredValue::new(RecentLists::default()),
            tasks: StoredValue::new(Vec::new()),
            timer: StoredValue::new(None),
        }
    }

    /// Returns a loaded row.
    pub fn find(self, is: impl Fn(&R) -> bool) -> Option<R>
    where
        R: Clone,
    {
        self.position(is).map(|(_, row)| row)
    }

    /// Returns a loaded row with its index.
    pub fn position(self, is: impl Fn(&R) -> bool) -> Option<(u64, R)>
    where
        R: Clone,
    {
        let found = self.pages.try_with_untracked(|pages| {
            let found = pages.rows().find(|(_, row)| is(row));
            found.map(|(index, row)| (index, row.clone()))
        });
        found.flatten()
    }

    /// Returns the range of rows that the grid renders.
    pub fn rendered(self) -> Range<u64> {
        self.range.try_get_value().unwrap_or_default()
    }

    /// Returns the status of the list.
    pub fn load_status(self) -> Memo<LoadStatus> {
        memo(move |_| {
            let total = self.pages.with(PageCache::total);
            self.state.with(|state| {
                let unreadable = state.unreadable.iter().map(|(_, rows)| rows).sum();
                LoadStatus {
                    total,
                    unreadable,
                    busy: state.stale && state.is_loaded,
                    blank: state.stale && !state.is_loaded && state.error.is_none(),
                    is_loaded: state.is_loaded,
                    empty: state.is_loaded && !state.stale && total == 0 && unreadable == 0,
                    error: state.error.clone(),
                }
            })
        })
    }
}

impl<R: Clone + PartialEq + Send + Sync + 'static> Listing<R> {
    /// Loads a query, or reloads the current one. The rows of another query stay until the first response arrives, unless
    /// those of the new one are still known: they are shown at once, and read again.
    pub fn load(self, loading: Loading<'_, R>, request: RequestPage<R>, on_page: OnPage<R>) {
        let Loading {
            size,
            query,
            is_gone,
        } = loading;
        self.source.set_value(Some((size, request, on_page)));
        if self.query.with_untracked(|current| *current == query) {
            self.reload();
            return;
        }
        self.store_shown();
        let take = |recent: &mut RecentLists<R>| recent.take(&query, size, is_gone);
        if let Some(pages) = self.recent.try_update_value(take).flatten() {
            self.show_again(pages);
        } else {
            self.state.update(|state| state.error = None);
            self.load_from(0);
        }
        self.query.set(query);
    }

    /// Reloads the current query. The scroll position is kept, and so is an error until the response arrives.
    pub fn reload(self) {
        self.forget_recent();
        let size = self
            .source
            .with_value(|source| source.as_ref().map(|(size, ..)| u64::from(*size)));
        if let Some(size) = size {
            self.load_from(self.range.with_value(|range| range.start / size));
        }
    }

    /// Cancels all requests, and requests this page first.
    fn load_from(self, page: u64) {
        self.tasks.update_value(Vec::clear);
        self.state.update(|state| state.stale = true);
        self.request_page(page, RequestTiming::AtOnce);
    }

    /// Handles a change of the rendered rows: requests missing pages, and cancels requests for pages no longer
    /// needed.
    pub fn set_rendered(self, range: Range<u64>) {
        self.range.set_value(range);
        self.request_missing();
    }

    /// Requests what is missing, also after rows were removed or put back.
    pub fn request_missing(self) {
        let blocked = |state: &ListingState| state.stale || state.error.is_some();
        if self.state.try_with_untracked(blocked) != Some(false) {
            return;
        }
        let range = self.range.get_value();
        let (missing, neighbors) = self
            .pages
            .with_untracked(|pages| (pages.missing(&range), pages.neighbors(&range)));
        let mut given_up = false;
        self.tasks.update_value(|tasks| {
            tasks.retain(|(page, when, _)| {
                let stored = missing.contains(page) || neighbors.contains(page);
                // Dropping a prefetched page does not mean that the list is scrolled fast.
                given_up |= !stored && *when != RequestTiming::Idle;
                stored
            });
        });
        let soon = match given_up {
            true => RequestTiming::AfterRest,
            false => RequestTiming::AtOnce,
        };
        let missing = missing.into_iter().map(|page| (page, soon));
        let neighbors = neighbors
            .into_iter()
            .map(|page| (page, RequestTiming::Idle));
        for (page, when) in missing.chain(neighbors) {
            if !self.is_requested(page) {
                self.request_page(page, when);
            }
        }
    }

    /// Whether the rows are those of an older query, or are all being read again.
    pub(super) fn is_stale(self) -> bool {
        self.state.try_with_untracked(|state| state.stale) == Some(true)
    }

    fn is_requested(self, page: u64) -> bool {
        self.tasks
            .with_value(|tasks| tasks.iter().any(|(of, ..)| *of == page))
    }

    /// Returns whether the page has rows in view that are not loaded, or outdated.
    pub(super) fn is_in_view(self, page: u64) -> bool {
        let range = self.range.get_value();
        self.pages
            .with_untracked(|pages| pages.missing(&range).contains(&page))
    }

    fn request_page(self, page: u64, when: RequestTiming) {
        let Some((size, request, on_page)) = self.source.get_value() else {
            return;
        };
        self.start_slow_timer();
        let work: Pin<Box<dyn Future<Output = ()>>> = Box::pin(async move {
            match when {
                RequestTiming::AtOnce => {}
                RequestTiming::AfterRest => TimeoutFuture::new(SCROLL_REST_MS).await,
                RequestTiming::Idle => idle().await,
            }
            let response = request(page).await;
            on_page(&response);
            self.on_response(page, size, response);
        });
        AbortOnDrop::start_now(work, |task| {
            self.tasks.update_value(|tasks| {
                tasks.push((page, when, task));
            });
        });
    }

    fn on_response(self, page: u64, size: u32, response: Result<PageResult<R>, Error>) {
        let is_ours = self.tasks.try_update_value(|tasks| {
            let at = tasks.iter().position(|(of, ..)| *of == page);
            at.map(|at| tasks.swap_remove(at)).is_some()
        });
        if is_ours != Some(true) {
            return;
        }
        let stale = self.state.with_untracked(|state| state.stale);
        match response {
            Ok(page_rows) => {
                self.state.update(|state| {
                    if stale {
                        state.unreadable.clear();
                    }
                    state.unreadable.retain(|(of, _)| *of != page);
                    if page_rows.unreadable > 0 {
                        state.unreadable.push((page, page_rows.unreadable));
                    }
                    state.outdated &= !stale;
                    state.stale = false;
                    state.is_loaded = true;
                    state.error = None;
                });
                self.pages.update(|pages| {
                    if stale {
                        *pages = PageCache::new(size);
                    }
                    pages.put(page, page_rows.rows, page_rows.total);
                });
            }
            // A failed prefetch is not reported. The page is requested again when the view moves.
            Err(_) if !stale && !self.is_in_view(page) => {
                self.start_slow_timer();
                return;
            }
            Err(error) => {
                self.tasks.update_value(Vec::clear);
                if stale {
                    // The rows stay those of the query before.
                    let expire = |pages: &mut PageCache<R>| (false, pages.expire(|_| true));
                    self.pages.try_maybe_update(expire);
                }
                self.state.update(|state| {
                    state.stale = false;
                    // The same error again changes nothing, and must not be announced again.
                    let is_known = |known: &Arc<Error>| {
                        let kinds = [&known.kind, &error.kind].map(std::mem::discriminant);
                        kinds[0] == kinds[1] && known.status == error.status
                    };
                    if !state.error.as_ref().is_some_and(is_known) {
                        state.error = Some(Arc::new(error));
                    }
                });
            }
        }
        self.start_slow_timer();
        self.request_missing();
    }

    /// Reports a slow server while a request takes long.
    fn start_slow_timer(self) {
        let open = self.tasks.with_value(|tasks| !tasks.is_empty());
        let waits = self.state.with_untracked(|state| state.stale) || open;
        if !waits {
            self.timer.set_value(None);
            self.slow.set(false);
        } else if self.timer.with_value(Option::is_none) {
            let timer = Timeout::new(SLOW_AFTER_MS, move || {
                self.slow.set(true);
            });
            self.timer.set_value(Some(timer));
        }
    }
}
