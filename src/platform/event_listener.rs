//! Listeners of events that are removed when dropped.

use js_sys::{Function, global};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

use crate::client::browser::method;
use crate::client::property;

/// A listener. Dropping it removes it.
pub struct EventListener {
    target: JsValue,
    event: &'static str,
    closure: Closure<dyn FnMut()>,
}

impl EventListener {
    /// Listens to an event of the page or worker; `None` where it has no events, as in Node.
    pub fn of_global(event: &'static str, on_event: impl FnMut() + 'static) -> Option<Self> {
        Self::new(global().into(), event, Box::new(on_event))
    }

    /// Listens to an event of the document; `None` where there is none.
    pub fn of_document(event: &'static str, on_event: impl FnMut() + 'static) -> Option<Self> {
        Self::new(property(&global(), "document")?, event, Box::new(on_event))
    }

    /// Listens to an event of a target; `None` if it has no events.
    pub fn new(target: JsValue, event: &'static str, on_event: Box<dyn FnMut()>) -> Option<Self> {
        let listener = Self {
            closure: Closure::wrap(on_event),
            target,
            event,
        };
        listener.call("addEventListener").then_some(listener)
    }

    /// Calls a method of the target with the event and the closure. Returns whether there is such a method.
    fn call(&self, name: &str) -> bool {
        let Some(method) = method(&self.target, name) else {
            return false;
        };
        let closure: &Function = self.closure.as_ref().unchecked_ref();
        // Neither method throws for a function.
        let _ = method.call2(&self.target, &self.event.into(), closure);
        true
    }
}

impl Drop for EventListener {
    fn drop(&mut self) {
        self.call("removeEventListener");
    }
}
