//! Taking jobs out of the queue.

use super::{JobKind, LeasedJob, Payload, lease_end};
use crate::failpoint::Failpoint;
use crate::store::db::{AcrossWorkspaces, Db, params};
use crate::store::sql::numbers;
use crate::store::{StoreError, Tenant};
use crate::time::now;

/// How often a job may be taken without finishing a step. A job that the process repeatedly does
/// not survive may be the cause of the crash.
const MAX_ATTEMPTS: i64 = 5;

/// Puts the jobs of a dead process back into the queue and returns their number.
///
/// Call it once after opening the folder: the folder lock guarantees that no other process runs
/// them.
pub(crate) fn requeue_running(db: Db<'_>) -> Result<u64, StoreError> {
    let sql = "UPDATE jobs SET status = 'queued', lease_until = NULL WHERE status = 'running'";
    let jobs = db.execute(AcrossWorkspaces(sql), &[])?;
    Failpoint::Requeue.reach();
    Ok(jobs)
}

/// Returns row number and workspace of the oldest queued job whose workspace is not in `except`, and not
/// being deleted.
pub(crate) fn next_queued(
    db: Db<'_>,
    except: &[Tenant],
) -> Result<Option<(i64, Tenant)>, StoreError> {
    let except: Vec<i64> = except.iter().map(|tenant| tenant.0).collect();
    let sql = "SELECT id, tenant FROM jobs
         WHERE status = 'queued' AND tenant NOT IN (SELECT value FROM json_each(?1))
           AND tenant NOT IN (SELECT tenant FROM tenants WHERE deleted_at IS NOT NULL)
         ORDER BY id LIMIT 1";
    db.row(AcrossWorkspaces(sql), params![numbers(&except)], |row| {
        Ok((row.get(0)?, Tenant(row.get(1)?)))
    })
}

/// Takes a queued job. A job that cannot be run is failed with a reason instead.
pub(crate) fn lease(db: Db<'_>, tenant: Tenant, id: i64) -> Result<Option<LeasedJob>, StoreError> {
    let row = db.row(
        "UPDATE jobs SET status = 'running', fence = fence + 1, attempts = attempts + 1,
           lease_until = ?3, updated_at = ?4
         WHERE tenant = ?1 AND id = ?2 AND status = 'queued'
         RETURNING job_id, kind, payload, created_at, fence, attempts",
        params![tenant.0, id, lease_end(), now()],
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
