//! A list that is loaded a page at a time.

use std::sync::Arc;

use futures_util::future::{AbortHandle, Abortable};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::remote::Remote;
use crate::client::Error;

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

/// The page that can be shown, if any. Equal only to the very same page.
pub struct Shown<R>(Option<Arc<Sheet<R>>>);

impl<R> Shown<R> {
    /// The page.
    pub fn get(&self) -> Option<&Sheet<R>> {
        self.0.as_deref()
    }

    /// Its rows.
    pub fn rows(&self) -> Vec<R>
    where
        R: Clone,
    {
        self.0
            .as_ref()
            .map_or_else(Vec::new, |sheet| sheet.rows.clone())
    }
}

impl<R> PartialEq for Shown<R> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
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
    flight: StoredValue<Option<AbortHandle>>,
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

    /// The page that can be shown; changes only when the page does.
    pub fn shown(self) -> Memo<Shown<R>> {
        Memo::new(move |_| self.remote.with(|remote| Shown(remote.value().cloned())))
    }

    /// Asks; `arrived` sees every answer before it is shown, and only those that count.
    pub fn load(
        self,
        ask: impl Future<Output = Result<Sheet<R>, Error>> + 'static,
        arrived: impl FnOnce(&Result<Sheet<R>, Error>) + 'static,
    ) {
        let (handle, registration) = AbortHandle::new_pair();
        if let Some(Some(older)) = self
            .flight
            .try_update_value(|flight| flight.replace(handle))
        {
            older.abort();
        }
        self.remote.update(Remote::start);
        self.slow.set(false);
        spawn_local(async move {
            let work = async move {
                let timer = Timeout::new(SLOW, move || {
                    self.slow.try_set(true);
                });
                let answer = ask.await;
                drop(timer);
                arrived(&answer);
                self.slow.try_set(false);
                self.remote.try_update(|remote| remote.finish(answer));
            };
            // An older question that was ended has nothing to say.
            let _ = Abortable::new(work, registration).await;
        });
    }
}
