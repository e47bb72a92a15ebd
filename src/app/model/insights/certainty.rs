//! How sure it is that the decisions on some leads differ from the average.

use super::ByStatus;

/// A value with fewer decisions is not compared.
pub const MIN_DECISIONS: u64 = 10;

/// Standard deviations on each side of the interval: it contains the true share in 95 % of all cases.
const DEVIATIONS: f64 = 1.96;

/// Returns the interval of Wilson for the true share of `part`, between 0 and 1.
fn interval(part: f64, whole: f64) -> (f64, f64) {
    let share = part / whole;
    let square = DEVIATIONS * DEVIATIONS;
    let middle = share + square / (2.0 * whole);
    let spread = (share * (1.0 - share) / whole + square / (4.0 * whole * whole)).sqrt();
    let scale = 1.0 + square / whole;
    let spread = DEVIATIONS * spread;
    ((middle - spread) / scale, (middle + spread) / scale)
}

/// Returns how far the share of approved leads is from that of `all` at least: negative if it is below. `None` if it may
/// be the same.
pub fn certain_difference(counts: ByStatus, all: ByStatus) -> Option<f64> {
    let decided = counts
        .decided()
        .filter(|decided| *decided >= MIN_DECISIONS)?;
    let of_all = all.decided().filter(|decided| *decided > 0)?;
    let average = all.approved()? as f64 / of_all as f64;
    let (low, high) = interval(counts.approved()? as f64, decided as f64);
    if low > average {
        Some(low - average)
    } else if high < average {
        Some(high - average)
    } else {
        None
    }
}
