//! When to poll a job again. Pure.

use std::time::Duration;

use super::retry::scaled;

/// The polling intervals: 1 s at first, 1.5 times as long after each poll, at most 10 s. A jitter
/// of ±10 % keeps many clients from polling in step.
#[derive(Clone, Debug, PartialEq)]
pub struct PollBackoff {
    next: Duration,
}

impl PollBackoff {
    /// The wait before the second poll.
    pub const FIRST_DELAY: Duration = Duration::from_secs(1);
    /// The longest wait, without the jitter.
    pub const MAX_DELAY: Duration = Duration::from_secs(10);

    /// Returns the wait before the next poll. `random` is in `0.0..1.0`.
    pub fn next(&mut self, random: f64) -> Duration {
        let wait = self.next;
        self.next = scaled(wait, 1.5).min(Self::MAX_DELAY);
        // A NaN counts as 0.
        let random = if random > 0.0 { random.min(1.0) } else { 0.0 };
        scaled(wait, 0.9 + 0.2 * random)
    }
}

impl Default for PollBackoff {
    fn default() -> Self {
        Self {
            next: Self::FIRST_DELAY,
        }
    }
}
