//! Waits for a pause in typing.

use crate::app::reactive::StoredValue;
use gloo_timers::callback::Timeout;

/// Pause in typing after which a search starts, in milliseconds.
const DEBOUNCE_MS: u32 = 150;

/// Runs a closure after a pause. A pending run is dropped with the component that created this.
#[derive(Clone, Copy)]
pub struct Debounce(StoredValue<Option<Timeout>>);

impl Debounce {
    pub fn start() -> Self {
        Self(StoredValue::new(None))
    }

    /// Runs `run` after a pause. Replaces a pending run.
    pub fn run_later(self, run: impl FnOnce() + 'static) {
        self.0.set_value(Some(Timeout::new(DEBOUNCE_MS, run)));
    }

    /// Cancels a pending run.
    pub fn cancel(self) {
        self.0.try_update_value(Option::take);
    }

    pub fn is_pending(self) -> bool {
        self.0.with_value(Option::is_some)
    }
}
