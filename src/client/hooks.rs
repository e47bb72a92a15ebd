//! What a program may watch of its calls. Nothing here ever holds a key.

use std::time::Duration;

use super::error::Error;
use super::gate::View;
use super::retry::Moment;
use super::runtime::Runtime;
use super::transport::Reply;

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

/// A request ended, with an answer or without. Each that left ends once, also when its call was
/// dropped, as an aborted one is.
#[derive(Clone, Copy, Debug)]
pub struct ResponseEvent<'a> {
    /// What was sent.
    pub request: RequestEvent<'a>,
    /// The HTTP status; nothing when there was no answer, or none was waited for.
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

/// A request under way, as hooks see it: of its end they are told once.
pub(super) struct Watched<'a> {
    hooks: Option<&'a dyn Hooks>,
    runtime: &'a dyn Runtime,
    event: RequestEvent<'a>,
    start: Moment,
}

impl<'a> Watched<'a> {
    /// The request is about to leave.
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

    /// The request ended, with this answer or without.
    pub(super) fn ended(mut self, reply: Option<&Reply>) {
        self.tell(reply);
    }

    fn tell(&mut self, reply: Option<&Reply>) {
        if let Some(hooks) = self.hooks.take() {
            hooks.on_response(&ResponseEvent {
                request: self.event,
                status: reply.map(|reply| reply.status),
                request_id: reply.and_then(|reply| reply.request_id.as_deref()),
                duration: self.runtime.now().saturating_sub(self.start),
            });
        }
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.tell(None);
    }
}
