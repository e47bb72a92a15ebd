//! Whether the share of approved leads differs significantly from the average.

use super::ByStatus;
use crate::app::model::wilson::interval;

/// A value with fewer decisions is not compared.
pub const MIN_DECISIONS: u64 = 10;

/// Standard deviations on each side of Wilson's interval: it contains the true share in 95 % of all cases.
const DEVIATIONS: f64 = 1.96;

/// Returns how far the share of approved leads is from that of `all` at least: negative if it is below. `None` if it may
/// be the same.
pub fn significant_difference(counts: ByStatus, all: ByStatus) -> Option<f64> {
    let decided = counts
        .decided()
        .filter(|decided| *decided >= MIN_DECISIONS)?;
    let of_all = all.decided().filter(|decided| *decided > 0)?;
    let average = all.approved()? as f64 / of_all as f64;
    let (low, high) = interval(counts.approved()? as f64, decided as f64, DEVIATIONS);
    if low > average {
        Some(low - average)
    } else if high < average {
        Some(high - average)
    } else {
        None
    }
}
