//! Rate limit per workspace.

use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::ApiError;
use crate::store::Tenant;

/// A token bucket per workspace: the limit is per second, and bursts may be as large.
pub(super) struct RateLimit {
    buckets: DefaultKeyedRateLimiter<Tenant>,
    clock: DefaultClock,
}

impl RateLimit {
    pub(super) fn new(per_second: u32) -> Option<Self> {
        let quota = Quota::per_second(NonZeroU32::new(per_second)?);
        Some(Self {
            buckets: RateLimiter::keyed(quota),
            clock: DefaultClock::default(),
        })
    }

    /// Takes a token, or fails with the seconds until there is one.
    pub(super) fn take(&self, tenant: Tenant) -> Result<(), ApiError> {
        self.buckets.check_key(&tenant).map_err(|not_until| {
            let wait = not_until.wait_time_from(self.clock.now());
            // Retry-After is in whole seconds. Round up, or the next attempt would be too early.
            ApiError::RateLimited(wait.as_millis().div_ceil(1000).max(1) as u64)
        })
    }
}
