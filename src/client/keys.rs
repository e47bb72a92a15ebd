//! The key of the next request: fixed, or asked for and asked for again when it is refused.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;

use super::bell::Bell;
use super::config::{Config, Credentials};
use super::runtime::Runtime;

/// A key on its way, or why there is none.
pub type Asked = Pin<Box<dyn Future<Output = Result<String, String>>>>;

/// Knows the key of the moment, for credentials that change.
pub trait KeySource {
    /// Asks for the key. Asked once for all calls, and again once a server refused it. It is asked to
    /// its end, also when the call that needed the key has ended.
    fn key(&self) -> Asked;
}

/// The key that the calls of a client share.
pub(super) struct Keys {
    source: Option<Rc<dyn KeySource>>,
    runtime: Rc<dyn Runtime>,
    known: RefCell<Option<Credentials>>,
    asking: RefCell<Option<Rc<Asking>>>,
}

/// A key that was asked for, for all who wait for it.
#[derive(Default)]
struct Asking {
    answer: RefCell<Option<Result<Credentials, String>>>,
    answered: Bell,
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

    /// The key, asked for where it must be. However many calls wait, it is asked for once.
    pub(super) async fn get(self: &Rc<Self>) -> Result<Option<Credentials>, String> {
        let known = self.known.borrow().clone();
        let (None, Some(source)) = (&known, &self.source) else {
            return Ok(known);
        };
        let under_way = self.asking.borrow().clone();
        let asking = under_way.unwrap_or_else(|| self.ask(source));
        loop {
            let answered = asking.answered.next();
            if let Some(answer) = &*asking.answer.borrow() {
                return answer.clone().map(Some);
            }
            answered.await;
        }
    }

    /// Asks in a task of its own: a call that ends early must not take the answer from the others,
    /// and a source must not be asked twice at once.
    fn ask(self: &Rc<Self>, source: &Rc<dyn KeySource>) -> Rc<Asking> {
        let asking = Rc::<Asking>::default();
        // Noted first: the source may make calls that need the key.
        *self.asking.borrow_mut() = Some(Rc::clone(&asking));
        let key = source.key();
        let (keys, answering) = (Rc::downgrade(self), Rc::clone(&asking));
        self.runtime.spawn(Box::pin(async move {
            let answer = key.await.and_then(|key| {
                Credentials::new(&key)
                    .map_err(|problem| format!("what it gave is no key. {problem}"))
            });
            if let Some(keys) = keys.upgrade() {
                *keys.asking.borrow_mut() = None;
                if let Ok(key) = &answer {
                    *keys.known.borrow_mut() = Some(key.clone());
                }
            }
            *answering.answer.borrow_mut() = Some(answer);
            answering.answered.ring();
        }));
        asking
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
