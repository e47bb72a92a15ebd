//! What the client observes of the server: the rate limit, and whether it responds.

use std::rc::Rc;

use crate::app::reactive::RwSignal;
use crate::client::UNAVAILABLE;
use crate::client::gate::GateStatus;
use crate::client::hooks::{GateEvent, Hooks, RequestEvent, ResponseEvent, RetryEvent};

/// The state of an exceeded rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveRateLimit {
    /// Seconds until the next request. 0 while a probe is in flight.
    pub seconds: u64,
    /// The number of waiting requests.
    pub waiting: usize,
}

/// Updates signals from the hooks of a client.
pub struct RateLimitState {
    pub limit: RwSignal<Option<ActiveRateLimit>>,
    /// Whether the server itself sent the last response.
    pub reached: RwSignal<bool>,
    /// The hooks of the host page, which are called as well.
    pub page: Option<Rc<dyn Hooks>>,
}

impl Hooks for RateLimitState {
    fn on_request(&self, event: &RequestEvent<'_>) {
        if let Some(page) = &self.page {
            page.on_request(event);
        }
    }

    fn on_response(&self, event: &ResponseEvent<'_>) {
        if let Some(page) = &self.page {
            page.on_response(event);
        }
        // These come from a gateway whose server is down.
        let reached = event
            .status
            .is_some_and(|status| !UNAVAILABLE.contains(&status));
        self.reached.try_maybe_update(|was| {
            let changed = *was != reached;
            *was = reached;
            (changed, ())
        });
    }

    fn on_retry(&self, event: &RetryEvent<'_>) {
        if let Some(page) = &self.page {
            page.on_retry(event);
        }
    }

    fn on_gate(&self, event: GateEvent) {
        if let Some(page) = &self.page {
            page.on_gate(event);
        }
        let limit = match event.status {
            GateStatus::Open => None,
            GateStatus::Closed { .. } | GateStatus::Probing => Some(ActiveRateLimit {
                // Rounded up. Milliseconds would be a division of 128 bits, which is a kilobyte of code.
                seconds: event.wait.as_secs() + u64::from(event.wait.subsec_millis() > 0),
                waiting: event.waiting,
            }),
        };
        self.limit.try_maybe_update(|shown| {
            let changed = *shown != limit;
            *shown = limit;
            (changed, ())
        });
    }
}
