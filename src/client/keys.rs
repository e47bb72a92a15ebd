//! The key of the next request: fixed, or asked for and asked for again when it is refused.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;

use super::bell::Bell;
use super::config::{Config, Credentials};

/// A key on its way, or why there is none.
pub type Asked = Pin<Box<dyn Future<Output = Result<String, String>>>>;

/// Knows the key of the moment, for credentials that change.
pub trait KeySource {
    /// Asks for the key. Asked once for all calls, and again once a server refused it.
    fn key(&self) -> Asked;
}

/// The key that the calls of a client share.
#[derive(Default)]
pub(super) struct Keys {
    source: Option<Rc<dyn KeySource>>,
    known: RefCell<Option<Credentials>>,
    failure: RefCell<Option<String>>,
    asking: Cell<bool>,
    answered: Bell,
}

impl Keys {
    pub(super) fn of(config: &Config) -> Self {
        Self {
            source: config.key_source.clone(),
            known: RefCell::new(config.credentials.clone()),
            ..Self::default()
        }
    }

    /// The key, asked for where it must be. However many calls wait, it is asked for once.
    pub(super) async fn get(&self) -> Result<Option<Credentials>, String> {
        let Some(source) = &self.source else {
            return Ok(self.known.borrow().clone());
        };
        let mut waited = false;
        loop {
            let answered = self.answered.next();
            if let Some(known) = self.known.borrow().clone() {
                return Ok(Some(known));
            }
            if !self.asking.get() {
                if waited && let Some(failure) = self.failure.borrow().clone() {
                    return Err(failure);
                }
                break;
            }
            waited = true;
            answered.await;
        }
        let _asking = Asking::start(self);
        self.failure.take();
        let answer = source.key().await.and_then(|key| {
            Credentials::new(&key).map_err(|problem| format!("what it gave is no key. {problem}"))
        });
        match answer {
            Ok(credentials) => {
                *self.known.borrow_mut() = Some(credentials.clone());
                Ok(Some(credentials))
            }
            Err(reason) => {
                *self.failure.borrow_mut() = Some(reason.clone());
                Err(reason)
            }
        }
    }

    /// The text without the key, should a server have echoed it.
    pub(super) fn redact(&self, text: &str) -> String {
        match &*self.known.borrow() {
            Some(key) => key.redact(text),
            None => text.to_owned(),
        }
    }

    /// A server refused this key. Gives whether another can be asked for.
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

/// Lets the next one ask, however this one ends.
struct Asking<'a>(&'a Keys);

impl<'a> Asking<'a> {
    fn start(keys: &'a Keys) -> Self {
        keys.asking.set(true);
        Self(keys)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.asking.set(false);
        self.0.answered.ring();
    }
}
