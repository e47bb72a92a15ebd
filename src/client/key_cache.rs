//! The key of the next request: fixed, or fetched from a source, and fetched again after the server
//! refused it.

use std::cell::RefCell;
use std::rc::Rc;

use super::config::{Config, Credentials};
use super::key_source::KeySource;
use super::notify::Notify;
use super::runtime::Runtime;

/// The key shared by all calls of a client.
pub(super) struct KeyCache {
    source: Option<Rc<dyn KeySource>>,
    runtime: Rc<dyn Runtime>,
    current: RefCell<Option<Credentials>>,
    pending: RefCell<Option<Rc<PendingKey>>>,
}

/// A key request in progress, shared by all calls that wait for it.
#[derive(Default)]
struct PendingKey {
    result: RefCell<Option<Result<Credentials, String>>>,
    arrived: Notify,
}

impl KeyCache {
    pub(super) fn new(config: &Config, runtime: Rc<dyn Runtime>) -> Rc<Self> {
        Rc::new(Self {
            source: config.key_source.clone(),
            runtime,
            current: RefCell::new(config.credentials.clone()),
            pending: RefCell::default(),
        })
    }

    /// Returns the key, fetched if necessary. Concurrent calls share one request to the source.
    pub(super) async fn get(self: &Rc<Self>) -> Result<Option<Credentials>, String> {
        let current = self.current.borrow().clone();
        let (None, Some(source)) = (&current, &self.source) else {
            return Ok(current);
        };
        let pending = self.pending.borrow().clone();
        let pending = pending.unwrap_or_else(|| self.fetch(source));
        loop {
            let arrived = pending.arrived.notified();
            if let Some(result) = &*pending.result.borrow() {
                return result.clone().map(Some);
            }
            arrived.await;
        }
    }

    /// Fetches the key in a separate task: a call that ends early must not cancel it for the
    /// others, and the source must not be called twice at once.
    fn fetch(self: &Rc<Self>, source: &Rc<dyn KeySource>) -> Rc<PendingKey> {
        let pending = Rc::<PendingKey>::default();
        // Stored first: the source may make calls that need the key.
        *self.pending.borrow_mut() = Some(Rc::clone(&pending));
        let key = source.key();
        let (keys, request) = (Rc::downgrade(self), Rc::clone(&pending));
        self.runtime.spawn(Box::pin(async move {
            let result = key.await.and_then(|key| {
                Credentials::new(&key)
                    .map_err(|problem| format!("the key source returned an invalid key. {problem}"))
            });
            if let Some(keys) = keys.upgrade() {
                *keys.pending.borrow_mut() = None;
                if let Ok(key) = &result {
                    *keys.current.borrow_mut() = Some(key.clone());
                }
            }
            *request.result.borrow_mut() = Some(result);
            request.arrived.notify_all();
        }));
        pending
    }

    /// Returns the key of the last request, if it is known.
    pub(super) fn current(&self) -> Option<Credentials> {
        self.current.borrow().clone()
    }

    /// Returns the text without the key, in case a server echoed it.
    pub(super) fn redact(&self, text: &str) -> String {
        match &*self.current.borrow() {
            Some(key) => key.redact(text),
            None => text.to_owned(),
        }
    }

    /// Discards a key that a server refused. Returns whether there is a source for another one.
    pub(super) fn on_refused(&self, used: &Credentials) -> bool {
        if self.source.is_some() {
            let mut current = self.current.borrow_mut();
            // Another call may have renewed it already.
            if current.as_ref() == Some(used) {
                *current = None;
            }
        }
        self.source.is_some()
    }
}
