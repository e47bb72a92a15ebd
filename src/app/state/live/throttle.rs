//! Runs something at once, and then not more often than after a while.

use std::rc::Rc;

use crate::app::reactive::StoredValue;
use gloo_timers::callback::Timeout;

#[derive(Default)]
struct State {
    is_wanted: bool,
    timer: Option<Timeout>,
}

/// Dropped with its owner.
#[derive(Clone, Copy)]
pub(super) struct Throttle {
    /// Milliseconds from one run to the next.
    gap: u32,
    state: StoredValue<State>,
}

impl Throttle {
    pub(super) fn new(gap: u32) -> Self {
        Self {
            gap,
            state: StoredValue::new(State::default()),
        }
    }

    /// Runs now, or once the last run is long enough ago.
    pub(super) fn run(self, run: impl Fn() + 'static) {
        let is_idle = self.state.try_update_value(|state| {
            state.is_wanted = true;
            state.timer.is_none()
        });
        if is_idle == Some(true) {
            self.run_if_wanted(Rc::new(run));
        }
    }

    fn run_if_wanted(self, run: Rc<dyn Fn()>) {
        let runs = self.state.try_update_value(|state| {
            let runs = std::mem::take(&mut state.is_wanted);
            let next = Rc::clone(&run);
            state.timer = runs.then(|| Timeout::new(self.gap, move || self.run_if_wanted(next)));
            runs
        });
        if runs == Some(true) {
            run();
        }
    }
}
