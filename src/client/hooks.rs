//! What a program may watch of its calls. Nothing here ever holds a key.

use std::time::Duration;

use super::error::Error;
use super::gate::View;

/// A request is about to leave.
#[derive(Clone, Copy, Debug)]
pub struct RequestEvent<'a> {
    /// The operation, e.g. `update_lead`.
    pub operation: &'static str,
    /// The HTTP method.
    pub method: &'static str,
    /// The address, without the query string.
    pub url: &'a str,
    /// Which request of the call this is, from 1.
    pub attempt: u32,
}

/// A request ended.
#[derive(Clone, Copy, Debug)]
pub struct ResponseEvent<'a> {
    /// What was sent.
    pub request: RequestEvent<'a>,
    /// The HTTP status; nothing when there was no answer.
    pub status: Option<u16>,
    /// The response's `x-request-id`.
    pub request_id: Option<&'a str>,
    /// From the first byte out to the last byte in.
    pub duration: Duration,
}

/// A call will be sent again.
#[derive(Clone, Copy, Debug)]
pub struct RetryEvent<'a> {
    /// The operation.
    pub operation: &'static str,
    /// Requests sent so far.
    pub attempt: u32,
    /// The wait before the next one.
    pub delay: Duration,
    /// Why.
    pub error: &'a Error,
}

/// The gate changed, or somebody joined or left the queue before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateEvent {
    /// How the gate stands.
    pub view: View,
    /// How long it stays closed, as far as is known.
    pub wait: Duration,
    /// Calls that wait.
    pub waiting: usize,
}

/// Watches calls. Every method does nothing unless it is written.
pub trait Hooks {
    /// A request is about to leave.
    fn on_request(&self, event: &RequestEvent<'_>) {
        let _ = event;
    }

    /// A request ended.
    fn on_response(&self, event: &ResponseEvent<'_>) {
        let _ = event;
    }

    /// A call will be sent again.
    fn on_retry(&self, event: &RetryEvent<'_>) {
        let _ = event;
    }

    /// The gate changed.
    fn on_gate(&self, event: GateEvent) {
        let _ = event;
    }
}
