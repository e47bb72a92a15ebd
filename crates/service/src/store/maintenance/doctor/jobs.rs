//! Checks of work that did not end, and of keys that did.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, params};

use super::{Check, Finding, StoreError};
use crate::time::{iso, now};

/// How long a running job may finish no step. A step takes less than a second.
const STUCK: SignedDuration = SignedDuration::from_mins(10);

fn count(
    connection: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> rusqlite::Result<i64> {
    connection.query_row(sql, values, |row| row.get(0))
}

pub(super) fn jobs(
    connection: &Connection,
    is_running: bool,
    now: Timestamp,
    findings: &mut Vec<Finding>,
) -> Result<(), StoreError> {
    if is_running {
        let since = now.saturating_sub(STUCK).unwrap_or(Timestamp::MIN);
        let sql = "SELECT count(*) FROM jobs WHERE status = 'running' AND updated_at < ?1";
        let stuck = count(connection, sql, [iso(since)])?;
        if stuck > 0 {
            findings.push(Finding::problem(
                Check::Jobs,
                format!("{stuck} scoring jobs have made no progress for ten minutes"),
                "look for errors in the log of the service, then restart it: the jobs go on where they \
                 are",
            ));
        }
        return Ok(());
    }
    let sql = "SELECT count(*) FROM jobs WHERE status IN ('queued', 'running')";
    let waiting = count(connection, sql, [])?;
    if waiting > 0 {
        findings.push(Finding::note(
            Check::Jobs,
            format!("{waiting} scoring jobs are not finished"),
            "start the service: they go on where they are",
        ));
    }
    let sql = "SELECT count(*) FROM jobs j WHERE status = 'collecting' AND NOT EXISTS
                 (SELECT 1 FROM import_jobs i WHERE i.tenant = j.tenant AND i.finished_at IS NULL)";
    let orphans = count(connection, sql, [])?;
    if orphans > 0 {
        findings.push(Finding::fixable(
            Check::Jobs,
            format!("{orphans} scoring jobs wait for an import that has ended"),
            "it queues them",
        ));
    }
    Ok(())
}

pub(super) const QUEUE_ORPHANS: &str = "UPDATE jobs SET status = 'queued'
    WHERE status = 'collecting' AND NOT EXISTS (SELECT 1 FROM import_jobs i
      WHERE i.tenant = jobs.tenant AND i.finished_at IS NULL)";

pub(super) fn imports(
    connection: &Connection,
    is_running: bool,
    findings: &mut Vec<Finding>,
) -> Result<(), StoreError> {
    let sql = "SELECT count(*) FROM import_jobs WHERE finished_at IS NULL";
    let open = count(connection, sql, [])?;
    if open > 0 && !is_running {
        findings.push(Finding::fixable(
            Check::Imports,
            format!("{open} imports were interrupted"),
            "it ends them and queues the scoring of what they wrote, as the next start does. Import the \
             files again for the rest",
        ));
    }
    Ok(())
}

pub(super) fn keys(connection: &Connection, findings: &mut Vec<Finding>) -> Result<(), StoreError> {
    let sql = "SELECT count(*) FROM api_keys WHERE revoked_at IS NULL AND expires_at <= ?1";
    let expired = count(connection, sql, params![now()])?;
    if expired > 0 {
        findings.push(Finding::note(
            Check::Keys,
            format!("{expired} keys have expired, and are refused"),
            "`keys list` shows them; create new ones with `keys create`, and `keys revoke` those that are no \
             longer needed",
        ));
    }
    Ok(())
}
