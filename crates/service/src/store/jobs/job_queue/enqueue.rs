//! Enqueueing jobs.

use lead_workspace_api::{AccountScoring, JobId, LeadScoring, ScoringStarted, WorkflowId};
use lead_workspace_logic::jobs::{self, MAX_NOT_FOUND_LISTED};
use serde_json::{Value, json};
use uuid::Uuid;

use super::JobKind;
use crate::store::db::{Db, Row, numbers, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;
use crate::time::now;

/// Ended jobs kept per workspace: the newest 1,000 of the last 30 days.
const MAX_ENDED_JOBS: i64 = 1_000;
const MAX_ENDED_AGE: jiff::SignedDuration = jiff::SignedDuration::from_hours(30 * 24);

/// Enqueues scoring of the given leads and of those on the given lists; without both, of every
/// current lead.
///
/// spec: not shown; an empty `lead_ids` selects no lead, and unknown ids and lists are in the result.
///
/// # Errors
/// When the workspace has too many waiting jobs.
pub fn enqueue_lead_scoring(
    db: Db<'_>,
    tenant: Tenant,
    scoring: &LeadScoring,
) -> Result<ScoringStarted, StoreError> {
    refuse_when_full(db, tenant)?;
    if scoring.lead_ids.is_none() && scoring.lead_list_ids.is_none() {
        return enqueue_all(db, tenant, JobKind::Leads);
    }
    let job = NewJob::insert(db, tenant, JobKind::Leads, &json!({}))?;
    let ids = scoring.lead_ids.iter().flatten().map(|id| id.as_str());
    let find = "SELECT id FROM leads WHERE tenant = ?1 AND lead_id = ?2";
    let mut not_found = job.add_by_id(db, find, ids)?;
    for list in scoring.lead_list_ids.iter().flatten() {
        if !db.exists(FIND_LIST, params![tenant.0, list.as_str()])? {
            jobs::add_unknown_list(&mut not_found, list.as_str());
        }
        db.execute(
            "INSERT INTO job_targets (tenant, job, target)
             SELECT tenant, ?2, lead FROM list_items WHERE tenant = ?1 AND list_id = ?3
             ON CONFLICT DO NOTHING",
            params![tenant.0, job.id, list.as_str()],
        )?;
    }
    job.ready(db, json!({"not_found": not_found}))
}

/// Enqueues scoring of the given accounts and of those on the list or with a lead on it; without
/// both, of every current account.
///
/// spec: not shown; an unknown list has no accounts and gets no scores; it is listed in the result
/// with the unknown ids.
///
/// # Errors
/// When the workspace has too many waiting jobs.
pub fn enqueue_account_scoring(
    db: Db<'_>,
    tenant: Tenant,
    scoring: &AccountScoring,
) -> Result<ScoringStarted, StoreError> {
    refuse_when_full(db, tenant)?;
    if scoring.account_ids.is_empty() && scoring.lead_list_id.is_none() {
        return enqueue_all(db, tenant, JobKind::Accounts);
    }
    let job = NewJob::insert(db, tenant, JobKind::Accounts, &json!({}))?;
    let ids = scoring.account_ids.iter().map(|id| id.as_str());
    let find = "SELECT id FROM accounts WHERE tenant = ?1 AND account_id = ?2";
    let mut not_found = job.add_by_id(db, find, ids)?;
    let requested = scoring.lead_list_id.as_ref().map(|list| list.as_str());
    let mut list = None;
    if let Some(requested) = requested {
        if db.exists(FIND_LIST, params![tenant.0, requested])? {
            list = Some(requested);
        } else {
            jobs::add_unknown_list(&mut not_found, requested);
        }
    }
    if let Some(list) = list {
        db.execute(
            "INSERT INTO job_targets (tenant, job, target)
             SELECT tenant, ?2, account FROM account_list_items WHERE tenant = ?1 AND list_id = ?3
             UNION
             SELECT i.tenant, ?2, l.account FROM list_items i CROSS JOIN leads l
             WHERE i.tenant = ?1 AND i.list_id = ?3 AND l.tenant = i.tenant AND l.id = i.lead
               AND l.account IS NOT NULL
             ON CONFLICT DO NOTHING",
            params![tenant.0, job.id, list],
        )?;
    }
    job.ready(db, json!({"not_found": not_found, "list_id": list}))
}

const FIND_LIST: &str = "SELECT 1 FROM lists WHERE tenant = ?1 AND list_id = ?2";

const ADD_TARGET: &str = "INSERT INTO job_targets (tenant, job, target) VALUES (?1, ?2, ?3)
    ON CONFLICT DO NOTHING";

/// The status of a job whose targets are still being added. No worker takes it.
const COLLECTING: &str = "collecting";

/// Adds leads to the targets that are scored when the import has ended.
pub(crate) fn add_import_targets(
    db: Db<'_>,
    tenant: Tenant,
    import_job_id: &str,
    leads: &[i64],
) -> Result<(), StoreError> {
    let job = match collecting(db, tenant, import_job_id)? {
        Some(job) => job,
        None => {
            let payload = json!({"import_job_id": import_job_id});
            let job = NewJob::insert(db, tenant, JobKind::Leads, &payload)?.id;
            let sql = "UPDATE jobs SET status = ?3 WHERE tenant = ?1 AND id = ?2";
            db.execute(sql, params![tenant.0, job, COLLECTING])?;
            job
        }
    };
    db.execute(
        "INSERT INTO job_targets (tenant, job, target) SELECT ?1, ?2, value FROM json_each(?3)
         WHERE true ON CONFLICT DO NOTHING",
        params![tenant.0, job, numbers(leads)],
    )?;
    Ok(())
}

/// Starts scoring of the leads that an import has written, then of their accounts.
///
/// If none were collected, the leads that the import created are scored.
pub(crate) fn enqueue_import_scoring(
    db: Db<'_>,
    tenant: Tenant,
    import_job_id: &str,
) -> Result<(), StoreError> {
    let leads = match collecting(db, tenant, import_job_id)? {
        Some(job) => job,
        None => {
            let job = NewJob::insert(db, tenant, JobKind::Leads, &json!({}))?.id;
            db.execute(
                "INSERT INTO job_targets (tenant, job, target)
                 SELECT tenant, ?2, id FROM leads WHERE tenant = ?1 AND import_job_id = ?3
                 ON CONFLICT DO NOTHING",
                params![tenant.0, job, import_job_id],
            )?;
            job
        }
    };
    let payload = json!({"not_found": []});
    ready(db, tenant, leads, &payload)?;
    let job = NewJob::insert(db, tenant, JobKind::Accounts, &json!({}))?;
    db.execute(
        "INSERT INTO job_targets (tenant, job, target)
         SELECT t.tenant, ?2, l.account FROM job_targets t CROSS JOIN leads l
         WHERE t.tenant = ?1 AND t.job = ?3 AND l.tenant = t.tenant AND l.id = t.target
           AND l.account IS NOT NULL
         ON CONFLICT DO NOTHING",
        params![tenant.0, job.id, leads],
    )?;
    ready(db, tenant, job.id, &payload)
}

/// Returns the job that collects the leads of an import.
fn collecting(db: Db<'_>, tenant: Tenant, import_job_id: &str) -> Result<Option<i64>, StoreError> {
    // The status has its own index: there are only as many rows as running imports.
    let sql = "SELECT id, payload FROM jobs WHERE status = 'collecting' AND tenant = ?1";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let jobs: Vec<(i64, String)> = db.rows(sql, params![tenant.0], read)?;
    let collects = |(_, payload): &(i64, String)| {
        let payload = serde_json::from_str::<Value>(payload);
        payload.is_ok_and(|payload| payload["import_job_id"] == import_job_id)
    };
    Ok(jobs.into_iter().find(collects).map(|(id, _)| id))
}

/// Creates a job over everything up to the newest row, so that leads added later do not extend it
/// or distort its progress.
fn enqueue_all(db: Db<'_>, tenant: Tenant, kind: JobKind) -> Result<ScoringStarted, StoreError> {
    let (count, last) = match kind {
        JobKind::Leads => (
            "SELECT count(*) FROM leads INDEXED BY leads_by_tenant WHERE tenant = ?1",
            "SELECT coalesce(max(id), 0) FROM leads INDEXED BY leads_by_tenant WHERE tenant = ?1",
        ),
        JobKind::Accounts => (
            "SELECT count(*) FROM accounts INDEXED BY accounts_by_tenant WHERE tenant = ?1",
            "SELECT coalesce(max(id), 0) FROM accounts INDEXED BY accounts_by_tenant WHERE tenant = ?1",
        ),
    };
    let total: i64 = db.value(count, params![tenant.0])?;
    let last: i64 = db.value(last, params![tenant.0])?;
    let job = NewJob::insert(db, tenant, kind, &json!({"last": last, "not_found": []}))?;
    let sql = "UPDATE jobs SET total = ?3 WHERE tenant = ?1 AND id = ?2";
    db.execute(sql, params![tenant.0, job.id, total])?;
    Ok(job.started)
}

fn refuse_when_full(db: Db<'_>, tenant: Tenant) -> Result<(), StoreError> {
    let sql = "SELECT count(*) FROM jobs WHERE tenant = ?1 AND status IN ('queued', 'running')";
    let waiting: i64 = db.value(sql, params![tenant.0])?;
    let refusal = jobs::refusal(usize::try_from(waiting).unwrap_or_default());
    refusal.map_or(Ok(()), |reason| Err(StoreError::Refused(reason)))
}

/// Deletes ended jobs beyond the limits above.
fn delete_ended(db: Db<'_>, tenant: Tenant) -> Result<(), StoreError> {
    let before = crate::time::current().saturating_sub(MAX_ENDED_AGE);
    let before = crate::time::iso(before.unwrap_or(jiff::Timestamp::MIN));
    db.execute(
        "DELETE FROM jobs WHERE tenant = ?1 AND status IN ('succeeded', 'failed')
         AND (updated_at < ?2 OR id <= (
           SELECT id FROM jobs WHERE tenant = ?1 AND status IN ('succeeded', 'failed')
           ORDER BY id DESC LIMIT 1 OFFSET ?3))",
        params![tenant.0, before, MAX_ENDED_JOBS],
    )?;
    Ok(())
}

struct NewJob {
    tenant: Tenant,
    id: i64,
    started: ScoringStarted,
}

impl NewJob {
    fn insert(
        db: Db<'_>,
        tenant: Tenant,
        kind: JobKind,
        payload: &Value,
    ) -> Result<Self, StoreError> {
        delete_ended(db, tenant)?;
        let job_id = format!("job_{}", Uuid::now_v7().simple());
        let workflow_id = format!("workflow_{}", Uuid::now_v7().simple());
        let id = db.insert(
            "INSERT INTO jobs (tenant, job_id, workflow_id, kind, payload, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
            params![
                tenant.0,
                job_id,
                workflow_id,
                kind.as_str(),
                payload.to_string(),
                now()
            ],
        )?;
        Ok(Self {
            tenant,
            id,
            started: ScoringStarted {
                workflow_id: Some(WorkflowId::new(workflow_id)),
                job_id: Some(JobId::new(job_id)),
            },
        })
    }

    /// Adds targets by id and returns the ids that do not exist.
    fn add_by_id<'a>(
        &self,
        db: Db<'_>,
        find: &'static str,
        ids: impl Iterator<Item = &'a str>,
    ) -> Result<Vec<&'a str>, StoreError> {
        let mut not_found = Vec::new();
        for id in ids {
            let tenant = self.tenant.0;
            let target: Option<i64> = db.row(find, params![tenant, id], |row| row.get(0))?;
            match target {
                Some(target) => _ = db.execute(ADD_TARGET, params![tenant, self.id, target])?,
                None if not_found.len() < MAX_NOT_FOUND_LISTED => not_found.push(id),
                None => {}
            }
        }
        Ok(not_found)
    }

    fn ready(self, db: Db<'_>, payload: Value) -> Result<ScoringStarted, StoreError> {
        ready(db, self.tenant, self.id, &payload)?;
        Ok(self.started)
    }
}

/// Queues a job with explicit targets.
fn ready(db: Db<'_>, tenant: Tenant, job: i64, payload: &Value) -> Result<(), StoreError> {
    db.execute(
        "UPDATE jobs SET payload = ?3, status = 'queued', created_at = ?4, updated_at = ?4,
           total = (SELECT count(*) FROM job_targets WHERE tenant = ?1 AND job = ?2)
         WHERE tenant = ?1 AND id = ?2",
        params![tenant.0, job, payload.to_string(), now()],
    )?;
    Ok(())
}
