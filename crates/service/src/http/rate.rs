//! The rate limit of a workspace.

use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::ApiError;
use crate::store::Tenant;

/// A token bucket per workspace: so many requests a second, and as many at once.
pub(super) struct Rate {
    buckets: DefaultKeyedRateLimiter<Tenant>,
    clock: DefaultClock,
}

impl Rate {
    pub(super) fn new(per_second: u32) -> Option<Self> {
        let quota = Quota::per_second(NonZeroU32::new(per_second)?);
        Some(Self {
            buckets: RateLimiter::keyed(quota),
            clock: DefaultClock::default(),
        })
    }

    /// Takes a token, or says how long until there is one.
    pub(super) fn take(&self, tenant: Tenant) -> Result<(), ApiError> {
        self.buckets.check_key(&tenant).map_err(|not_until| {
            let wait = not_until.wait_time_from(self.clock.now());
            // Retry-After has whole seconds; rounded up, or the next try would come too early.
            ApiError::RateLimited(wait.as_millis().div_ceil(1000).max(1) as u64)
        })
    }
}
