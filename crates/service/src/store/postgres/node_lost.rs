//! A server of a distributed database that cannot be reached.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::lock::lock;
use crate::store::error::StoreError;

/// The shortest time between two lines in the log. Each request of a workspace on the server fails.
const GAP: Duration = Duration::from_secs(1);

/// When the last line was logged.
static LOGGED: Mutex<Option<Instant>> = Mutex::new(None);

/// Returns the error, and logs it.
pub(super) fn of(reason: String) -> StoreError {
    log(&reason, "a server of the database cannot be reached");
    StoreError::NodeLost { reason }
}

/// Logs what was done without a server, unless a line was logged just now.
pub(super) fn log(reason: &str, what: &str) {
    let mut logged = lock(&LOGGED);
    if logged.is_none_or(|at| at.elapsed() >= GAP) {
        *logged = Some(Instant::now());
        // Only the first line has a cause; others are advice for psql.
        let reason = reason.lines().next().unwrap_or_default();
        tracing::error!(reason, "{what}");
    }
}
