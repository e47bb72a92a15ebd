//! JavaScript functions that observe calls.

use js_sys::Function;
use serde::Serialize;
use wasm_bindgen::JsValue;

use super::convert::{camel_case, notify, to_object};
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

#[derive(Serialize)]
struct JsRequest<'a> {
    operation: String,
    method: &'a str,
    url: &'a str,
    attempt: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsResponse<'a> {
    operation: String,
    method: &'a str,
    url: &'a str,
    attempt: u32,
    status: Option<u16>,
    request_id: Option<&'a str>,
    duration_ms: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsRetry {
    operation: String,
    attempt: u32,
    delay_ms: u32,
    reason: String,
    status: Option<u16>,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    error: JsValue,
}

impl Hooks for JsHooks {
    fn on_request(&self, event: &RequestEvent<'_>) {
        if let Some(hook) = &self.request {
            let event = JsRequest {
                operation: camel_case(event.operation),
                method: event.method,
                url: event.url,
                attempt: event.attempt,
            };
            notify(hook, &to_object(&event));
        }
    }

    fn on_response(&self, event: &ResponseEvent<'_>) {
        if let Some(hook) = &self.response {
            let event = JsResponse {
                operation: camel_case(event.request.operation),
                method: event.request.method,
                url: event.request.url,
                attempt: event.request.attempt,
                status: event.status,
                request_id: event.request_id,
                duration_ms: event.duration.as_secs_f64() * 1000.0,
            };
            notify(hook, &to_object(&event));
        }
    }

    fn on_retry(&self, event: &RetryEvent<'_>) {
        if let Some(hook) = &self.retry {
            let event = JsRetry {
                operation: camel_case(event.operation),
                attempt: event.attempt,
                delay_ms: milliseconds(event.delay),
                reason: event.error.summary(),
                status: event.error.status,
                error: to_js(event.error),
            };
            notify(hook, &to_object(&event));
        }
    }

    fn on_gate(&self, event: GateEvent) {
        if let Some(hook) = &self.gate {
            notify(hook, &gate(event));
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsGate {
    state: &'static str,
    retry_after_ms: u32,
    waiting: usize,
}

/// Returns the state of the gate as a plain object.
pub(super) fn gate(event: GateEvent) -> JsValue {
    to_object(&JsGate {
        state: match event.status {
            GateStatus::Open => "open",
            GateStatus::Closed { .. } => "closed",
            GateStatus::Probing => "probing",
        },
        retry_after_ms: milliseconds(event.wait),
        waiting: event.waiting,
    })
}
