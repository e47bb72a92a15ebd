//! Durable jobs: a queue in the database.
//!
//! A worker takes a job by a lease and a fence. Every step of it commits its effects, the cursor
//! and the progress in one transaction, and only while the fence is still the job's; so whatever
//! is killed, a step is done once or not at all.

mod enqueue;

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use super::{StoreError, Tenant};
use crate::time::now;

pub(crate) use enqueue::{begin_scoring_of, enqueue_scoring_of};
pub use enqueue::{enqueue_account_scoring, enqueue_lead_scoring};

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

    fn read(text: &str) -> Result<Self, StoreError> {
        [Self::Leads, Self::Accounts]
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| StoreError::Unexpected(format!("a job of the kind {text:?}")))
    }
}

/// A job that a worker holds.
#[derive(Clone, Debug)]
pub(crate) struct Leased {
    pub id: i64,
    pub tenant: Tenant,
    pub job_id: String,
    pub kind: Kind,
    pub payload: Value,
    pub created_at: String,
    fence: i64,
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

/// Puts the jobs of a dead process back into the queue. To be called once after the folder was
/// opened: its lock proves that nobody else works on them.
pub(crate) fn take_over(connection: &Connection) -> Result<usize, StoreError> {
    let sql = "UPDATE jobs SET status = 'queued', lease_until = NULL WHERE status = 'running'";
    Ok(connection.execute(sql, [])?)
}

/// Takes the oldest waiting job.
pub(crate) fn lease(connection: &Connection) -> Result<Option<Leased>, StoreError> {
    let row = connection
        .prepare_cached(
            "UPDATE jobs SET status = 'running', fence = fence + 1, lease_until = ?1, updated_at = ?2
             WHERE id = (SELECT id FROM jobs WHERE status = 'queued' ORDER BY id LIMIT 1)
             RETURNING id, tenant, job_id, kind, payload, created_at, fence",
        )?
        .query_row(params![lease_end(), now()], |row| {
            let texts: (String, String) = (row.get(3)?, row.get(4)?);
            let leased = Leased {
                id: row.get(0)?,
                tenant: Tenant(row.get(1)?),
                job_id: row.get(2)?,
                kind: Kind::Leads,
                payload: Value::Null,
                created_at: row.get(5)?,
                fence: row.get(6)?,
            };
            Ok((leased, texts))
        })
        .optional()?;
    let Some((leased, (kind, payload))) = row else {
        return Ok(None);
    };
    Ok(Some(Leased {
        kind: Kind::read(&kind)?,
        payload: serde_json::from_str(&payload)
            .map_err(|error| StoreError::Unexpected(format!("payload of a job: {error}")))?,
        ..leased
    }))
}

fn lease_end() -> String {
    crate::time::iso(
        jiff::Timestamp::now()
            .saturating_add(LEASE)
            .unwrap_or(jiff::Timestamp::MAX),
    )
}

impl Leased {
    /// Does the next step of at most `limit` targets: `effect` is called with each one, and says
    /// whether it was there. Must run inside one change of the store.
    pub(crate) fn step(
        &self,
        connection: &Connection,
        limit: usize,
        mut effect: impl FnMut(i64) -> Result<bool, StoreError>,
    ) -> Result<Step, StoreError> {
        let cursor: Option<i64> = connection
            .prepare_cached(
                "SELECT cursor FROM jobs WHERE id = ?1 AND fence = ?2 AND status = 'running'",
            )?
            .query_row(params![self.id, self.fence], |row| row.get(0))
            .optional()?;
        let Some(cursor) = cursor else {
            return Ok(Step::Lost);
        };
        let targets = self.targets(connection, cursor, limit)?;
        let mut done = 0_i64;
        for target in &targets {
            done += i64::from(effect(*target)?);
        }
        let cursor = targets.last().copied().unwrap_or(cursor);
        connection
            .prepare_cached(
                "UPDATE jobs SET cursor = ?2, done = done + ?3, lease_until = ?4, updated_at = ?5
                 WHERE id = ?1",
            )?
            .execute(params![self.id, cursor, done, lease_end(), now()])?;
        if targets.len() == limit {
            return Ok(Step::More);
        }
        self.finish(connection)?;
        Ok(Step::Finished)
    }

    fn targets(
        &self,
        connection: &Connection,
        cursor: i64,
        limit: usize,
    ) -> Result<Vec<i64>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let Some(last) = self.payload["last"].as_i64() else {
            let mut named = connection.prepare_cached(
                "SELECT target FROM job_targets WHERE job = ?1 AND target > ?2
                 ORDER BY target LIMIT ?3",
            )?;
            let targets = named.query_map(params![self.id, cursor, limit], |row| row.get(0))?;
            return Ok(targets.collect::<Result<_, _>>()?);
        };
        // The plus keeps SQLite from walking an index of the workspace and sorting the rest.
        let mut every = connection.prepare_cached(match self.kind {
            Kind::Leads => {
                "SELECT id FROM leads WHERE +tenant = ?1 AND id > ?2 AND id <= ?3 ORDER BY id LIMIT ?4"
            }
            Kind::Accounts => {
                "SELECT id FROM accounts WHERE +tenant = ?1 AND id > ?2 AND id <= ?3 ORDER BY id LIMIT ?4"
            }
        })?;
        let targets = every.query_map(params![self.tenant.0, cursor, last, limit], |row| {
            row.get(0)
        })?;
        Ok(targets.collect::<Result<_, _>>()?)
    }

    fn finish(&self, connection: &Connection) -> Result<(), StoreError> {
        // Targets that were deleted meanwhile are not owed any more: the progress ends at all.
        connection.execute(
            "UPDATE jobs SET status = 'succeeded', lease_until = NULL, total = done,
               result = json_object('scored', done, 'gone', max(total - done, 0),
                                    'not_found', json_extract(payload, '$.not_found'))
             WHERE id = ?1",
            [self.id],
        )?;
        connection.execute("DELETE FROM job_targets WHERE job = ?1", [self.id])?;
        Ok(())
    }

    /// Ends the job with an error for people; what was done stays done.
    pub(crate) fn fail(&self, connection: &Connection, error: &str) -> Result<(), StoreError> {
        connection.execute(
            "UPDATE jobs SET status = 'failed', lease_until = NULL, error = ?3, updated_at = ?4
             WHERE id = ?1 AND fence = ?2",
            params![self.id, self.fence, error, now()],
        )?;
        connection.execute("DELETE FROM job_targets WHERE job = ?1", [self.id])?;
        Ok(())
    }

    /// Puts the job back, for the next start.
    pub(crate) fn release(&self, connection: &Connection) -> Result<(), StoreError> {
        connection.execute(
            "UPDATE jobs SET status = 'queued', lease_until = NULL
             WHERE id = ?1 AND fence = ?2 AND status = 'running'",
            params![self.id, self.fence],
        )?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
