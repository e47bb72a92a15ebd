//! JavaScript functions that observe calls.

use js_sys::Function;
use wasm_bindgen::JsValue;

use super::error::to_js;
use super::face;
use super::options::Bag;
use crate::client::gate::View;
use crate::client::hooks::{GateEvent, Hooks, RequestEvent, ResponseEvent, RetryEvent};
use crate::client::runtime::milliseconds;

/// `hooks: {onRequest, onResponse, onRetry, onGate}`.
pub(super) struct Watcher {
    request: Option<Function>,
    response: Option<Function>,
    retry: Option<Function>,
    gate: Option<Function>,
}

impl Watcher {
    pub(super) fn read(hooks: &JsValue) -> Result<Self, JsValue> {
        let hooks = Bag::of("options.hooks", hooks)?;
        Ok(Self {
            request: hooks.function("onRequest")?,
            response: hooks.function("onResponse")?,
            retry: hooks.function("onRetry")?,
            gate: hooks.function("onGate")?,
        })
    }
}

impl Hooks for Watcher {
    fn on_request(&self, event: &RequestEvent<'_>) {
        if let Some(hook) = &self.request {
            face::tell_request(
                hook,
                event.operation,
                event.method,
                event.url,
                event.attempt,
            );
        }
    }

    fn on_response(&self, event: &ResponseEvent<'_>) {
        if let Some(hook) = &self.response {
            face::tell_response(
                hook,
                event.request.operation,
                event.request.method,
                event.request.url,
                event.request.attempt,
                event.status,
                event.request_id,
                event.duration.as_secs_f64() * 1000.0,
            );
        }
    }

    fn on_retry(&self, event: &RetryEvent<'_>) {
        if let Some(hook) = &self.retry {
            face::tell_retry(
                hook,
                event.operation,
                event.attempt,
                milliseconds(event.delay),
                &to_js(event.error),
            );
        }
    }

    fn on_gate(&self, event: GateEvent) {
        if let Some(hook) = &self.gate {
            face::tell(hook, &gate(event));
        }
    }
}

/// Returns the state of the gate as a plain object.
pub(super) fn gate(event: GateEvent) -> JsValue {
    let state = match event.view {
        View::Open => "open",
        View::Closed { .. } => "closed",
        View::Probing => "probing",
    };
    face::gate(state, milliseconds(event.wait), event.waiting)
}
