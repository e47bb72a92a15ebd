//! The key of the next request: fixed, or fetched from a source, and fetched again after the server
//! refused it.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;

use super::config::{Config, Credentials};
use super::notify::Notify;
use super::runtime::Runtime;

/// A future with the key, or the reason why there is none.
pub type KeyFuture = Pin<Box<dyn Future<Output = Result<String, String>>>>;

/// Supplies keys that change.
pub trait KeySource {
    /// Fetches the current key. Called once for all calls, and again after a server refused the
    /// key. The future is run to its end even if the call that needed the key was dropped.
    fn key(&self) -> KeyFuture;
}

/// The key shared by all calls of a client.
pub(super) struct Keys {
    source: Option<Rc<dyn KeySource>>,
    runtime: Rc<dyn Runtime>,
    known: RefCell<Option<Credentials>>,
    asking: RefCell<Option<Rc<PendingKey>>>,
}

/// A key request in progress, shared by all calls that wait for it.
#[derive(Default)]
struct PendingKey {
    answer: RefCell<Option<Result<Credentials, String>>>,
    answered: Notify,
}

impl Keys {
    pub(super) fn of(config: &Config, runtime: Rc<dyn Runtime>) -> Rc<Self> {
        Rc::new(Self {
            source: config.key_source.clone(),
            runtime,
            known: RefCell::new(config.credentials.clone()),
            asking: RefCell::default(),
        })
    }

    /// Returns the key, fetched if necessary. Concurrent calls share one request to the source.
    pub(super) async fn get(self: &Rc<Self>) -> Result<Option<Credentials>, String> {
        let known = self.known.borrow().clone();
        let (None, Some(source)) = (&known, &self.source) else {
            return Ok(known);
        };
        let under_way = self.asking.borrow().clone();
        let asking = under_way.unwrap_or_else(|| self.ask(source));
        loop {
            let answered = asking.answered.notified();
            if let Some(answer) = &*asking.answer.borrow() {
                return answer.clone().map(Some);
            }
            answered.await;
        }
    }

    /// Fetches the key in a separate task: a call that ends early must not cancel it for the
    /// others, and the source must not be called twice at once.
    fn ask(self: &Rc<Self>, source: &Rc<dyn KeySource>) -> Rc<PendingKey> {
        let asking = Rc::<PendingKey>::default();
        // Stored first: the source may make calls that need the key.
        *self.asking.borrow_mut() = Some(Rc::clone(&asking));
        let key = source.key();
        let (keys, answering) = (Rc::downgrade(self), Rc::clone(&asking));
        self.runtime.spawn(Box::pin(async move {
            let answer = key.await.and_then(|key| {
                Credentials::new(&key)
                    .map_err(|problem| format!("the key source returned an invalid key. {problem}"))
            });
            if let Some(keys) = keys.upgrade() {
                *keys.asking.borrow_mut() = None;
                if let Ok(key) = &answer {
                    *keys.known.borrow_mut() = Some(key.clone());
                }
            }
            *answering.answer.borrow_mut() = Some(answer);
            answering.answered.notify_all();
        }));
        asking
    }

    /// Returns the text without the key, in case a server echoed it.
    pub(super) fn redact(&self, text: &str) -> String {
        match &*self.known.borrow() {
            Some(key) => key.redact(text),
            None => text.to_owned(),
        }
    }

    /// Discards a key that a server refused. Returns whether there is a source for another one.
    pub(super) fn refused(&self, used: &Credentials) -> bool {
        if self.source.is_some() {
            let mut known = self.known.borrow_mut();
            // Another call may have renewed it already.
            if known.as_ref() == Some(used) {
                *known = None;
            }
        }
        self.source.is_some()
    }
}
