//! The version of each workspace: every change raises it, in the same transaction. So data that was
//! read under a version is valid for every read that sees the same version.
//!
//! The service notes which rows lead to a version before it is committed. If that fails, the version
//! comes again, with other data. The service itself notices that; for another process, see [`FURTHER`].

use super::db::{Db, params};
use super::{StoreError, Tenant, writer};

/// How much further a change of another process raises the version. This is more than the changes
/// that the service can have noted and not committed, so it never leads to one of their versions.
const FURTHER: i64 = 10 * writer::GROUP_CHANGES as i64;

/// Records a change of a workspace, or of all workspaces if `tenant` is `None`, and returns their
/// versions after it. For the process that holds the lock of the folder.
pub(super) fn record_change(
    db: Db<'_>,
    tenant: Option<Tenant>,
) -> Result<Vec<(Tenant, i64)>, StoreError> {
    let sql = match tenant {
        Some(_) => {
            "INSERT INTO versions (tenant, version) VALUES (?1, 1)
             ON CONFLICT (tenant) DO UPDATE SET version = versions.version + 1
             RETURNING tenant, version"
        }
        None => {
            "INSERT INTO versions (tenant, version) SELECT tenant, 1 FROM tenants WHERE ?1 IS NULL
             ON CONFLICT (tenant) DO UPDATE SET version = versions.version + 1
             RETURNING tenant, version"
        }
    };
    let tenant = tenant.map(|tenant| tenant.0);
    db.rows(sql, params![tenant], |row| {
        Ok((Tenant(row.get(0)?), row.get(1)?))
    })
}

/// Records a change of a workspace by a process that does not hold the lock of the folder.
pub(super) fn record_change_of_other_process(db: Db<'_>, tenant: Tenant) -> Result<(), StoreError> {
    let sql = "INSERT INTO versions (tenant, version) VALUES (?1, ?2)
               ON CONFLICT (tenant) DO UPDATE SET version = versions.version + ?2";
    db.execute(sql, params![tenant.0, FURTHER]).map(drop)
}

pub(super) fn version(db: Db<'_>, tenant: Tenant) -> Result<i64, StoreError> {
    let sql = "SELECT version FROM versions WHERE tenant = ?1";
    let version = db.row(sql, params![tenant.0], |row| row.get(0))?;
    Ok(version.unwrap_or(0))
}

#[cfg(test)]
mod tests;
