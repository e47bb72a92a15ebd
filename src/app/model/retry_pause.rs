//! Pauses before a failed request is repeated.

/// Seconds before the first repetition.
const FIRST_PAUSE: u64 = 10;

/// Longest pause in seconds.
const MAX_PAUSE: u64 = 60;

/// Returns the seconds to wait after this many repetitions in a row.
pub fn retry_pause(repetitions: u32) -> u64 {
    let factor = 1_u64.checked_shl(repetitions);
    factor.map_or(MAX_PAUSE, |factor| {
        MAX_PAUSE.min(FIRST_PAUSE.saturating_mul(factor))
    })
}
