//! What the client sees of the server: its rate limit, and whether it answers.

use std::ops::RangeInclusive;
use std::rc::Rc;

use crate::client::gate::View;
use crate::client::hooks::{GateEvent, Hooks, RequestEvent, ResponseEvent, RetryEvent};
use crate::signal::RwSignal;

/// The statuses of a gateway whose server is away, and of a server that takes no requests now.
pub const UNAVAILABLE: RangeInclusive<u16> = 502..=504;

/// The workspace is over its rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The seconds until it is asked again; none while one request finds out.
    pub seconds: u64,
    /// Requests that wait.
    pub waiting: usize,
}

/// Keeps signals up to date with what a client sees.
pub struct Watch {
    /// The rate limit.
    pub limit: RwSignal<Option<Limit>>,
    /// Whether the server answered last time.
    pub reached: RwSignal<bool>,
    /// The hooks of the page around the app, which hear of everything as well.
    pub page: Option<Rc<dyn Hooks>>,
}

impl Hooks for Watch {
    fn on_request(&self, event: &RequestEvent<'_>) {
        if let Some(page) = &self.page {
            page.on_request(event);
        }
    }

    fn on_response(&self, event: &ResponseEvent<'_>) {
        if let Some(page) = &self.page {
            page.on_response(event);
        }
        // These come from what stands before a server that is away.
        let reached = event
            .status
            .is_some_and(|status| !UNAVAILABLE.contains(&status));
        self.reached.try_maybe_update(|was| {
            let news = *was != reached;
            *was = reached;
            (news, ())
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
        let limit = match event.view {
            View::Open => None,
            View::Closed { .. } | View::Probing => Some(Limit {
                seconds: event.wait.as_millis().div_ceil(1000) as u64,
                waiting: event.waiting,
            }),
        };
        self.limit.try_maybe_update(|shown| {
            let news = *shown != limit;
            *shown = limit;
            (news, ())
        });
    }
}
