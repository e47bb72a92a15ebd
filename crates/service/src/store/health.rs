//! Checks whether a database works.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::Mutex;
use tokio::time;

use crate::store::error::StoreError;

/// How long a result is cached. The checks need no key, so they must stay cheap.
const CACHE_TIME: Duration = Duration::from_secs(1);

/// Time limit for a read and for a write. A large change takes seconds, and a supervisor should not
/// restart the service because of it.
const DEADLINE: Duration = Duration::from_secs(10);

/// The result of one check. It has no details that only the operator may see; the log has the
/// cause.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Check {
    pub name: Cow<'static, str>,
    pub ok: bool,
    /// Whether the service can do nothing without it.
    #[serde(skip)]
    pub is_vital: bool,
    /// What does not work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

impl Check {
    pub(crate) const fn passed(name: &'static str) -> Self {
        Self {
            name: Cow::Borrowed(name),
            ok: true,
            is_vital: true,
            reason: None,
        }
    }

    pub(crate) const fn failed(name: &'static str, reason: &'static str) -> Self {
        Self {
            name: Cow::Borrowed(name),
            ok: false,
            is_vital: true,
            reason: Some(reason),
        }
    }
}

/// The last results. Locked during the checks: other callers wait for them.
#[derive(Default)]
pub(super) struct CheckCache(Mutex<Option<(Instant, Vec<Check>)>>);

impl CheckCache {
    pub(super) async fn get(&self, checks: impl Future<Output = Vec<Check>>) -> Vec<Check> {
        let mut last = self.0.lock().await;
        if let Some((_, found)) = last.as_ref().filter(|(at, _)| at.elapsed() < CACHE_TIME) {
            return found.clone();
        }
        let found = checks.await;
        *last = Some((Instant::now(), found.clone()));
        found
    }
}

/// Returns whether something succeeds in time.
pub(super) async fn check(
    name: &'static str,
    reason: &'static str,
    result: impl Future<Output = Result<(), StoreError>>,
) -> Check {
    match in_time(result).await {
        Ok(()) => Check::passed(name),
        Err(error) => {
            tracing::error!(%error, reason);
            Check::failed(name, reason)
        }
    }
}

pub(super) async fn in_time<T>(
    check: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let timed_out =
        |_| StoreError::Unexpected(format!("no answer within {} s", DEADLINE.as_secs()));
    time::timeout(DEADLINE, check).await.map_err(timed_out)?
}
