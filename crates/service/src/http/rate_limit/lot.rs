//! Requests that a process may serve, taken from the limit of all processes.

use std::time::{Duration, Instant};

/// How long requests that were taken may be served.
const VALID_FOR: Duration = Duration::from_secs(1);

/// What is left of the last lot of a workspace.
#[derive(Debug, Default)]
pub(in crate::http) struct Lot {
    left: u32,
    taken_at: Option<Instant>,
    refused_until: Option<Instant>,
}

/// Whether one more request may be served.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Take {
    Served,
    /// Only after this time.
    Refused(Duration),
    /// Another lot is needed.
    More,
}

impl Lot {
    /// Returns how many requests to take at once: about ten lots per second are enough.
    pub(super) const fn size(per_second: u32) -> u32 {
        if per_second < 20 { 1 } else { per_second / 10 }
    }

    pub(super) fn take(&mut self, now: Instant) -> Take {
        let is_valid = |at: Instant| now.saturating_duration_since(at) < VALID_FOR;
        if self.left > 0 && self.taken_at.is_some_and(is_valid) {
            self.left -= 1;
            return Take::Served;
        }
        match self.refused_until {
            Some(until) if until > now => Take::Refused(until - now),
            _ => Take::More,
        }
    }

    /// Replaces the lot with a new one, and serves one request from it.
    pub(super) fn granted(&mut self, size: u32, now: Instant) {
        *self = Self {
            left: size.saturating_sub(1),
            taken_at: Some(now),
            refused_until: None,
        };
    }

    pub(super) fn refused(&mut self, wait: Duration, now: Instant) {
        self.refused_until = Some(now + wait);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Lot, Take};

    #[test]
    fn a_lot_is_served_within_a_second() {
        let (mut lot, start) = (Lot::default(), Instant::now());
        assert_eq!(lot.take(start), Take::More);
        lot.granted(3, start);
        assert_eq!(lot.take(start), Take::Served);
        let later = start + Duration::from_millis(999);
        assert_eq!(lot.take(later), Take::Served);
        assert_eq!(lot.take(later), Take::More);
        lot.granted(3, start);
        assert_eq!(lot.take(start + Duration::from_secs(1)), Take::More);
    }

    #[test]
    fn the_database_is_not_asked_again_before_a_request_is_possible() {
        let (mut lot, start) = (Lot::default(), Instant::now());
        let wait = Duration::from_millis(300);
        lot.refused(wait, start);
        let later = start + Duration::from_millis(100);
        assert_eq!(lot.take(later), Take::Refused(Duration::from_millis(200)));
        assert_eq!(lot.take(start + wait), Take::More);
    }

    #[test]
    fn a_small_limit_is_taken_one_by_one() {
        assert_eq!([1, 10, 19].map(Lot::size), [1, 1, 1]);
        assert_eq!([20, 1000].map(Lot::size), [2, 100]);
    }
}
