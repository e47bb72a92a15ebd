//! When to poll a job again. Pure.

use std::time::Duration;

/// The polling intervals: 1 s at first, 1.5 times as long after each poll, at most 10 s. A jitter
/// of ±10 % keeps many clients from polling in step.
#[derive(Clone, Debug, PartialEq)]
pub struct Rhythm {
    next: Duration,
}

impl Rhythm {
    /// The wait before the second poll.
    pub const FIRST: Duration = Duration::from_secs(1);
    /// The longest wait, without the jitter.
    pub const LONGEST: Duration = Duration::from_secs(10);

    /// Returns the wait before the next poll. `dice` is in `0.0..1.0`.
    pub fn next(&mut self, dice: f64) -> Duration {
        let wait = self.next;
        self.next = wait.mul_f64(1.5).min(Self::LONGEST);
        let dice = if dice > 0.0 { dice.min(1.0) } else { 0.0 };
        wait.mul_f64(0.9 + 0.2 * dice)
    }
}

impl Default for Rhythm {
    fn default() -> Self {
        Self { next: Self::FIRST }
    }
}
