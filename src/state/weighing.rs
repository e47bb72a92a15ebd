//! How many rows each way out of an empty list leads to, counted one after the other.

use std::pin::Pin;
use std::rc::Rc;

use leptos::prelude::*;

use super::flight::Flight;
use crate::signal::RwSignal;

/// A count on its way; none where it could not be had.
pub type Count = Pin<Box<dyn Future<Output = Option<u64>>>>;

/// The ways of an empty list, and what they lead to.
#[derive(Clone, Copy)]
pub struct Weighing {
    /// The counts, as far as they are known.
    pub counts: RwSignal<Vec<Option<u64>>>,
    flight: StoredValue<Option<Flight>>,
}

impl Weighing {
    /// Nothing is weighed.
    pub fn start() -> Self {
        Self {
            counts: RwSignal::new(Vec::new()),
            flight: StoredValue::new(None),
        }
    }

    /// Counts so many ways. One way is the way; there is nothing to compare it with.
    pub fn weigh(self, ways: usize, ask: Option<Rc<dyn Fn(usize) -> Count>>) {
        self.counts.set(vec![None; ways]);
        let Some(ask) = ask.filter(|_| ways > 1) else {
            self.flight.set_value(None);
            return;
        };
        let work: Pin<Box<dyn Future<Output = ()>>> = Box::pin(async move {
            for index in 0..ways {
                let total = ask(index).await;
                // Without a count the way is offered all the same.
                self.counts.try_update(|counts| {
                    if let Some(count) = counts.get_mut(index) {
                        *count = total;
                    }
                });
            }
        });
        self.flight.set_value(Some(Flight::start(work)));
    }
}
