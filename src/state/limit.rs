//! The rate limit of the workspace, as the screen tells of it.

use crate::client::gate::View;
use crate::client::hooks::{GateEvent, Hooks};
use crate::signal::RwSignal;

/// The workspace is over its rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The seconds until it is asked again; none while one request finds out.
    pub seconds: u64,
    /// Requests that wait.
    pub waiting: usize,
}

/// Keeps the signal up to date with the gate of a client.
pub struct Watch(pub RwSignal<Option<Limit>>);

impl Hooks for Watch {
    fn on_gate(&self, event: GateEvent) {
        let limit = match event.view {
            View::Open => None,
            View::Closed { .. } | View::Probing => Some(Limit {
                seconds: event.wait.as_millis().div_ceil(1000) as u64,
                waiting: event.waiting,
            }),
        };
        self.0.try_maybe_update(|shown| {
            let news = *shown != limit;
            *shown = limit;
            (news, ())
        });
    }
}
