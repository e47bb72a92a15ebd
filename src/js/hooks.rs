//! JavaScript functions that observe calls.

use js_sys::Function;
use wasm_bindgen::JsValue;

use super::convert::{camel_case, notify, object, or_null};
use super::error::to_js;
use super::options::Options;
use crate::client::gate::GateStatus;
use crate::client::hooks::{GateEvent, Hooks, RequestEvent, ResponseEvent, RetryEvent};
use crate::client::runtime::milliseconds;

const HOOKS: [&str; 4] = ["onRequest", "onResponse", "onRetry", "onGate"];

/// `hooks: {onRequest, onResponse, onRetry, onGate}`.
pub(super) struct JsHooks {
    request: Option<Function>,
    response: Option<Function>,
    retry: Option<Function>,
    gate: Option<Function>,
}

impl JsHooks {
    pub(super) fn read(hooks: &JsValue) -> Result<Self, JsValue> {
        let hooks = Options::new("options.hooks", hooks, &HOOKS)?;
        Ok(Self {
            request: hooks.function("onRequest")?,
            response: hooks.function("onResponse")?,
            retry: hooks.function("onRetry")?,
            gate: hooks.function("onGate")?,
        })
    }
}

impl Hooks for JsHooks {
    fn on_request(&self, event: &RequestEvent<'_>) {
        if let Some(hook) = &self.request {
            let event = object(&[
                ("operation", camel_case(event.operation).into()),
                ("method", event.method.into()),
                ("url", event.url.into()),
                ("attempt", event.attempt.into()),
            ]);
            notify(hook, &event);
        }
    }

    fn on_response(&self, event: &ResponseEvent<'_>) {
        if let Some(hook) = &self.response {
            let event = object(&[
                ("operation", camel_case(event.request.operation).into()),
                ("method", event.request.method.into()),
                ("url", event.request.url.into()),
                ("attempt", event.request.attempt.into()),
                ("status", or_null(event.status)),
                ("requestId", or_null(event.request_id)),
                ("durationMs", (event.duration.as_secs_f64() * 1000.0).into()),
                ("aborted", event.aborted.into()),
                ("error", or_null(event.error.map(to_js))),
            ]);
            notify(hook, &event);
        }
    }

    fn on_retry(&self, event: &RetryEvent<'_>) {
        if let Some(hook) = &self.retry {
            let event = object(&[
                ("operation", camel_case(event.operation).into()),
                ("attempt", event.attempt.into()),
                ("delayMs", milliseconds(event.delay).into()),
                ("reason", event.error.summary().into()),
                ("status", or_null(event.error.status)),
                ("error", to_js(event.error)),
            ]);
            notify(hook, &event);
        }
    }

    fn on_gate(&self, event: GateEvent) {
        if let Some(hook) = &self.gate {
            notify(hook, &gate(event));
        }
    }
}

/// Returns the state of the gate as a plain object.
pub(super) fn gate(event: GateEvent) -> JsValue {
    let state = match event.status {
        GateStatus::Open => "open",
        GateStatus::Closed { .. } => "closed",
        GateStatus::Probing => "probing",
    };
    object(&[
        ("state", state.into()),
        ("retryAfterMs", milliseconds(event.wait).into()),
        ("waiting", event.waiting.into()),
    ])
}
