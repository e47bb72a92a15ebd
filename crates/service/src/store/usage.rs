//! What a data folder uses, measured when it is asked for.

use crate::store::db::{AcrossWorkspaces, Db, Fixed, Row};
use crate::store::error::StoreError;

/// Sizes are in bytes, ages in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Usage {
    /// Changes that wait for the writer.
    pub writer_queue: usize,
    pub database_bytes: u64,
    pub wal_bytes: u64,
    /// Free space of the file system, for this user. `None` if the system does not say.
    pub free_bytes: Option<u64>,
    /// `None` if they could not be counted in time.
    pub jobs: Option<Jobs>,
}

/// The scoring jobs that have not ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Jobs {
    pub queued: u64,
    pub running: u64,
    pub oldest_age: f64,
}

pub(super) fn jobs(db: Db<'_>, now: jiff::Timestamp) -> Result<Jobs, StoreError> {
    let mut jobs = Jobs::default();
    let mut oldest: Option<String> = None;
    for (status, count) in [("queued", &mut jobs.queued), ("running", &mut jobs.running)] {
        // As the partial index says it, so that it applies.
        let sql = format!(
            "SELECT count(*), min(created_at) FROM jobs
             WHERE status IN ('queued', 'running') AND status = '{status}'"
        );
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let (found, first): (i64, Option<String>) =
            db.one(AcrossWorkspaces(&Fixed(sql)), &[], read)?;
        *count = found.unsigned_abs();
        oldest = match (oldest, first) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
    }
    let created: Option<jiff::Timestamp> = oldest.and_then(|at| at.parse().ok());
    jobs.oldest_age = created.map_or(0.0, |at| now.duration_since(at).as_secs_f64().max(0.0));
    Ok(jobs)
}
