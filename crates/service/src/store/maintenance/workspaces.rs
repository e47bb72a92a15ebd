//! Administration of workspaces.

use std::thread;
use std::time::Instant;

use crate::store::db::{AcrossWorkspaces, Db, Fixed, params};
use crate::store::error::StoreError;
use crate::store::index_host::{remove_saved, versions};
use crate::store::records::insert::delete_leads;
use crate::store::shared_database::SharedDatabase;
use crate::store::tenant::Tenant;
use crate::store::tenants::{self, DEFAULT_TENANT_ID, check_id};
use crate::time::now;

/// Rows that are deleted in one transaction, so that a running service never waits long.
const DELETED_AT_ONCE: i64 = 200;

/// Entries of the audit log, of whichever workspace, that are read in one transaction.
const READ_AT_ONCE: i64 = 5_000;

/// Maximum length of a name that people see, in characters.
const MAX_NAME_CHARS: usize = 80;

/// A workspace with its size.
#[derive(Debug)]
pub struct Workspace {
    pub tenant_id: String,
    /// The name that people see; empty if there is none.
    pub name: String,
    pub created_at: String,
    pub leads: u64,
    pub accounts: u64,
    /// Keys that are not revoked.
    pub keys: u64,
}

/// Returns every workspace, oldest first.
pub fn list(db: Db<'_>) -> Result<Vec<Workspace>, StoreError> {
    // Counted for all at once: a distributed database cannot count for each row of `tenants`.
    let sql = "SELECT t.tenant_id, t.created_at, coalesce(l.count, 0), coalesce(a.count, 0),
                 (SELECT count(*) FROM key_tenants k JOIN api_keys USING (key_id)
                  WHERE k.tenant = t.tenant AND revoked_at IS NULL),
                 CASE WHEN t.name = t.tenant_id OR t.deleted_at IS NOT NULL THEN '' ELSE t.name END
               FROM tenants t
               LEFT JOIN (SELECT tenant, count(*) AS count FROM leads GROUP BY tenant) l ON l.tenant = t.tenant
               LEFT JOIN (SELECT tenant, count(*) AS count FROM accounts GROUP BY tenant) a ON a.tenant = t.tenant
               ORDER BY t.tenant";
    db.rows(AcrossWorkspaces(sql), &[], |row| {
        Ok(Workspace {
            tenant_id: row.get(0)?,
            name: row.get(5)?,
            created_at: row.get(1)?,
            leads: row.get::<i64>(2)?.unsigned_abs(),
            accounts: row.get::<i64>(3)?.unsigned_abs(),
            keys: row.get::<i64>(4)?.unsigned_abs(),
        })
    })
}

/// Creates a workspace.
///
/// # Errors
/// When it exists, or the id is not valid.
pub fn create(db: Db<'_>, tenant_id: &str) -> Result<(), StoreError> {
    refuse_known(db, tenant_id, "created")?;
    Tenant::ensure(db, tenant_id).map(drop)
}

/// Gives a workspace another id. Its keys keep their access; clients must send the new id. The name that people see stays.
///
/// # Errors
/// When there is no such workspace, it is the default one, or the new id is taken or not valid.
pub fn rename(db: Db<'_>, from: &str, to: &str) -> Result<(), StoreError> {
    let Tenant(number) = find(db, from)?;
    if from == DEFAULT_TENANT_ID {
        return Err(StoreError::Refused(format!(
            "the workspace {DEFAULT_TENANT_ID:?} cannot be renamed, because the start key opens it. \
             Nothing was changed"
        )));
    }
    refuse_known(db, to, "changed")?;
    check_id(to, "changed")?;
    let sql = "UPDATE tenants SET tenant_id = ?2,
                 name = CASE WHEN name = tenant_id THEN ?2 ELSE name END WHERE tenant = ?1";
    db.execute(sql, params![number, to])?;
    Ok(())
}

/// Sets the name of a workspace that people see. An empty one removes it. Without a name, the column has the id.
///
/// # Errors
/// When there is no such workspace, or the name is not valid.
pub fn set_name(db: Db<'_>, tenant_id: &str, name: &str) -> Result<(), StoreError> {
    let Tenant(number) = find(db, tenant_id)?;
    let name = name.trim();
    if name.chars().count() > MAX_NAME_CHARS || name.chars().any(char::is_control) {
        return Err(StoreError::Refused(format!(
            "{name:?} cannot be the name of a workspace. Nothing was changed; use at most {MAX_NAME_CHARS} \
             characters, without line breaks"
        )));
    }
    let name = if name.is_empty() { tenant_id } else { name };
    let sql = "UPDATE tenants SET name = ?2 WHERE tenant = ?1";
    db.execute(sql, params![number, name])?;
    Ok(())
}

/// Names a workspace that has no name yet.
pub(crate) fn name_if_unnamed(db: Db<'_>, tenant: Tenant, name: &str) -> Result<(), StoreError> {
    let sql = "UPDATE tenants SET name = ?2 WHERE tenant = ?1 AND name = tenant_id";
    db.execute(sql, params![tenant.0, name])?;
    Ok(())
}

/// Finds a workspace by its id.
///
/// # Errors
/// When there is none.
pub fn find(db: Db<'_>, tenant_id: &str) -> Result<Tenant, StoreError> {
    Tenant::find(db, tenant_id)?.ok_or_else(|| {
        StoreError::Refused(format!(
            "there is no workspace {tenant_id:?}. Nothing was changed; `workspaces list` shows all"
        ))
    })
}

fn refuse_known(db: Db<'_>, tenant_id: &str, what: &str) -> Result<(), StoreError> {
    match Tenant::find(db, tenant_id)? {
        Some(_) => Err(StoreError::Refused(format!(
            "there is a workspace {tenant_id:?} already. Nothing was {what}"
        ))),
        None => Ok(()),
    }
}

/// Begins the deletion of a workspace: its keys lose their access, and nothing is written to it any more.
/// Returns the id of what is left, for [`finish_deletion`]. Its own id is free at once; the default workspace
/// is created again, empty.
///
/// # Errors
/// When nothing could be changed.
pub fn begin_deletion(database: &mut SharedDatabase, tenant: Tenant) -> Result<String, StoreError> {
    write(database, tenant, |db| {
        let sql = "DELETE FROM key_tenants WHERE tenant = ?1";
        db.execute(sql, params![tenant.0])?;
        db.execute(
            "UPDATE tenants SET tenant_id = tenant_id || ' (deleted ' || tenant || ')', deleted_at = ?2
             WHERE tenant = ?1 AND deleted_at IS NULL",
            params![tenant.0, now()],
        )?;
        tenants::ensure_default(db)?;
        tenant.id(db)
    })
}

/// Deletes a workspace, whose deletion has begun, with everything in it. If this is interrupted,
/// a second call deletes the rest.
///
/// # Errors
/// When it could not be deleted, or only in part.
pub fn finish_deletion(database: &mut SharedDatabase, tenant: Tenant) -> Result<(), StoreError> {
    if let Some(dir) = database.folder() {
        remove_saved(dir)?;
    }
    let targets = "DELETE FROM job_targets WHERE tenant = ?1 AND (job, target) IN
                     (SELECT job, target FROM job_targets WHERE tenant = ?1 LIMIT ?2)";
    let batch = params![tenant.0, DELETED_AT_ONCE];
    in_batches(database, tenant, |db| Ok(db.execute(targets, batch)? > 0))?;
    let leads = "DELETE FROM leads WHERE tenant = ?1 AND id IN
                   (SELECT id FROM leads INDEXED BY leads_by_tenant WHERE tenant = ?1 LIMIT ?2)
                 RETURNING id, account, lead_id";
    in_batches(database, tenant, |db| {
        Ok(delete_leads(db, tenant, leads, batch)? > 0)
    })?;
    delete_accounts(database, tenant)?;
    delete_audit_entries(database, tenant)?;
    write(database, tenant, |db| {
        let sql = "DELETE FROM tenants WHERE tenant = ?1";
        db.execute(sql, params![tenant.0]).map(drop)
    })
}

/// Deletes the accounts of a workspace without leads.
///
/// With foreign keys on, SQLite would search all leads for each account, because no index begins
/// with the account.
fn delete_accounts(database: &mut SharedDatabase, tenant: Tenant) -> Result<(), StoreError> {
    let limit = params![tenant.0, DELETED_AT_ONCE];
    let delete_batch = |db: Db<'_>| {
        let batch = "SELECT id FROM accounts INDEXED BY accounts_by_tenant
                     WHERE tenant = ?1 ORDER BY id LIMIT ?2";
        for table in ["account_list_items", "account_scores"] {
            let sql = format!("DELETE FROM {table} WHERE tenant = ?1 AND account IN ({batch})");
            db.execute(&Fixed(sql), limit)?;
        }
        let sql = format!("DELETE FROM accounts WHERE tenant = ?1 AND id IN ({batch})");
        Ok(db.execute(&Fixed(sql), limit)? > 0)
    };
    database.without_reference_checks(|database| in_batches(database, tenant, delete_batch))
}

/// Deletes the entries of a workspace in the audit log. That of a data folder has no index: there, batch by batch of all
/// entries.
fn delete_audit_entries(database: &mut SharedDatabase, tenant: Tenant) -> Result<(), StoreError> {
    if database.folder().is_none() {
        let sql = "DELETE FROM audit_log WHERE tenant = ?1 AND id IN
                     (SELECT id FROM audit_log WHERE tenant = ?1 LIMIT ?2)";
        let batch = params![tenant.0, DELETED_AT_ONCE];
        return in_batches(database, tenant, |db| Ok(db.execute(sql, batch)? > 0));
    }
    let mut after = 0;
    let sql = "SELECT max(id) FROM
                 (SELECT id FROM audit_log WHERE id > ?1 ORDER BY id LIMIT ?2) batch";
    loop {
        let next = |db: Db<'_>| db.value(AcrossWorkspaces(sql), params![after, READ_AT_ONCE]);
        let last: Option<i64> = database.read(next)?;
        let Some(last) = last else {
            return Ok(());
        };
        let sql = "DELETE FROM audit_log WHERE tenant = ?1 AND id > ?2 AND id <= ?3";
        let batch = params![tenant.0, after, last];
        in_turn(database, tenant, |db| db.execute(sql, batch))?;
        after = last;
    }
}

/// Deletes batch by batch until one has nothing to do.
fn in_batches(
    database: &mut SharedDatabase,
    tenant: Tenant,
    batch: impl Fn(Db<'_>) -> Result<bool, StoreError>,
) -> Result<(), StoreError> {
    while in_turn(database, tenant, &batch)? {}
    Ok(())
}

/// Deletes a batch. In a pause after it, half as long, a running service writes.
fn in_turn<T>(
    database: &mut SharedDatabase,
    tenant: Tenant,
    batch: impl Fn(Db<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let started = Instant::now();
    let deleted = write(database, tenant, batch)?;
    thread::sleep(started.elapsed() / 2);
    Ok(deleted)
}

/// Runs a part of the deletion in a transaction of its own, which a running service notices by the version.
fn write<T>(
    database: &mut SharedDatabase,
    tenant: Tenant,
    change: impl Fn(Db<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    database.change(|db| {
        // Without an entry in the feed: it may have changed anything.
        versions::record_change(db, Some(tenant))?;
        change(db)
    })
}
