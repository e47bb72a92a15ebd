//! The rate limit of all processes: a token bucket per workspace, as the time until which its tokens are used.

use std::time::Duration;

use crate::store::db::{Db, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

/// A second, in microseconds. A bucket holds the tokens of a second.
const SECOND: i64 = 1_000_000;

/// Takes tokens of a limit per second. Returns how long to wait for one if there are not enough.
pub(super) fn take(
    db: Db<'_>,
    tenant: Tenant,
    tokens: u32,
    per_second: u32,
) -> Result<Option<Duration>, StoreError> {
    let cost = |tokens: u32| i64::from(tokens) * SECOND / i64::from(per_second.max(1));
    // `excluded` has the time of the database and the cost.
    let taken = db.exists(
        "INSERT INTO rate_limits AS bucket (tenant, used_until)
         VALUES (?1, CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + ?2)
         ON CONFLICT (tenant) DO UPDATE
           SET used_until = greatest(bucket.used_until + ?2, excluded.used_until)
           WHERE bucket.used_until + 2 * ?2 <= excluded.used_until + ?3
         RETURNING used_until",
        params![tenant.0, cost(tokens), SECOND],
    )?;
    if taken {
        return Ok(None);
    }
    let sql =
        "SELECT used_until + ?2 - CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)
               FROM rate_limits WHERE tenant = ?1";
    let wait: i64 = db.value(sql, params![tenant.0, cost(tokens) - SECOND])?;
    Ok(Some(Duration::from_micros(wait.max(1).unsigned_abs())))
}
