//! A list that is loaded a page at a time.

use std::pin::Pin;
use std::sync::Arc;

use gloo_timers::callback::Timeout;
use leptos::prelude::*;

use super::flight::Flight;
use super::remote::Remote;
use crate::client::Error;
use crate::model::view::Position;

/// After this many milliseconds without an answer the page says that it is slow.
const SLOW: u32 = 5_000;

/// A page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet<R> {
    /// The rows.
    pub rows: Vec<R>,
    /// How many rows the list has in all.
    pub total: u64,
    /// Which page this is, from 1.
    pub page: u32,
    /// Rows on a page.
    pub size: u32,
    /// Rows that the server sent and that could not be read.
    pub unreadable: usize,
}

impl<R> Sheet<R> {
    /// How many pages the list has; at least one.
    pub fn pages(&self) -> u32 {
        let pages = self.total.div_ceil(u64::from(self.size.max(1))).max(1);
        u32::try_from(pages).unwrap_or(u32::MAX)
    }

    /// Where the first row stands in the list, from 0.
    pub fn first(&self) -> u64 {
        u64::from(self.page.saturating_sub(1)) * u64::from(self.size)
    }
}

/// Keys of the rows of one page. A list that shifts while it is read may bring a row twice.
#[derive(Default)]
pub struct Keys(Vec<Arc<str>>);

impl Keys {
    /// A key for a row with this id, unlike all before it.
    pub fn of(&mut self, id: &str) -> Arc<str> {
        let mut key: Arc<str> = id.into();
        while self.0.contains(&key) {
            key = format!("{key}'").into();
        }
        self.0.push(Arc::clone(&key));
        key
    }
}

/// How a list stands: all that matters around its rows.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// How many rows the list has.
    pub total: u64,
    /// Where the first row of the page stands in the list, from 0.
    pub first: u64,
    /// Where we are.
    pub position: Position,
    /// Rows of the page that could not be read.
    pub unreadable: usize,
    /// Whether an answer is awaited.
    pub busy: bool,
    /// Whether nothing was ever here.
    pub blank: bool,
    /// Whether there is a page to show.
    pub here: bool,
    /// Whether the page is current and has no rows.
    pub empty: bool,
    /// Why the last attempt failed.
    pub error: Option<Arc<Error>>,
}

impl PartialEq for Standing {
    /// An error equals only itself: comparing what it says would be much code for nothing.
    fn eq(&self, other: &Self) -> bool {
        let all = |of: &Self| {
            let flags = (of.busy, of.blank, of.here, of.empty);
            (of.total, of.first, of.position, of.unreadable, flags)
        };
        let error = |of: &Self| of.error.as_ref().map(Arc::as_ptr);
        all(self) == all(other) && error(self) == error(other)
    }
}

impl Standing {
    fn of<R>(remote: &Remote<Sheet<R>, Error>) -> Self {
        let around = Self {
            busy: remote.is_busy(),
            blank: matches!(remote, Remote::Idle | Remote::Loading),
            error: remote.error().cloned(),
            ..Self::default()
        };
        let Some(sheet) = remote.value() else {
            return around;
        };
        let settled = matches!(remote, Remote::Loaded(_));
        Self {
            total: sheet.total,
            first: sheet.first(),
            position: Position {
                page: sheet.page,
                pages: sheet.pages(),
                size: sheet.size,
            },
            unreadable: sheet.unreadable,
            here: true,
            empty: settled && sheet.rows.is_empty() && sheet.unreadable == 0,
            ..around
        }
    }
}

/// The page that is shown, and the one that is on its way. A newer question ends the older one, so
/// that a late answer never wins.
pub struct Listing<R: Send + Sync + 'static> {
    /// The page.
    pub remote: RwSignal<Remote<Sheet<R>, Error>>,
    /// Whether the answer takes long.
    pub slow: RwSignal<bool>,
    flight: StoredValue<Option<Flight>>,
}

impl<R: Send + Sync + 'static> Copy for Listing<R> {}
impl<R: Send + Sync + 'static> Clone for Listing<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Send + Sync + 'static> Listing<R> {
    /// Nothing yet.
    pub fn start() -> Self {
        Self {
            remote: RwSignal::new(Remote::Idle),
            slow: RwSignal::new(false),
            flight: StoredValue::new(None),
        }
    }

    /// The rows of the page that can be shown, each made into something else.
    pub fn rows<T>(self, make: impl Fn(&R) -> T) -> Vec<T> {
        self.remote.with(|remote| {
            let rows = remote.value().map_or(&[][..], |sheet| &sheet.rows);
            rows.iter().map(make).collect()
        })
    }

    /// Where the first row of the page stands in the list, from 0.
    pub fn first(self) -> u64 {
        self.remote
            .with(|remote| remote.value().map_or(0, |sheet| sheet.first()))
    }

    /// A row of the page that can be shown.
    pub fn find(self, is: impl Fn(&R) -> bool) -> Option<R>
    where
        R: Clone,
    {
        self.remote
            .with_untracked(|remote| remote.value()?.rows.iter().find(|row| is(row)).cloned())
    }

    /// How the list stands, for whatever is drawn around its rows.
    pub fn standing(self) -> Memo<Standing> {
        Memo::new(move |_| self.remote.with(Standing::of))
    }

    /// Asks; `arrived` sees every answer before it is shown, and only those that count.
    pub fn load(self, ask: Asking<R>, arrived: impl FnOnce(&Result<Sheet<R>, Error>) + 'static) {
        self.remote.update(Remote::start);
        let work = async move {
            let answer = ask.await;
            arrived(&answer);
            self.slow.try_set(false);
            self.remote.try_update(|remote| remote.finish(answer));
        };
        fly(self.flight, self.slow, Box::pin(work));
    }
}

/// An answer on its way.
pub type Asking<R> = Pin<Box<dyn Future<Output = Result<Sheet<R>, Error>>>>;

/// Starts the work in place of the work before it.
fn fly(
    flight: StoredValue<Option<Flight>>,
    slow: RwSignal<bool>,
    work: Pin<Box<dyn Future<Output = ()>>>,
) {
    slow.set(false);
    let timer = Timeout::new(SLOW, move || {
        slow.try_set(true);
    });
    flight.set_value(Some(Flight::start(async move {
        work.await;
        drop(timer);
    })));
}
