//! Counts the rows for each relaxation to drop a filter, one after the other.

use std::pin::Pin;

use super::abort_on_drop::AbortOnDrop;
use crate::app::reactive::{RwSignal, StoredValue};

/// A count in progress. `None` if it failed.
pub type CountFuture = Pin<Box<dyn Future<Output = Option<u64>>>>;

#[derive(Clone, Copy)]
pub struct RelaxationCounts {
    /// By relaxation; `None` while unknown.
    pub counts: RwSignal<Vec<Option<u64>>>,
    in_flight: StoredValue<Option<AbortOnDrop>>,
}

impl RelaxationCounts {
    pub fn start() -> Self {
        Self {
            counts: RwSignal::new(Vec::new()),
            in_flight: StoredValue::new(None),
        }
    }

    /// Counts for each relaxation, with a request that is sent when it is polled. A single one is not counted, as there
    /// is nothing to compare it with.
    pub fn count_matches(self, requests: Vec<CountFuture>) {
        self.counts.set(vec![None; requests.len()]);
        if requests.len() < 2 {
            self.in_flight.set_value(None);
            return;
        }
        let work: Pin<Box<dyn Future<Output = ()>>> = Box::pin(async move {
            let mut counts = Vec::with_capacity(requests.len());
            for request in requests {
                // Without a count the relaxation is still shown.
                counts.push(request.await);
            }
            // All at once: a button that does not help is hidden, and the others move. A click meanwhile would be lost.
            self.counts.try_update(|shown| *shown = counts);
        });
        self.in_flight.set_value(Some(AbortOnDrop::start(work)));
    }
}
