//! JavaScript functions that watch calls, and the one that knows the key.

use js_sys::{Function, Promise, Reflect, global};
use serde::Serialize;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::error::{camel, value};
use super::options::Bag;
use crate::client::gate::View;
use crate::client::hooks::{GateEvent, Hooks, RequestEvent, ResponseEvent, RetryEvent};
use crate::client::keys::{Asked, KeySource};

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

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'a> {
    operation: String,
    method: &'a str,
    url: &'a str,
    attempt: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Response<'a> {
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
struct Retry {
    operation: String,
    attempt: u32,
    delay_ms: f64,
    reason: String,
    status: Option<u16>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Gate {
    state: &'static str,
    retry_after_ms: f64,
    waiting: usize,
}

impl Hooks for Watcher {
    fn on_request(&self, event: &RequestEvent<'_>) {
        tell(self.request.as_ref(), || Request {
            operation: camel(event.operation),
            method: event.method,
            url: event.url,
            attempt: event.attempt,
        });
    }

    fn on_response(&self, event: &ResponseEvent<'_>) {
        tell(self.response.as_ref(), || Response {
            operation: camel(event.request.operation),
            method: event.request.method,
            url: event.request.url,
            attempt: event.request.attempt,
            status: event.status,
            request_id: event.request_id,
            duration_ms: event.duration.as_secs_f64() * 1000.0,
        });
    }

    fn on_retry(&self, event: &RetryEvent<'_>) {
        tell(self.retry.as_ref(), || Retry {
            operation: camel(event.operation),
            attempt: event.attempt,
            delay_ms: event.delay.as_secs_f64() * 1000.0,
            reason: event.error.what(),
            status: event.error.status,
        });
    }

    fn on_gate(&self, event: GateEvent) {
        tell(self.gate.as_ref(), || standing(event));
    }
}

fn standing(event: GateEvent) -> Gate {
    Gate {
        state: match event.view {
            View::Open => "open",
            View::Closed { .. } => "closed",
            View::Probing => "probing",
        },
        retry_after_ms: event.wait.as_secs_f64() * 1000.0,
        waiting: event.waiting,
    }
}

/// The gate as a plain object.
pub(super) fn gate(event: GateEvent) -> JsValue {
    value(&standing(event))
}

fn tell<T: Serialize>(hook: Option<&Function>, event: impl FnOnce() -> T) {
    if let Some(hook) = hook {
        call(hook, &value(&event()));
    }
}

/// Calls a function of the embedder's. What it throws is reported and ends no call.
pub(super) fn call(function: &Function, argument: &JsValue) {
    if let Err(thrown) = function.call1(&JsValue::UNDEFINED, argument) {
        let report = Reflect::get(&global(), &"reportError".into())
            .and_then(|report| report.dyn_into::<Function>());
        match report {
            // Nobody is left to tell when even the reporting fails.
            Ok(report) => drop(report.call1(&JsValue::UNDEFINED, &thrown)),
            Err(_) => web_sys::console::error_1(&thrown),
        }
    }
}

/// `getApiKey`.
pub(super) struct AskedKey(pub(super) Function);

impl KeySource for AskedKey {
    fn key(&self) -> Asked {
        let answer = self.0.call0(&JsValue::UNDEFINED);
        Box::pin(async move {
            let answer = match answer {
                Ok(answer) => JsFuture::from(Promise::resolve(&answer)).await,
                thrown => thrown,
            };
            match answer {
                Ok(key) => key
                    .as_string()
                    .ok_or_else(|| "getApiKey gave something other than a string".into()),
                Err(thrown) => Err(match thrown.dyn_ref::<js_sys::Error>() {
                    Some(error) => format!("getApiKey failed: {}", String::from(error.message())),
                    None => "getApiKey failed".into(),
                }),
            }
        })
    }
}
