//! When to look at a job again. Pure.

use std::time::Duration;

/// The rhythm of polling: 1 s at first, half as long again each time, 10 s at the most, with up to a
/// tenth of jitter either way so that many waiters do not march in step.
#[derive(Clone, Debug, PartialEq)]
pub struct Rhythm {
    next: Duration,
}

impl Rhythm {
    /// The wait before the second look.
    pub const FIRST: Duration = Duration::from_secs(1);
    /// The longest wait.
    pub const LONGEST: Duration = Duration::from_secs(10);

    /// The wait before the next look. `dice` is from 0 to below 1.
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
