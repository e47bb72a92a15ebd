//! The stream of one client.

use std::time::Duration;

use bytes::Bytes;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::sleep;

use super::KeyValidity;
use super::event::{self, HEARTBEAT};
use crate::store::{Store, Tenant};

/// How long a stream is silent at most.
#[cfg(not(test))]
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(15);
#[cfg(test)]
const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(20);

pub(crate) struct ChangeStream {
    store: Store,
    tenant: Tenant,
    validity: KeyValidity,
    events: broadcast::Receiver<Bytes>,
    /// Events to be sent first, the last one first.
    first: Vec<Bytes>,
    /// Earlier changes that are read from the feed: after a version, and up to another.
    earlier: Option<(i64, i64)>,
}

impl ChangeStream {
    pub(super) fn new(
        store: Store,
        tenant: Tenant,
        validity: KeyValidity,
        events: broadcast::Receiver<Bytes>,
    ) -> Self {
        Self {
            store,
            tenant,
            validity,
            events,
            first: Vec::new(),
            earlier: None,
        }
    }

    /// Begins after a version, which the events follow.
    pub(super) fn after(mut self, version: i64) -> Self {
        self.first = vec![event::open(version)];
        self
    }

    /// Begins after another version than the one that the events follow.
    pub(super) fn after_earlier(self, since: i64, version: i64) -> Self {
        let mut stream = self.after(since);
        if since > version {
            // It is not a version of this workspace.
            stream.first.insert(0, event::reset(version));
        } else if since < version {
            stream.earlier = Some((since, version));
        }
        stream
    }

    /// Returns the next part of the body: an event, or a heartbeat. Returns nothing when the stream ends.
    pub(crate) async fn next(&mut self) -> Option<Bytes> {
        if let Some(event) = self.first.pop() {
            return Some(event);
        }
        while let Some((from, to)) = self.earlier {
            let read = self.store.change_step(self.tenant, from, to);
            let step = tokio::select! {
                () = self.validity.ended() => return None,
                step = read => step,
            };
            let step = match step {
                Ok(step) => step,
                Err(error) => {
                    // The client resumes with its last event.
                    tracing::warn!(%error, "could not read earlier changes");
                    return None;
                }
            };
            self.earlier = (step.version < to).then_some((step.version, to));
            if let Some(part) = event::of(&step) {
                return Some(part);
            }
        }
        tokio::select! {
            biased;
            () = self.validity.ended() => None,
            event = self.events.recv() => match event {
                Ok(event) => Some(event),
                Err(RecvError::Lagged(_)) => {
                    tracing::debug!("dropped a stream of changes whose client reads too slowly");
                    None
                }
                Err(RecvError::Closed) => None,
            },
            () = sleep(HEARTBEAT_INTERVAL) => Some(HEARTBEAT),
        }
    }
}

#[cfg(test)]
mod tests;
