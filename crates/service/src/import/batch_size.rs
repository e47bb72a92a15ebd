//! How many lines an import writes at once.
//!
//! What the lines of a batch have in common is written once: the pages of indexes, the sync. But whoever
//! decides on a lead meanwhile waits for the batch.

use std::time::Duration;

/// How long a batch may take while other changes wait.
const SHARED: Duration = Duration::from_millis(20);

/// How long a batch may take while no one waits. The next change may have to wait for it.
const ALONE: Duration = Duration::from_millis(100);

/// The number of lines of the next batch.
pub(super) struct BatchSize {
    lines: usize,
    least: usize,
}

impl From<usize> for BatchSize {
    /// Begins with the fewest lines.
    fn from(least: usize) -> Self {
        Self {
            lines: least,
            least,
        }
    }
}

impl BatchSize {
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// Adapts the size to how long a batch of some lines took, and whether other changes waited.
    pub(super) fn adapt(&mut self, lines: usize, time: Duration, others_wait: bool) {
        let goal = if others_wait { SHARED } else { ALONE };
        let in_time = lines as f64 * goal.as_secs_f64() / time.as_secs_f64();
        // A single batch may be slow for another reason.
        let in_time = in_time.clamp(self.lines as f64 / 2.0, self.lines as f64 * 2.0);
        self.lines = (in_time as usize).max(self.least);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::BatchSize;

    #[test]
    fn a_batch_takes_less_time_while_others_wait() {
        let mut size = BatchSize::from(100);
        let mut batches = |count, others_wait| {
            for _ in 0..count {
                let lines = size.lines();
                // 0.1 ms for each line.
                size.adapt(
                    lines,
                    Duration::from_micros(lines as u64 * 100),
                    others_wait,
                );
            }
            size.lines()
        };
        assert_eq!(batches(1, false), 200);
        assert_eq!(batches(10, false), 1000);
        assert_eq!(batches(1, true), 500);
        assert_eq!(batches(10, true), 200);
    }

    #[test]
    fn a_batch_has_some_lines_however_long_they_take() {
        let mut size = BatchSize::from(100);
        size.adapt(100, Duration::from_secs(10), true);
        assert_eq!(size.lines(), 100);
        // Few lines that took no time at all, such as the last of a file.
        size.adapt(1, Duration::ZERO, false);
        assert_eq!(size.lines(), 200);
    }
}
