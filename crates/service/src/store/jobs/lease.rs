//! Leases: how long work belongs to the process that has taken it.
//!
//! Running jobs and open imports have one. While its process works on it, it renews the lease. After the lease has
//! run out, any process may take the job, or end the import, because its own process is dead or stuck.
//!
//! The processes may be on several machines, whose clocks differ. So all of them use the clock of the database server.
//! A data folder has one process, and that has one clock.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::store::db::{Db, On};
use crate::store::error::StoreError;
use crate::time::{iso, now};

/// How long a lease is valid. Much longer than a step of a job, than a batch of an import, and than any wait between
/// them that is shorter than [`RENEWAL`].
const VALID: SignedDuration = SignedDuration::from_secs(60);

/// When to renew the leases of work that waits.
pub(crate) const RENEWAL: Duration = Duration::from_secs(20);

/// The time by the clock of leases.
pub(in crate::store) struct LeaseClock {
    pub now: String,
    /// The end of a lease that is taken or renewed now.
    pub end: String,
}

impl LeaseClock {
    pub(in crate::store) fn read(db: Db<'_>) -> Result<Self, StoreError> {
        let now = match db.on {
            On::Sqlite(_) => now(),
            On::Postgres(_) => db.value("SELECT server_time()", &[])?,
        };
        let time: Timestamp = now
            .parse()
            .map_err(|_| StoreError::Unexpected(format!("the time {now:?}")))?;
        let end = time.saturating_add(VALID).unwrap_or(Timestamp::MAX);
        Ok(Self { now, end: iso(end) })
    }
}
