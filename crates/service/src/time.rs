//! The clock of the service.
//!
//! It may be wrong, and be set back at any time: nothing that waits depends on it.

use jiff::Timestamp;

pub use lead_workspace_logic::iso;

/// Returns the current time in the form of [`iso`].
pub fn now() -> String {
    iso(current())
}

/// Returns the current time.
#[cfg(not(debug_assertions))]
pub(crate) fn current() -> Timestamp {
    Timestamp::now()
}

/// Returns the current time, moved by the number of seconds in the file that the environment
/// variable `LEAD_WORKSPACE_CLOCK` names. With it a test sets the clock.
#[cfg(debug_assertions)]
pub(crate) fn current() -> Timestamp {
    let now = Timestamp::now();
    let moved = || {
        let file = std::env::var_os("LEAD_WORKSPACE_CLOCK")?;
        let seconds = std::fs::read_to_string(file).ok()?.trim().parse().ok()?;
        now.saturating_add(jiff::SignedDuration::from_secs(seconds))
            .ok()
    };
    moved().unwrap_or(now)
}
