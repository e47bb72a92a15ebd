//! Administration of workspaces.

use rusqlite::{Connection, TransactionBehavior, params};

use super::tenant::{self, check_id};
use super::{DEFAULT_TENANT_ID, StoreError, Tenant};

/// Rows that are deleted in one transaction, so that a running service never waits long.
const DELETED_AT_ONCE: i64 = 500;

/// A workspace with its size.
#[derive(Debug)]
pub struct Workspace {
    pub tenant_id: String,
    pub created_at: String,
    pub leads: u64,
    pub accounts: u64,
    /// Keys that are not revoked.
    pub keys: u64,
}

/// Returns every workspace, oldest first.
pub fn list(connection: &Connection) -> Result<Vec<Workspace>, StoreError> {
    let mut select = connection.prepare(
        "SELECT tenant_id, created_at,
           (SELECT coalesce(sum(leads), 0) FROM status_counts c WHERE c.tenant = t.tenant),
           (SELECT count(*) FROM accounts a WHERE a.tenant = t.tenant),
           (SELECT count(*) FROM key_tenants JOIN api_keys USING (key_id)
            WHERE tenant = t.tenant AND revoked_at IS NULL)
         FROM tenants t ORDER BY tenant",
    )?;
    let rows = select.query_map([], |row| {
        Ok(Workspace {
            tenant_id: row.get(0)?,
            created_at: row.get(1)?,
            leads: row.get::<_, i64>(2)?.unsigned_abs(),
            accounts: row.get::<_, i64>(3)?.unsigned_abs(),
            keys: row.get::<_, i64>(4)?.unsigned_abs(),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Creates a workspace.
///
/// # Errors
/// When it exists, or the id is not valid.
pub fn create(connection: &Connection, tenant_id: &str) -> Result<(), StoreError> {
    refuse_known(connection, tenant_id, "created")?;
    Tenant::ensure(connection, tenant_id).map(drop)
}

/// Gives a workspace another id. Its keys keep their access; clients must send the new id.
///
/// # Errors
/// When there is no such workspace, it is the default one, or the new id is taken or not valid.
pub fn rename(connection: &Connection, from: &str, to: &str) -> Result<(), StoreError> {
    let Tenant(number) = find(connection, from)?;
    if from == DEFAULT_TENANT_ID {
        return Err(StoreError::Refused(format!(
            "the workspace {DEFAULT_TENANT_ID:?} cannot be renamed, because the start key opens it. \
             Nothing was changed"
        )));
    }
    refuse_known(connection, to, "changed")?;
    check_id(to, "changed")?;
    connection.execute(
        "UPDATE tenants SET tenant_id = ?2, name = ?2 WHERE tenant = ?1",
        params![number, to],
    )?;
    Ok(())
}

/// Finds a workspace by its id.
///
/// # Errors
/// When there is none.
pub fn find(connection: &Connection, tenant_id: &str) -> Result<Tenant, StoreError> {
    Tenant::find(connection, tenant_id)?.ok_or_else(|| {
        StoreError::Refused(format!(
            "there is no workspace {tenant_id:?}. Nothing was changed; `workspaces list` shows all"
        ))
    })
}

fn refuse_known(connection: &Connection, tenant_id: &str, what: &str) -> Result<(), StoreError> {
    match Tenant::find(connection, tenant_id)? {
        Some(_) => Err(StoreError::Refused(format!(
            "there is a workspace {tenant_id:?} already. Nothing was {what}"
        ))),
        None => Ok(()),
    }
}

/// Deletes a workspace with everything in it. Its keys lose their access first. If this is
/// interrupted, a second call deletes the rest.
///
/// The default workspace is created again, empty.
pub fn delete(connection: &mut Connection, tenant: Tenant) -> Result<(), StoreError> {
    let number = tenant.0;
    write(connection, |connection| {
        connection.execute("DELETE FROM key_tenants WHERE tenant = ?1", [number])?;
        // A worker that holds one of them finds out with its next step.
        connection.execute("DELETE FROM jobs WHERE tenant = ?1", [number])
    })?;
    let leads = "DELETE FROM leads WHERE id IN
                   (SELECT id FROM leads INDEXED BY leads_by_tenant WHERE tenant = ?1 LIMIT ?2)";
    while write(connection, |connection| {
        connection.execute(leads, [number, DELETED_AT_ONCE])
    })? > 0
    {}
    delete_accounts(connection, tenant)?;
    write(connection, |connection| {
        let is_default = tenant.id(connection)? == DEFAULT_TENANT_ID;
        connection.execute("DELETE FROM tenants WHERE tenant = ?1", [number])?;
        if is_default {
            tenant::ensure_default(connection)?;
        }
        Ok::<_, StoreError>(())
    })
}

/// Deletes the accounts of a workspace without leads.
///
/// With foreign keys on, SQLite would search all leads for each account, because no index begins
/// with the account.
fn delete_accounts(connection: &mut Connection, tenant: Tenant) -> Result<(), StoreError> {
    connection.pragma_update(None, "foreign_keys", false)?;
    let deleted = (|| {
        loop {
            let some = write(connection, |connection| {
                let batch = "SELECT id FROM accounts INDEXED BY accounts_by_tenant
                             WHERE tenant = ?1 ORDER BY id LIMIT ?2";
                for table in ["account_list_items", "account_scores"] {
                    let sql = format!("DELETE FROM {table} WHERE account IN ({batch})");
                    connection.execute(&sql, [tenant.0, DELETED_AT_ONCE])?;
                }
                let sql = format!("DELETE FROM accounts WHERE id IN ({batch})");
                connection.execute(&sql, [tenant.0, DELETED_AT_ONCE])
            })?;
            if some == 0 {
                return Ok(());
            }
        }
    })();
    connection.pragma_update(None, "foreign_keys", true)?;
    deleted
}

/// Runs a part of the deletion in a transaction of its own.
fn write<T, E>(
    connection: &mut Connection,
    change: impl FnOnce(&Connection) -> Result<T, E>,
) -> Result<T, StoreError>
where
    StoreError: From<E>,
{
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let value = change(&transaction)?;
    transaction.commit()?;
    Ok(value)
}
