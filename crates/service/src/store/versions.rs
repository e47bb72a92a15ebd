//! The version of each workspace: every change increments it, in the same transaction. So data that
//! was read under a version is valid for every read that sees the same version.

use rusqlite::{Connection, OptionalExtension};

use super::{StoreError, Tenant};

/// Records a change of a workspace, or of all workspaces if `tenant` is `None`, and returns their
/// versions after it.
pub(super) fn record_change(
    connection: &Connection,
    tenant: Option<Tenant>,
) -> Result<Vec<(Tenant, i64)>, StoreError> {
    let sql = match tenant {
        Some(_) => {
            "INSERT INTO versions VALUES (?1, 1) ON CONFLICT DO UPDATE SET version = version + 1
             RETURNING tenant, version"
        }
        None => {
            "INSERT INTO versions SELECT tenant, 1 FROM tenants WHERE ?1 IS NULL
             ON CONFLICT DO UPDATE SET version = version + 1 RETURNING tenant, version"
        }
    };
    let tenant = tenant.map(|tenant| tenant.0);
    let mut record = connection.prepare_cached(sql)?;
    let versions = record.query_map([tenant], |row| Ok((Tenant(row.get(0)?), row.get(1)?)))?;
    Ok(versions.collect::<Result<_, _>>()?)
}

pub(super) fn version(connection: &Connection, tenant: Tenant) -> Result<i64, StoreError> {
    let sql = "SELECT version FROM versions WHERE tenant = ?1";
    let mut select = connection.prepare_cached(sql)?;
    let version = select.query_row([tenant.0], |row| row.get(0)).optional()?;
    Ok(version.unwrap_or(0))
}
