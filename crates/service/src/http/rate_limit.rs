//! Rate limit per workspace.

mod lot;

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use tokio::sync;

use super::ApiError;
use crate::lock::lock;
use crate::store::{Store, Tenant};
use lot::{Lot, Take};

/// A token bucket per workspace: the limit is per second, and bursts may be as large.
pub(super) enum RateLimit {
    /// Of a data folder, which only this process serves.
    Own {
        buckets: DefaultKeyedRateLimiter<Tenant>,
        clock: DefaultClock,
    },
    /// Of a database, for all processes that serve it: the buckets are there.
    Shared {
        per_second: u32,
        lots: Mutex<HashMap<Tenant, Arc<sync::Mutex<Lot>>>>,
    },
}

impl RateLimit {
    pub(super) fn new(store: &Store, per_second: u32) -> Option<Self> {
        if store.is_shared() {
            let lots = Mutex::default();
            return Some(Self::Shared { per_second, lots });
        }
        Some(Self::Own {
            buckets: RateLimiter::keyed(Quota::per_second(NonZeroU32::new(per_second)?)),
            clock: DefaultClock::default(),
        })
    }

    /// Takes a token, or fails with the seconds until there is one.
    pub(super) async fn take(&self, store: &Store, tenant: Tenant) -> Result<(), ApiError> {
        let wait = match self {
            Self::Own { buckets, clock } => buckets
                .check_key(&tenant)
                .err()
                .map(|not_until| not_until.wait_time_from(clock.now())),
            Self::Shared { per_second, lots } => {
                let lot = {
                    let mut lots = lock(lots);
                    Arc::clone(lots.entry(tenant).or_default())
                };
                take_shared(store, tenant, *per_second, &lot).await?
            }
        };
        match wait {
            None => Ok(()),
            // Retry-After is in whole seconds. Round up, or the next attempt would be too early.
            Some(wait) => Err(ApiError::RateLimited(
                wait.as_millis().div_ceil(1000).max(1) as u64,
            )),
        }
    }
}

/// Returns how long to wait for a token, or none if one was taken.
async fn take_shared(
    store: &Store,
    tenant: Tenant,
    per_second: u32,
    lot: &sync::Mutex<Lot>,
) -> Result<Option<Duration>, ApiError> {
    // The others wait for the lot that the first of them takes.
    let mut lot = lot.lock().await;
    match lot.take(Instant::now()) {
        Take::Served => return Ok(None),
        Take::Refused(wait) => return Ok(Some(wait)),
        Take::More => {}
    }
    let size = Lot::size(per_second);
    let wait = store.take_requests(tenant, size, per_second).await?;
    match wait {
        None => lot.granted(size, Instant::now()),
        Some(wait) => lot.refused(wait, Instant::now()),
    }
    Ok(wait)
}
