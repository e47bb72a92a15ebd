//! Counts the rows for each suggestion to drop a filter, one after the other.

use std::pin::Pin;
use std::rc::Rc;

use leptos::prelude::*;

use super::abort_on_drop::AbortOnDrop;

/// A count in progress. `None` if it failed.
pub type CountFuture = Pin<Box<dyn Future<Output = Option<u64>>>>;

#[derive(Clone, Copy)]
pub struct SuggestionCounts {
    /// By suggestion; `None` while unknown.
    pub counts: RwSignal<Vec<Option<u64>>>,
    in_flight: StoredValue<Option<AbortOnDrop>>,
}

impl SuggestionCounts {
    pub fn start() -> Self {
        Self {
            counts: RwSignal::new(Vec::new()),
            in_flight: StoredValue::new(None),
        }
    }

    /// Counts for this many suggestions. A single one is not counted, as there is nothing to compare it with.
    pub fn count_matches(
        self,
        suggestions: usize,
        request_count: Option<Rc<dyn Fn(usize) -> CountFuture>>,
    ) {
        self.counts.set(vec![None; suggestions]);
        let Some(request_count) = request_count.filter(|_| suggestions > 1) else {
            self.in_flight.set_value(None);
            return;
        };
        let work: Pin<Box<dyn Future<Output = ()>>> = Box::pin(async move {
            for index in 0..suggestions {
                let total = request_count(index).await;
                // Without a count the suggestion is still shown.
                self.counts.try_update(|counts| {
                    if let Some(count) = counts.get_mut(index) {
                        *count = total;
                    }
                });
            }
        });
        self.in_flight.set_value(Some(AbortOnDrop::start(work)));
    }
}
