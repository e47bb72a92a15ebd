//! When a stream connects again, and when it ends. Pure.

use std::time::Duration;

use super::super::error::{Error, ErrorKind};
use super::super::retry::{MonotonicTime, Policy};

/// A connection without a byte for this long is dead. Our service sends one every 15 s.
pub const MAX_SILENCE: Duration = Duration::from_secs(45);

/// The longest pause that a server may ask for with `retry`.
pub const MAX_RETRY: Duration = Duration::from_secs(60);

/// A connection that lasted this long is a success: if it breaks, the backoff starts anew. A shorter one is not, so that
/// a server that ends every connection at once is not asked all the time.
pub const LASTING: Duration = Duration::from_secs(10);

/// The attempts to connect.
#[derive(Clone, Debug, Default)]
pub struct Reconnect {
    /// Failures in a row.
    failures: u32,
    /// Since when the stream has been open; `None` while it is not.
    open_since: Option<MonotonicTime>,
    /// Since when the stream has been interrupted.
    broken_since: Option<MonotonicTime>,
    /// Whether the server has ever sent an event.
    was_open: bool,
    /// The pause that the server asked for last.
    retry: Option<Duration>,
}

impl Reconnect {
    /// Records an event. Returns whether it is the first one of its connection.
    pub fn on_event(&mut self, now: MonotonicTime) -> bool {
        self.was_open = true;
        self.broken_since = None;
        let is_first = self.open_since.is_none();
        self.open_since.get_or_insert(now);
        is_first
    }

    /// Records that the connection, or an attempt to connect, failed at `now`. `retry` is the pause that the server asked
    /// for in this connection. Returns the pause before the next attempt: the backoff, or what the error asks for if that
    /// is longer, and the server's pause. `random` is in `0.0..1.0`.
    pub fn on_failure(
        &mut self,
        error: &Error,
        retry: Option<Duration>,
        policy: &Policy,
        now: MonotonicTime,
        random: f64,
    ) -> Duration {
        let open_since = self.open_since.take();
        if open_since.is_some_and(|since| now.saturating_sub(since) >= LASTING) {
            self.failures = 0;
        }
        self.broken_since.get_or_insert(now);
        let is_limited = matches!(error.kind, ErrorKind::RateLimited);
        let backoff = policy.backoff(self.failures, is_limited, random);
        self.failures = self.failures.saturating_add(1);
        self.retry = retry.or(self.retry);
        let asked = self.retry.unwrap_or_default().min(MAX_RETRY);
        backoff.max(error.retry_after.unwrap_or_default()) + asked
    }

    /// Returns the number of failures in a row.
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// Returns since when the stream has been interrupted; `None` if it is not, or has never been open.
    pub fn broken_since(&self) -> Option<MonotonicTime> {
        self.broken_since.filter(|_| self.was_open)
    }

    /// Whether a failure ends the stream, because a later attempt would fail in the same way. What a proxy may send for a
    /// while instead of the server's response, such as a web page, ends the stream only if the server has never sent
    /// an event.
    pub fn is_final(&self, error: &Error) -> bool {
        match error.kind {
            ErrorKind::Decode(_)
            | ErrorKind::TooLarge(_)
            | ErrorKind::Redirected
            | ErrorKind::NoKey(_) => !self.was_open,
            // A server error may pass, except "not implemented".
            ErrorKind::Status => match error.status {
                Some(501) => true,
                Some(500..) => false,
                _ => !error.is_transient(),
            },
            _ => !error.is_transient(),
        }
    }
}
