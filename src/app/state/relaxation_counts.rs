//! Counts the rows for each relaxation to drop a filter, one after the other.

use std::pin::Pin;
use std::rc::Rc;

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

    /// Counts for this many relaxations. A single one is not counted, as there is nothing to compare it with.
    pub fn count_matches(
        self,
        relaxations: usize,
        request_count: Option<Rc<dyn Fn(usize) -> CountFuture>>,
    ) {
        self.counts.set(vec![None; relaxations]);
        let Some(request_count) = request_count.filter(|_| relaxations > 1) else {
            self.in_flight.set_value(None);
            return;
        };
        let work: Pin<Box<dyn Future<Output = ()>>> = Box::pin(async move {
            let mut counts = Vec::with_capacity(relaxations);
            for index in 0..relaxations {
                // Without a count the relaxation is still shown.
                counts.push(request_count(index).await);
            }
            // All at once: a button that does not help is hidden, and the others move. A click meanwhile would be lost.
            self.counts.try_update(|shown| *shown = counts);
        });
        self.in_flight.set_value(Some(AbortOnDrop::start(work)));
    }
}
