//! Asking for a job.

use lead_workspace_api::{AccountScoring, JobId, LeadScoring, ScoringStarted, WorkflowId};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Value, json};
use uuid::Uuid;

use super::Kind;
use crate::store::{StoreError, Tenant};
use crate::time::now;

/// Ids that do not exist are listed in the job's result, up to so many.
const NOT_FOUND_LISTED: usize = 100;

/// Asks for leads to be scored: the named ones, those on the named lists, or, when neither is
/// given, every lead that is there now.
///
/// spec: not shown; we let an empty `lead_ids` name nobody, and list unknown ids in the result.
///
/// # Errors
/// Those of the database.
pub fn enqueue_lead_scoring(
    connection: &Connection,
    tenant: Tenant,
    scoring: &LeadScoring,
) -> Result<ScoringStarted, StoreError> {
    if scoring.lead_ids.is_none() && scoring.lead_list_ids.is_none() {
        return every(connection, tenant, Kind::Leads);
    }
    let job = Job::insert(connection, tenant, Kind::Leads, &json!({}))?;
    let ids = scoring.lead_ids.iter().flatten().map(|id| id.as_str());
    let find = "SELECT id FROM leads WHERE tenant = ?1 AND lead_id = ?2";
    let not_found = job.add_named(connection, tenant, find, ids)?;
    for list in scoring.lead_list_ids.iter().flatten() {
        connection.execute(
            "INSERT OR IGNORE INTO job_targets
             SELECT ?1, lead FROM list_items WHERE tenant = ?2 AND list_id = ?3",
            params![job.id, tenant.0, list.as_str()],
        )?;
    }
    job.ready(connection, json!({"not_found": not_found}))
}

/// Asks for accounts to be scored: the named ones, those on the list or with a lead on it, or,
/// when neither is given, every account that is there now.
///
/// # Errors
/// Those of the database.
pub fn enqueue_account_scoring(
    connection: &Connection,
    tenant: Tenant,
    scoring: &AccountScoring,
) -> Result<ScoringStarted, StoreError> {
    if scoring.account_ids.is_empty() && scoring.lead_list_id.is_none() {
        return every(connection, tenant, Kind::Accounts);
    }
    let job = Job::insert(connection, tenant, Kind::Accounts, &json!({}))?;
    let ids = scoring.account_ids.iter().map(|id| id.as_str());
    let find = "SELECT id FROM accounts WHERE tenant = ?1 AND account_id = ?2";
    let not_found = job.add_named(connection, tenant, find, ids)?;
    if let Some(list) = &scoring.lead_list_id {
        connection.execute(
            "INSERT OR IGNORE INTO job_targets
             SELECT ?1, account FROM account_list_items WHERE tenant = ?2 AND list_id = ?3
             UNION
             SELECT ?1, leads.account FROM list_items JOIN leads ON leads.id = list_items.lead
             WHERE list_items.tenant = ?2 AND list_id = ?3 AND leads.account IS NOT NULL",
            params![job.id, tenant.0, list.as_str()],
        )?;
    }
    let list = scoring.lead_list_id.as_ref().map(|list| list.as_str());
    job.ready(connection, json!({"not_found": not_found, "list_id": list}))
}

/// Asks for the leads of an import, and others that it changed, to be scored, and then the
/// accounts they belong to.
pub(crate) fn enqueue_scoring_of(
    connection: &Connection,
    tenant: Tenant,
    import_job_id: &str,
    others: &[i64],
) -> Result<(), StoreError> {
    let job = Job::insert(connection, tenant, Kind::Leads, &json!({}))?;
    connection.execute(
        "INSERT OR IGNORE INTO job_targets
         SELECT ?1, id FROM leads WHERE tenant = ?2 AND import_job_id = ?3",
        params![job.id, tenant.0, import_job_id],
    )?;
    let mut add = connection.prepare_cached("INSERT OR IGNORE INTO job_targets VALUES (?1, ?2)")?;
    for lead in others {
        add.execute([job.id, *lead])?;
    }
    let leads = job.id;
    job.ready(connection, json!({"not_found": []}))?;
    let job = Job::insert(connection, tenant, Kind::Accounts, &json!({}))?;
    connection.execute(
        "INSERT OR IGNORE INTO job_targets
         SELECT ?1, leads.account FROM job_targets JOIN leads ON leads.id = job_targets.target
         WHERE job_targets.job = ?2 AND leads.account IS NOT NULL",
        params![job.id, leads],
    )?;
    job.ready(connection, json!({"not_found": []}))?;
    Ok(())
}

/// A job over everything up to the newest row, so that leads which come in meanwhile neither
/// prolong it nor spoil its progress.
fn every(
    connection: &Connection,
    tenant: Tenant,
    kind: Kind,
) -> Result<ScoringStarted, StoreError> {
    let sql = match kind {
        Kind::Leads => "SELECT count(*), coalesce(max(id), 0) FROM leads WHERE tenant = ?1",
        Kind::Accounts => "SELECT count(*), coalesce(max(id), 0) FROM accounts WHERE tenant = ?1",
    };
    let (total, last): (i64, i64) =
        connection.query_row(sql, [tenant.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let job = Job::insert(
        connection,
        tenant,
        kind,
        &json!({"last": last, "not_found": []}),
    )?;
    connection.execute("UPDATE jobs SET total = ?2 WHERE id = ?1", [job.id, total])?;
    Ok(job.started)
}

struct Job {
    id: i64,
    started: ScoringStarted,
}

impl Job {
    fn insert(
        connection: &Connection,
        tenant: Tenant,
        kind: Kind,
        payload: &Value,
    ) -> Result<Self, StoreError> {
        let job_id = format!("job_{}", Uuid::now_v7().simple());
        let workflow_id = format!("workflow_{}", Uuid::now_v7().simple());
        connection.execute(
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
            id: connection.last_insert_rowid(),
            started: ScoringStarted {
                workflow_id: Some(WorkflowId::new(workflow_id)),
                job_id: Some(JobId::new(job_id)),
            },
        })
    }

    /// Adds targets by id, and gives the ids that do not exist.
    fn add_named<'a>(
        &self,
        connection: &Connection,
        tenant: Tenant,
        find: &str,
        ids: impl Iterator<Item = &'a str>,
    ) -> Result<Vec<&'a str>, StoreError> {
        let mut find = connection.prepare_cached(find)?;
        let mut add =
            connection.prepare_cached("INSERT OR IGNORE INTO job_targets VALUES (?1, ?2)")?;
        let mut not_found = Vec::new();
        for id in ids {
            let target: Option<i64> = find
                .query_row(params![tenant.0, id], |row| row.get(0))
                .optional()?;
            match target {
                Some(target) => _ = add.execute([self.id, target])?,
                None if not_found.len() < NOT_FOUND_LISTED => not_found.push(id),
                None => {}
            }
        }
        Ok(not_found)
    }

    /// Completes a job over named targets.
    fn ready(self, connection: &Connection, payload: Value) -> Result<ScoringStarted, StoreError> {
        connection.execute(
            "UPDATE jobs SET payload = ?2,
               total = (SELECT count(*) FROM job_targets WHERE job = ?1)
             WHERE id = ?1",
            params![self.id, payload.to_string()],
        )?;
        Ok(self.started)
    }
}
