//! The version of each workspace: every change raises it, in the same transaction. So data that was
//! read under a version is valid for every read that sees the same version.

use crate::store::db::{AcrossWorkspaces, Db, List, Row, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

/// Records a change of a workspace, or of all workspaces if `tenant` is `None`, and returns their
/// versions after it.
pub(in crate::store) fn record_change(
    db: Db<'_>,
    tenant: Option<Tenant>,
) -> Result<Vec<(Tenant, i64)>, StoreError> {
    let read = |row: &Row<'_>| Ok((Tenant(row.get(0)?), row.get(1)?));
    let one = "INSERT INTO versions (tenant, version) VALUES (?1, 1)
               ON CONFLICT (tenant) DO UPDATE SET version = versions.version + 1
               RETURNING tenant, version";
    // SQLite would take ON for that of a join without the WHERE.
    let all = "INSERT INTO versions (tenant, version) SELECT tenant, 1 FROM tenants WHERE true
               ON CONFLICT (tenant) DO UPDATE SET version = versions.version + 1
               RETURNING tenant, version";
    match tenant {
        Some(tenant) => db.rows(one, params![tenant.0], read),
        None => db.rows(AcrossWorkspaces(all), &[], read),
    }
}

pub(in crate::store) fn version(db: Db<'_>, tenant: Tenant) -> Result<i64, StoreError> {
    let sql = "SELECT version FROM versions WHERE tenant = ?1";
    let version = db.row(sql, params![tenant.0], |row| row.get(0))?;
    Ok(version.unwrap_or(0))
}

/// Returns the versions of several workspaces.
pub(in crate::store) fn versions(
    db: Db<'_>,
    tenants: &[Tenant],
) -> Result<Vec<(Tenant, i64)>, StoreError> {
    let sql = "SELECT v.tenant, v.version FROM json_each(?1) page CROSS JOIN versions v
               WHERE v.tenant = page.value";
    if tenants.is_empty() {
        return Ok(Vec::new());
    }
    let tenants = List::integers(tenants.iter().map(|tenant| tenant.0));
    db.rows(AcrossWorkspaces(sql), params![tenants], |row| {
        Ok((Tenant(row.get(0)?), row.get(1)?))
    })
}
