//! Taking jobs out of the queue.

use super::{JobKind, LeasedJob, Payload};
use crate::failpoint::Failpoint;
use crate::store::db::{AcrossWorkspaces, Db, Row, numbers, params};
use crate::store::error::StoreError;
use crate::store::jobs::lease::LeaseClock;
use crate::store::tenant::Tenant;
use crate::time::now;

/// How often a job may be taken without finishing a step. A job that the process repeatedly does
/// not survive may be the cause of the crash.
const MAX_ATTEMPTS: i64 = 5;

/// Puts the jobs of a dead process back into the queue and returns their number.
///
/// For a data folder, once after opening it: its lock guarantees that no other process runs them, so they need not
/// wait for the end of their leases.
pub(crate) fn requeue_running(db: Db<'_>) -> Result<u64, StoreError> {
    let sql = "UPDATE jobs SET status = 'queued', lease_until = NULL WHERE status = 'running'";
    let jobs = db.execute(AcrossWorkspaces(sql), &[])?;
    Failpoint::Requeue.reach();
    Ok(jobs)
}

/// The oldest job that can be taken at the time `?2`: of some workspaces, for which the condition is, and of none that has a
/// running job. It names both states as the partial index does.
macro_rules! next_job {
    ($of_workspaces:literal) => {
        concat!(
            "SELECT id, tenant FROM jobs
             WHERE status IN ('queued', 'running') AND (status = 'queued' OR lease_until < ?2)
               AND ",
            $of_workspaces,
            " AND tenant NOT IN (SELECT tenant FROM jobs
                WHERE status IN ('queued', 'running') AND status = 'running' AND lease_until >= ?2
                  AND ",
            $of_workspaces,
            ")
             ORDER BY id LIMIT 1"
        )
    };
}

pub(super) const NEXT_JOB: &str = next_job!(
    "tenant NOT IN (SELECT value FROM json_each(?1))
     AND tenant NOT IN (SELECT tenant FROM tenants WHERE deleted_at IS NOT NULL)"
);

/// For one workspace, which is not being deleted.
const NEXT_OF_WORKSPACE: &str = next_job!("tenant = ?1");

/// Returns row number and workspace of the oldest job that can be taken, because it is queued or its lease has run
/// out, and whose workspace is not in `except`, has no running job, and is not being deleted. With `only`, of this
/// workspace.
pub(crate) fn next_job(
    db: Db<'_>,
    except: &[Tenant],
    only: Option<Tenant>,
) -> Result<Option<(i64, Tenant)>, StoreError> {
    let now = LeaseClock::read(db)?.now;
    let read = |row: &Row<'_>| Ok((row.get(0)?, Tenant(row.get(1)?)));
    match only {
        Some(tenant) if except.contains(&tenant) => Ok(None),
        Some(tenant) => db.row(NEXT_OF_WORKSPACE, params![tenant.0, now], read),
        None => {
            let except: Vec<i64> = except.iter().map(|tenant| tenant.0).collect();
            let values = params![numbers(&except), now];
            db.row(AcrossWorkspaces(NEXT_JOB), values, read)
        }
    }
}

/// Takes a job that [`next_job`] has found. Returns `None` if another process was faster. A job that cannot be run is
/// failed with a reason instead.
pub(crate) fn lease(db: Db<'_>, tenant: Tenant, id: i64) -> Result<Option<LeasedJob>, StoreError> {
    // Otherwise two processes could take two jobs of the workspace at the same time.
    tenant.lock(db)?;
    let clock = LeaseClock::read(db)?;
    let row = db.row(
        "UPDATE jobs SET status = 'running', fence = fence + 1, attempts = attempts + 1,
           lease_until = ?4, updated_at = ?5
         WHERE tenant = ?1 AND id = ?2
           AND (status = 'queued' OR (status = 'running' AND lease_until < ?3))
           AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.tenant = ?1
             AND r.status IN ('queued', 'running') AND r.status = 'running' AND r.lease_until >= ?3)
         RETURNING job_id, kind, payload, created_at, fence, attempts",
        params![tenant.0, id, clock.now, clock.end, now()],
        |row| {
            let texts: (String, String) = (row.get("kind")?, row.get("payload")?);
            let leased = LeasedJob {
                id,
                tenant,
                job_id: row.get("job_id")?,
                kind: JobKind::Leads,
                payload: Payload::default(),
                created_at: row.get("created_at")?,
                fence: row.get("fence")?,
            };
            Ok((leased, texts, row.get::<i64>("attempts")?))
        },
    )?;
    let Some((mut leased, (kind, payload), attempts)) = row else {
        return Ok(None);
    };
    match parse_job(&kind, &payload, attempts) {
        Ok((kind, payload)) => {
            (leased.kind, leased.payload) = (kind, payload);
            Ok(Some(leased))
        }
        Err(problem) => {
            tracing::error!(job_id = leased.job_id, problem, "gave up a scoring job");
            leased.fail(db, &problem)?;
            Ok(None)
        }
    }
}

fn parse_job(kind: &str, payload: &str, attempts: i64) -> Result<(JobKind, Payload), String> {
    if attempts > MAX_ATTEMPTS {
        return Err(format!(
            "this job was interrupted {MAX_ATTEMPTS} times and has been stopped. Scores up to then are saved. \
             Check the log of the service for the cause, then start the scoring again"
        ));
    }
    let known = [JobKind::Leads, JobKind::Accounts]
        .into_iter()
        .find(|known| known.as_str() == kind);
    let kind = known.ok_or_else(|| {
        format!(
            "this version of the service does not support jobs of the kind {kind:?}. Nothing was \
             scored. Start the scoring again, or update the service"
        )
    })?;
    let payload = serde_json::from_str(payload).map_err(|error| {
        format!(
            "the parameters of this job cannot be read ({error}). Nothing was scored. Start the \
             scoring again"
        )
    })?;
    Ok((kind, payload))
}
