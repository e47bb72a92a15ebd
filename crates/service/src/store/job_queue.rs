//! Durable jobs: a queue in the database.
//!
//! A worker takes a job by a lease and a fence. What a step is about is read and computed outside of
//! the writer. Its effects, the cursor and the progress are then written in one transaction, and only
//! while the fence is still the job's; so whatever is killed, a step is done once or not at all.

mod enqueue;
mod take;

use rusqlite::{Connection, OptionalExtension, params};
use serde::Deserialize;

use super::{StoreError, Tenant};
use crate::time::now;

pub(crate) use enqueue::{begin_scoring_of, enqueue_scoring_of};
pub use enqueue::{enqueue_account_scoring, enqueue_lead_scoring};
pub(crate) use take::{lease, take_over, waiting};

/// How long a lease holds without a step. Only one process has the folder, so a lease of a dead
/// process ends when the next one opens it, not by this time; it is kept for people who look.
const LEASE: jiff::SignedDuration = jiff::SignedDuration::from_secs(60);

/// What a job works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Leads,
    Accounts,
}

impl Kind {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Leads => "score_leads",
            Self::Accounts => "score_accounts",
        }
    }
}

/// A job that a worker holds.
#[derive(Clone, Debug)]
pub(crate) struct Leased {
    pub id: i64,
    pub tenant: Tenant,
    pub job_id: String,
    pub kind: Kind,
    pub payload: Payload,
    pub created_at: String,
    fence: i64,
}

/// What to do, as far as the worker reads it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Payload {
    /// The last row number of a job over everything; without it the job names its targets.
    last: Option<i64>,
    /// The list that accounts are scored for.
    pub list_id: Option<String>,
}

/// The targets of the next step.
#[derive(Clone, Debug)]
pub(crate) struct Targets {
    /// Row numbers, ascending.
    pub ids: Vec<i64>,
    /// The cursor they come after.
    after: i64,
    /// Whether the job has no others.
    are_last: bool,
}

/// A step of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// There is more to do.
    More,
    /// The job has succeeded.
    Finished,
    /// The job is no longer this worker's.
    Lost,
}

fn lease_end() -> String {
    crate::time::iso(
        jiff::Timestamp::now()
            .saturating_add(LEASE)
            .unwrap_or(jiff::Timestamp::MAX),
    )
}

impl Targets {
    /// Only the first so many of them; the others are for another step.
    pub(crate) fn first(mut self, count: usize) -> Self {
        self.are_last &= count >= self.ids.len();
        self.ids.truncate(count);
        self
    }
}

impl Leased {
    /// What the next step is about, at most `limit` targets; nothing when the job is no longer this
    /// worker's. For a read.
    pub(crate) fn targets(
        &self,
        connection: &Connection,
        limit: usize,
    ) -> Result<Option<Targets>, StoreError> {
        let cursor: Option<i64> = connection
            .prepare_cached(
                "SELECT cursor FROM jobs WHERE id = ?1 AND fence = ?2 AND status = 'running'",
            )?
            .query_row(params![self.id, self.fence], |row| row.get(0))
            .optional()?;
        let Some(after) = cursor else {
            return Ok(None);
        };
        let ids = self.targets_after(connection, after, limit)?;
        let are_last = ids.len() < limit;
        Ok(Some(Targets {
            ids,
            after,
            are_last,
        }))
    }

    fn targets_after(
        &self,
        connection: &Connection,
        cursor: i64,
        limit: usize,
    ) -> Result<Vec<i64>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let Some(last) = self.payload.last else {
            let mut named = connection.prepare_cached(
                "SELECT target FROM job_targets WHERE job = ?1 AND target > ?2
                 ORDER BY target LIMIT ?3",
            )?;
            let targets = named.query_map(params![self.id, cursor, limit], |row| row.get(0))?;
            return Ok(targets.collect::<Result<_, _>>()?);
        };
        let mut every = connection.prepare_cached(every(self.kind))?;
        let targets = every.query_map(params![self.tenant.0, cursor, last, limit], |row| {
            row.get(0)
        })?;
        Ok(targets.collect::<Result<_, _>>()?)
    }

    /// Writes a step: its effects, which give how many of the targets were still there, the cursor
    /// and the progress. Nothing of it when the job is no longer this worker's. Must run inside one
    /// change of the store.
    pub(crate) fn step(
        &self,
        connection: &Connection,
        targets: &Targets,
        effects: impl FnOnce() -> Result<i64, StoreError>,
    ) -> Result<Step, StoreError> {
        let cursor = targets.ids.last().copied().unwrap_or(targets.after);
        let held = connection
            .prepare_cached(
                "UPDATE jobs SET cursor = ?4, attempts = 0, lease_until = ?5, updated_at = ?6
                 WHERE id = ?1 AND fence = ?2 AND status = 'running' AND cursor = ?3",
            )?
            .execute(params![
                self.id,
                self.fence,
                targets.after,
                cursor,
                lease_end(),
                now()
            ])?;
        if held == 0 {
            return Ok(Step::Lost);
        }
        let done = effects()?;
        connection
            .prepare_cached("UPDATE jobs SET done = done + ?2 WHERE id = ?1")?
            .execute([self.id, done])?;
        // With each step, so that the end of a large job is as small as its steps.
        connection
            .prepare_cached("DELETE FROM job_targets WHERE job = ?1 AND target <= ?2")?
            .execute([self.id, cursor])?;
        if !targets.are_last {
            return Ok(Step::More);
        }
        // Targets that were deleted meanwhile are not owed any more: the progress ends at all.
        connection.execute(
            "UPDATE jobs SET status = 'succeeded', lease_until = NULL, total = done,
               result = json_object('scored', done, 'gone', max(total - done, 0),
                                    'not_found', json_extract(payload, '$.not_found'))
             WHERE id = ?1",
            [self.id],
        )?;
        Ok(Step::Finished)
    }

    /// Ends the job with an error for people; what was done stays done. Nothing when the job is no
    /// longer this worker's.
    pub(crate) fn fail(&self, connection: &Connection, error: &str) -> Result<(), StoreError> {
        let held = connection.execute(
            "UPDATE jobs SET status = 'failed', lease_until = NULL, error = ?3, updated_at = ?4
             WHERE id = ?1 AND fence = ?2 AND status = 'running'",
            params![self.id, self.fence, error, now()],
        )?;
        if held > 0 {
            connection.execute("DELETE FROM job_targets WHERE job = ?1", [self.id])?;
        }
        Ok(())
    }

    /// Puts the job back, for the next start.
    pub(crate) fn release(&self, connection: &Connection) -> Result<(), StoreError> {
        connection.execute(
            "UPDATE jobs SET status = 'queued', attempts = 0, lease_until = NULL
             WHERE id = ?1 AND fence = ?2 AND status = 'running'",
            params![self.id, self.fence],
        )?;
        Ok(())
    }
}

/// The rows of a workspace, from one number to another. By an index that has nothing else: a walk
/// over the rows themselves would meet those of all workspaces.
const fn every(kind: Kind) -> &'static str {
    match kind {
        Kind::Leads => {
            "SELECT id FROM leads INDEXED BY leads_by_tenant
             WHERE tenant = ?1 AND id > ?2 AND id <= ?3 ORDER BY id LIMIT ?4"
        }
        Kind::Accounts => {
            "SELECT id FROM accounts INDEXED BY accounts_by_tenant
             WHERE tenant = ?1 AND id > ?2 AND id <= ?3 ORDER BY id LIMIT ?4"
        }
    }
}

#[cfg(test)]
mod tests;
