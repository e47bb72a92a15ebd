//! Durable jobs: a queue in the database.
//!
//! A worker holds a job by a lease and a fence. The input of a step is read and computed outside of
//! the writer. Then its effects, the cursor and the progress are written in one transaction, if the
//! fence still matches. So each step runs once or not at all, even if the process is killed.
//!
//! Several processes can work on one database. A job whose lease has run out can be taken by any of them, which
//! increases the fence. In a data folder, whose lock only one process can hold, running jobs are queued again at the
//! start.

mod enqueue;
mod take;

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use super::lease::LeaseClock;
use crate::failpoint::Failpoint;
use crate::store::db::{Db, Row, params};
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::tenant::Tenant;
use crate::time::now;

pub(crate) use lead_workspace_logic::jobs::JobKind;

pub(crate) use enqueue::{add_import_targets, enqueue_import_scoring};
pub use enqueue::{enqueue_account_scoring, enqueue_lead_scoring};
pub(crate) use take::{lease, next_job, requeue_running};

#[derive(Clone, Debug)]
pub(crate) struct LeasedJob {
    pub id: i64,
    pub tenant: Tenant,
    pub job_id: String,
    pub kind: JobKind,
    pub payload: Payload,
    pub created_at: String,
    fence: i64,
}

/// The parameters of a job that the worker reads.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Payload {
    /// The last row number of a job over everything; `None` if the job has explicit targets.
    last: Option<i64>,
    /// The list that accounts are scored for.
    pub list_id: Option<String>,
    /// The requested ids that do not exist.
    not_found: Option<Vec<String>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Targets {
    /// Row numbers, ascending.
    pub ids: Vec<i64>,
    /// The cursor before this step.
    after: i64,
    /// Whether the job has no further targets.
    are_last: bool,
}

/// The outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepOutcome {
    More,
    Finished,
    /// Another worker holds the job, or it has ended.
    Lost,
}

impl Store {
    /// Renews the leases of jobs that wait. A job that has been lost is left alone; its next step finds out.
    pub(crate) async fn renew_leases(&self, jobs: Vec<Arc<LeasedJob>>) -> Result<(), StoreError> {
        let all = jobs.clone();
        match self.maintain(move |db| renew_all(db, &all)).await {
            Err(StoreError::NodeLost { .. }) => {}
            renewed => return renewed,
        }
        // The others, one by one.
        for job in jobs {
            match self
                .maintain(move |db| renew_all(db, std::slice::from_ref(&job)))
                .await
            {
                Ok(()) | Err(StoreError::NodeLost { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn renew_all(db: Db<'_>, jobs: &[Arc<LeasedJob>]) -> Result<(), StoreError> {
    let clock = LeaseClock::read(db)?;
    jobs.iter().try_for_each(|job| job.renew(db, &clock))
}

impl Targets {
    /// Keeps only the first `count` targets; the others are left for a later step.
    pub(crate) fn first(mut self, count: usize) -> Self {
        self.are_last &= count >= self.ids.len();
        self.ids.truncate(count);
        self
    }
}

impl LeasedJob {
    /// Returns the targets of the next step, at most `limit`; `None` if this worker no longer holds
    /// the job. Only reads.
    pub(crate) fn targets(&self, db: Db<'_>, limit: usize) -> Result<Option<Targets>, StoreError> {
        let sql = "SELECT cursor FROM jobs
                   WHERE tenant = ?1 AND id = ?2 AND fence = ?3 AND status = 'running'";
        let held = params![self.tenant.0, self.id, self.fence];
        let cursor: Option<i64> = db.row(sql, held, |row| row.get(0))?;
        let Some(after) = cursor else {
            return Ok(None);
        };
        let ids = self.targets_after(db, after, limit)?;
        let are_last = ids.len() < limit;
        Ok(Some(Targets {
            ids,
            after,
            are_last,
        }))
    }

    fn targets_after(&self, db: Db<'_>, cursor: i64, limit: usize) -> Result<Vec<i64>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let Some(last) = self.payload.last else {
            let sql =
                "SELECT target FROM job_targets WHERE tenant = ?1 AND job = ?2 AND target > ?3
                       ORDER BY target LIMIT ?4";
            let values = params![self.tenant.0, self.id, cursor, limit];
            return db.rows(sql, values, |row| row.get(0));
        };
        let values = params![self.tenant.0, cursor, last, limit];
        db.rows(range_sql(self.kind), values, |row| row.get(0))
    }

    /// Writes a step: its effects, the cursor and the progress.
    ///
    /// `effects` returns how many of the targets still exist. Nothing is written if this worker no
    /// longer holds the job. Must run inside one change of the store.
    pub(crate) fn step(
        &self,
        db: Db<'_>,
        targets: &Targets,
        effects: impl FnOnce() -> Result<i64, StoreError>,
    ) -> Result<StepOutcome, StoreError> {
        let cursor = targets.ids.last().copied().unwrap_or(targets.after);
        let updated = db.execute(
            "UPDATE jobs SET cursor = ?5, attempts = 0, lease_until = ?6, updated_at = ?7
             WHERE tenant = ?1 AND id = ?2 AND fence = ?3 AND status = 'running' AND cursor = ?4",
            params![
                self.tenant.0,
                self.id,
                self.fence,
                targets.after,
                cursor,
                LeaseClock::read(db)?.end,
                now()
            ],
        )?;
        if updated == 0 {
            return Ok(StepOutcome::Lost);
        }
        Failpoint::Cursor.reach();
        let done = effects()?;
        Failpoint::Scores.reach();
        let sql = "UPDATE jobs SET done = done + ?3 WHERE tenant = ?1 AND id = ?2";
        db.execute(sql, params![self.tenant.0, self.id, done])?;
        // Deleted with each step, so that the last step of a large job is not larger than the
        // others.
        let sql = "DELETE FROM job_targets WHERE tenant = ?1 AND job = ?2 AND target <= ?3";
        db.execute(sql, params![self.tenant.0, self.id, cursor])?;
        if !targets.are_last {
            return Ok(StepOutcome::More);
        }
        // Targets deleted in the meantime no longer count, so the progress ends at 100 %.
        db.execute(
            "UPDATE jobs SET status = 'succeeded', lease_until = NULL, total = done, result = ?3
             WHERE tenant = ?1 AND id = ?2",
            params![self.tenant.0, self.id, self.result(db)?],
        )?;
        Failpoint::Finish.reach();
        Ok(StepOutcome::Finished)
    }

    pub(in crate::store) fn renew(&self, db: Db<'_>, clock: &LeaseClock) -> Result<(), StoreError> {
        let sql = "UPDATE jobs SET lease_until = ?4
                   WHERE tenant = ?1 AND id = ?2 AND fence = ?3 AND status = 'running'";
        let held = params![self.tenant.0, self.id, self.fence, clock.end];
        db.execute(sql, held).map(drop)
    }

    /// Returns the result of the finished job, as JSON.
    fn result(&self, db: Db<'_>) -> Result<String, StoreError> {
        let sql = "SELECT done, total FROM jobs WHERE tenant = ?1 AND id = ?2";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let (done, total): (i64, i64) = db.one(sql, params![self.tenant.0, self.id], read)?;
        let not_found = &self.payload.not_found;
        let result = json!({"scored": done, "gone": (total - done).max(0), "not_found": not_found});
        Ok(result.to_string())
    }

    /// Ends the job with an error message for the user; finished steps remain. Does nothing if this
    /// worker no longer holds the job.
    pub(crate) fn fail(&self, db: Db<'_>, error: &str) -> Result<(), StoreError> {
        let updated = db.execute(
            "UPDATE jobs SET status = 'failed', lease_until = NULL, error = ?4, updated_at = ?5
             WHERE tenant = ?1 AND id = ?2 AND fence = ?3 AND status = 'running'",
            params![self.tenant.0, self.id, self.fence, error, now()],
        )?;
        if updated > 0 {
            let sql = "DELETE FROM job_targets WHERE tenant = ?1 AND job = ?2";
            db.execute(sql, params![self.tenant.0, self.id])?;
        }
        Ok(())
    }

    /// Puts the job back into the queue, for another process or the next start.
    pub(crate) fn release(&self, db: Db<'_>) -> Result<(), StoreError> {
        db.execute(
            "UPDATE jobs SET status = 'queued', attempts = 0, lease_until = NULL
             WHERE tenant = ?1 AND id = ?2 AND fence = ?3 AND status = 'running'",
            params![self.tenant.0, self.id, self.fence],
        )?;
        Ok(())
    }
}

/// Selects a range of a workspace's rows. Uses an index on the tenant only, because a scan of the
/// table would read the rows of all workspaces.
const fn range_sql(kind: JobKind) -> &'static str {
    match kind {
        JobKind::Leads => {
            "SELECT id FROM leads INDEXED BY leads_by_tenant
             WHERE tenant = ?1 AND id > ?2 AND id <= ?3 ORDER BY id LIMIT ?4"
        }
        JobKind::Accounts => {
            "SELECT id FROM accounts INDEXED BY accounts_by_tenant
             WHERE tenant = ?1 AND id > ?2 AND id <= ?3 ORDER BY id LIMIT ?4"
        }
    }
}

#[cfg(test)]
mod tests;
