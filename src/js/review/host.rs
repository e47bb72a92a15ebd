//! The page as the host of a decision engine.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Date, Function};
use wasm_bindgen::JsValue;

use crate::client::Client;
use crate::client::browser::is_online;
use crate::client::runtime::Task;
use crate::js::convert;
use crate::platform::idle::idle;
use crate::review::engine::{Event, Host};

/// The page as the host of the engine.
pub(super) struct Page {
    pub(super) client: Client,
    pub(super) on_change: OnChange,
}

/// The page's listener, until the review is closed: it refers to the page's object, which refers to this module's.
#[derive(Clone)]
pub(super) struct OnChange(Rc<RefCell<Option<Function>>>);

impl OnChange {
    pub(super) fn new(listener: Function) -> Self {
        Self(Rc::new(RefCell::new(Some(listener))))
    }

    /// Releases the listener, which is not called any more.
    pub(super) fn release(&self) {
        self.0.take();
    }

    pub(super) fn call(&self) {
        // Cloned first, because the listener may close the review.
        let listener = self.0.borrow().clone();
        if let Some(listener) = listener {
            convert::notify(&listener, &JsValue::UNDEFINED);
        }
    }
}

impl Host for Page {
    fn client(&self) -> Option<Client> {
        Some(self.client.clone())
    }

    fn is_online(&self) -> bool {
        is_online()
    }

    fn now(&self) -> u64 {
        Date::now() as u64
    }

    fn before_send(&self) -> Task {
        Box::pin(idle())
    }

    fn on_event(&self, event: Event<'_>) {
        // The others are about a single screen's rows, or come with one of these.
        if let Event::Leads(_) | Event::History | Event::Runs | Event::Pause | Event::Stored = event
        {
            self.on_change.call();
        }
    }
}
