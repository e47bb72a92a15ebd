//! The rate limit of the workspace, as the screen tells of it.

use std::rc::Rc;

use crate::client::gate::View;
use crate::client::hooks::{GateEvent, Hooks, RequestEvent, ResponseEvent, RetryEvent};
use crate::signal::RwSignal;

/// The workspace is over its rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The seconds until it is asked again; none while one request finds out.
    pub seconds: u64,
    /// Requests that wait.
    pub waiting: usize,
}

/// Keeps a signal up to date with the gate of a client.
pub struct Watch {
    /// The signal.
    pub limit: RwSignal<Option<Limit>>,
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
