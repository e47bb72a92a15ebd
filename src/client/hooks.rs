//! Hooks that observe calls. No event ever contains a key.

use std::time::Duration;

use super::error::Error;
use super::gate::GateStatus;
use super::retry::MonotonicTime;
use super::runtime::Runtime;
use super::transport::HttpResponse;

/// A request is about to be sent.
#[derive(Clone, Copy, Debug)]
pub struct RequestEvent<'a> {
    /// The operation, e.g. `update_lead`.
    pub operation: &'static str,
    /// The HTTP method.
    pub method: &'static str,
    /// The URL, without the query string.
    pub url: &'a str,
    /// The number of this request within the call, from 1.
    pub attempt: u32,
}

/// A request ended, with or without a response. Every request that was sent has exactly one such
/// event, also if its call was dropped, e.g. by an abort.
#[derive(Clone, Copy, Debug)]
pub struct ResponseEvent<'a> {
    /// The request that ended.
    pub request: RequestEvent<'a>,
    /// The HTTP status; `None` if no response arrived or the request was aborted.
    pub status: Option<u16>,
    /// The response's `x-request-id`.
    pub request_id: Option<&'a str>,
    /// Time from sending the request to the end of the response.
    pub duration: Duration,
    /// Whether the request was aborted, because its call was dropped.
    pub aborted: bool,
    /// Why the request failed; `None` if it succeeded or was aborted.
    pub error: Option<&'a Error>,
}

/// A call will be sent again.
#[derive(Clone, Copy, Debug)]
pub struct RetryEvent<'a> {
    /// The operation, e.g. `update_lead`.
    pub operation: &'static str,
    /// Requests sent so far.
    pub attempt: u32,
    /// The wait before the next request.
    pub delay: Duration,
    /// Why the last request failed.
    pub error: &'a Error,
}

/// The rate-limit gate changed, or a call started or stopped waiting for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateEvent {
    /// The state of the gate.
    pub status: GateStatus,
    /// How long it stays closed, as far as is known.
    pub wait: Duration,
    /// Number of waiting calls.
    pub waiting: usize,
}

/// Observes calls. All methods do nothing by default.
pub trait Hooks {
    /// Called before a request is sent.
    fn on_request(&self, event: &RequestEvent<'_>) {
        let _ = event;
    }

    /// Called when a request ended.
    fn on_response(&self, event: &ResponseEvent<'_>) {
        let _ = event;
    }

    /// Called before the wait for a retry.
    fn on_retry(&self, event: &RetryEvent<'_>) {
        let _ = event;
    }

    /// Called when the gate or its queue changed.
    fn on_gate(&self, event: GateEvent) {
        let _ = event;
    }
}

/// A request in progress. Reports its end to the hooks once, also when it is dropped.
pub(super) struct ObservedRequest<'a> {
    hooks: Option<&'a dyn Hooks>,
    runtime: &'a dyn Runtime,
    event: RequestEvent<'a>,
    start: MonotonicTime,
}

impl<'a> ObservedRequest<'a> {
    /// Reports that the request is about to be sent.
    pub(super) fn start(
        hooks: Option<&'a dyn Hooks>,
        runtime: &'a dyn Runtime,
        event: RequestEvent<'a>,
    ) -> Self {
        if let Some(hooks) = hooks {
            hooks.on_request(&event);
        }
        Self {
            hooks,
            runtime,
            event,
            start: runtime.now(),
        }
    }

    /// Reports the end of the request.
    pub(super) fn ended(mut self, result: Result<&HttpResponse, &Error>) {
        self.report(Some(result));
    }

    /// `None` means that the request was aborted.
    fn report(&mut self, result: Option<Result<&HttpResponse, &Error>>) {
        if let Some(hooks) = self.hooks.take() {
            let (status, request_id) = match result {
                Some(Ok(response)) => (Some(response.status), response.request_id.as_deref()),
                Some(Err(error)) => (error.status, error.request_id.as_deref()),
                None => (None, None),
            };
            hooks.on_response(&ResponseEvent {
                request: self.event,
                status,
                request_id,
                duration: self.runtime.now().saturating_sub(self.start),
                aborted: result.is_none(),
                error: result.and_then(Result::err),
            });
        }
    }
}

impl Drop for ObservedRequest<'_> {
    fn drop(&mut self) {
        self.report(None);
    }
}
