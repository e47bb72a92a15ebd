//! The audit log: who decided on, deleted or scored what. Each entry is written in the transaction of
//! the change itself, so that there is none without the other.

use serde::Serialize;

use crate::store::db::{AcrossWorkspaces, Db, params};
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::tenant::Tenant;
use crate::time::now;

/// Entries that are deleted in one change.
const PRUNED_AT_ONCE: i64 = 5000;

/// Who makes a change, for the log.
#[derive(Clone, Debug)]
pub struct Actor {
    pub key_id: String,
    /// The id of the request, as in the service's log and in `x-request-id`.
    pub request_id: String,
}

impl Actor {
    /// A command on the data folder. It needs no key and sends no request.
    pub fn command() -> Self {
        Self {
            key_id: "command".into(),
            request_id: String::new(),
        }
    }
}

/// An entry, as it is exported.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct AuditEntry {
    pub at: String,
    /// The id of the workspace.
    pub workspace: String,
    pub key_id: String,
    pub key_name: Option<String>,
    /// `decide`, `delete`, `score_leads` or `score_accounts`.
    pub action: String,
    /// The lead; none for a scoring.
    pub lead_id: Option<String>,
    pub from: Option<String>,
    /// The new status; none for a deleted lead.
    pub to: Option<String>,
    /// The job of a scoring, or the import that took the decision from its file.
    pub job_id: Option<String>,
    pub request_id: String,
}

/// The decision on a lead, with its status before and after.
pub(crate) struct Decision<'a> {
    pub actor: &'a Actor,
    pub at: &'a str,
    pub lead_id: &'a str,
    /// None for a new lead.
    pub from: Option<&'a str>,
    pub to: &'a str,
    /// The import that takes the decision from its file.
    pub import: Option<&'a str>,
}

/// Records a decision. A lead that already has the status is not changed, and has no entry.
pub(crate) fn record_decision(
    db: Db<'_>,
    tenant: Tenant,
    decision: &Decision<'_>,
) -> Result<(), StoreError> {
    let Decision { actor, .. } = decision;
    db.execute(
        "INSERT INTO audit_log (tenant, at, key_id, request_id, action, lead_id, from_status, to_status, job_id)
         VALUES (?1, ?2, ?3, ?4, 'decide', ?5, ?6, ?7, ?8)",
        params![
            tenant.0,
            decision.at,
            actor.key_id,
            actor.request_id,
            decision.lead_id,
            decision.from,
            decision.to,
            decision.import
        ],
    )?;
    Ok(())
}

/// Records the deletion of a lead, before it is deleted.
pub(in crate::store) fn record_deletion(
    db: Db<'_>,
    tenant: Tenant,
    actor: &Actor,
    lead_id: &str,
) -> Result<(), StoreError> {
    // Locked, because the log says what was deleted, and only one deletion.
    let find = "SELECT approval_status FROM leads WHERE tenant = ?1 AND lead_id = ?2
                /*postgres FOR UPDATE */";
    let from: Option<String> = db.row(find, params![tenant.0, lead_id], |row| row.get(0))?;
    let Some(from) = from else { return Ok(()) };
    db.execute(
        "INSERT INTO audit_log (tenant, at, key_id, request_id, action, lead_id, from_status)
         VALUES (?1, ?3, ?4, ?5, 'delete', ?2, ?6)",
        params![
            tenant.0,
            lead_id,
            now(),
            actor.key_id,
            actor.request_id,
            from
        ],
    )?;
    Ok(())
}

/// Records the start of a scoring.
pub fn record_scoring(
    db: Db<'_>,
    tenant: Tenant,
    actor: &Actor,
    action: &str,
    job_id: Option<&str>,
) -> Result<(), StoreError> {
    db.execute(
        "INSERT INTO audit_log (tenant, at, key_id, request_id, action, job_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            tenant.0,
            now(),
            actor.key_id,
            actor.request_id,
            action,
            job_id
        ],
    )?;
    Ok(())
}

/// Calls `on_entry` with each entry since a time (in the form of [`iso`](crate::time::iso)) and of a
/// workspace, oldest first.
pub fn export<E: From<StoreError>>(
    db: Db<'_>,
    since: Option<&str>,
    tenant: Option<Tenant>,
    mut on_entry: impl FnMut(&AuditEntry) -> Result<(), E>,
) -> Result<(), E> {
    let sql = "SELECT a.at, t.tenant_id, a.key_id, k.name, a.action, a.lead_id, a.from_status,
                 a.to_status, a.job_id, a.request_id
               FROM audit_log a JOIN tenants t USING (tenant) LEFT JOIN api_keys k USING (key_id)
               WHERE (?1 IS NULL OR a.at >= ?1) AND (?2 IS NULL OR a.tenant = ?2) ORDER BY a.id";
    let tenant = tenant.map(|tenant| tenant.0);
    db.each(AcrossWorkspaces(sql), params![since, tenant], |row| {
        let entry = || {
            Ok(AuditEntry {
                at: row.get(0)?,
                workspace: row.get(1)?,
                key_id: row.get(2)?,
                key_name: row.get(3)?,
                action: row.get(4)?,
                lead_id: row.get(5)?,
                from: row.get(6)?,
                to: row.get(7)?,
                job_id: row.get(8)?,
                request_id: row.get(9)?,
            })
        };
        on_entry(&entry()?)
    })
}

/// Deletes some of the entries before a time.
fn prune(db: Db<'_>, before: &str) -> Result<u64, StoreError> {
    if !db.has_citus() {
        let sql = "DELETE FROM audit_log WHERE at < ?1
                   AND id IN (SELECT id FROM audit_log ORDER BY id LIMIT ?2)";
        return db.execute(AcrossWorkspaces(sql), params![before, PRUNED_AT_ONCE]);
    }
    let mut deleted = 0;
    for tenant in Tenant::all::<Vec<_>>(db)? {
        let sql = "DELETE FROM audit_log WHERE tenant = ?1 AND at < ?2 AND id IN
                     (SELECT id FROM audit_log WHERE tenant = ?1 ORDER BY id LIMIT ?3)";
        deleted += db.execute(sql, params![tenant.0, before, PRUNED_AT_ONCE])?;
    }
    Ok(deleted)
}

impl Store {
    /// Deletes the entries before a time, and returns their number. Other changes are written in
    /// between.
    pub async fn prune_audit_log(&self, before: String) -> Result<u64, StoreError> {
        let mut deleted = 0;
        loop {
            let before = before.clone();
            match self.maintain(move |db| prune(db, &before)).await? {
                0 => return Ok(deleted),
                some => deleted += some,
            }
        }
    }
}
