//! Applies the options of the page's own `Workspace` to the client of the embedded app.

use std::rc::Rc;
use std::time::Duration;

use js_sys::{Array, Object};
use wasm_bindgen::{JsCast, JsValue};

use super::callbacks::call_with;
use crate::app::state::session::ClientSetup;
use crate::client::gate::GateStatus;
use crate::client::hooks::{GateEvent, Hooks, RequestEvent, ResponseEvent, RetryEvent};
use crate::client::retry::Policy;
use crate::client::runtime::milliseconds;
use crate::client::{Config, ExtraHeaders, property};

/// Reads the options of a `Workspace`. They are not validated here, as its client has rejected invalid ones.
pub(super) fn read(options: &JsValue) -> ClientSetup {
    let number = |of: &JsValue, name: &str| property(of, name)?.as_f64();
    let time = move |of: &JsValue, name: &str| number(of, name).map(duration);
    let retry = property(options, "retry").unwrap_or_default();
    let usual = Policy::default();
    let policy = Policy {
        attempts: number(&retry, "attempts").map_or(usual.attempts, |count| count as u32),
        base: time(&retry, "baseMs").unwrap_or(usual.base),
        base_limited: time(&retry, "limitedBaseMs").unwrap_or(usual.base_limited),
        cap: time(&retry, "capMs").unwrap_or(usual.cap),
        longest_wait: time(&retry, "longestWaitMs").unwrap_or(usual.longest_wait),
    };
    let (timeout, deadline) = (time(options, "timeoutMs"), time(options, "deadlineMs"));
    let job_path = property(options, "jobPath").and_then(|path| path.as_string());
    let body_cap = number(options, "maxBodyBytes");
    let mut extra_headers = ExtraHeaders::default();
    for (name, value) in headers(options) {
        // The client of the workspace has refused those that are not valid.
        let _ = extra_headers.set(&name, &value);
    }
    let hooks = property(options, "hooks").map(|hooks| Rc::new(PageHooks(hooks)) as Rc<dyn Hooks>);
    Rc::new(move |mut config: Config| {
        config.policy = policy.clone();
        config.timeout = timeout;
        config.deadline = deadline;
        if let Some(cap) = body_cap {
            config.body_cap = cap as usize;
        }
        config.hooks = hooks.clone();
        config.extra_headers = extra_headers.clone();
        match &job_path {
            Some(path) => config.with_job_path(path),
            None => Ok(config),
        }
    })
}

/// Returns the names and values of `headers`: an object of strings.
fn headers(options: &JsValue) -> Vec<(String, String)> {
    let Some(headers) = property(options, "headers").filter(JsValue::is_object) else {
        return Vec::new();
    };
    let entries = Object::entries(headers.unchecked_ref());
    let pair = |entry: JsValue| {
        let entry = Array::from(&entry);
        Some((entry.get(0).as_string()?, entry.get(1).as_string()?))
    };
    entries.iter().filter_map(pair).collect()
}

fn duration(milliseconds: f64) -> Duration {
    // Longer than ten years is as good as forever, and keeps every sum in range.
    Duration::from_micros((milliseconds.clamp(0.0, 3e11) * 1000.0) as u64)
}

/// `hooks: {onRequest, onResponse, onRetry, onGate}`.
struct PageHooks(JsValue);

impl PageHooks {
    fn tell(&self, name: &str, fields: &[(&str, JsValue)]) {
        if let Some(hook) = property(&self.0, name).and_then(|hook| hook.dyn_into().ok()) {
            call_with(&hook, fields);
        }
    }
}

impl Hooks for PageHooks {
    fn on_request(&self, event: &RequestEvent<'_>) {
        self.tell("onRequest", &request(event));
    }

    fn on_response(&self, event: &ResponseEvent<'_>) {
        let duration = event.duration.as_secs_f64() * 1000.0;
        let [operation, method, url, attempt] = request(&event.request);
        let fields = [
            operation,
            method,
            url,
            attempt,
            ("status", event.status.map_or(JsValue::NULL, JsValue::from)),
            (
                "requestId",
                event.request_id.map_or(JsValue::NULL, JsValue::from),
            ),
            ("durationMs", duration.into()),
            ("aborted", event.aborted.into()),
        ];
        self.tell("onResponse", &fields);
    }

    fn on_retry(&self, event: &RetryEvent<'_>) {
        let status = event.error.status;
        let fields = [
            ("operation", camel(event.operation).into()),
            ("attempt", event.attempt.into()),
            ("delayMs", milliseconds(event.delay).into()),
            ("reason", event.error.summary().into()),
            ("status", status.map_or(JsValue::NULL, JsValue::from)),
        ];
        self.tell("onRetry", &fields);
    }

    fn on_gate(&self, event: GateEvent) {
        let state = match event.status {
            GateStatus::Open => "open",
            GateStatus::Closed { .. } => "closed",
            GateStatus::Probing => "probing",
        };
        let fields = [
            ("state", state.into()),
            ("retryAfterMs", milliseconds(event.wait).into()),
            ("waiting", (event.waiting as u32).into()),
        ];
        self.tell("onGate", &fields);
    }
}

fn request(event: &RequestEvent<'_>) -> [(&'static str, JsValue); 4] {
    [
        ("operation", camel(event.operation).into()),
        ("method", event.method.into()),
        ("url", event.url.into()),
        ("attempt", event.attempt.into()),
    ]
}

/// Returns the JavaScript name of an operation: `updateLead` for `update_lead`.
fn camel(operation: &str) -> String {
    let mut words = operation.split('_');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(word.len().min(1));
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    name
}
