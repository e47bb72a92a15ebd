//! The feed of changes: for each version of a workspace, which rows led to it.
//!
//! A change notes the rows that it touches ([`Db::touch`]), and its entry is written in the same transaction. A read
//! takes the entries that its process does not know yet ([`super::Changes`]). So every process sees what any
//! process has committed. A version without an entry, or whose entry was pruned, may have changed anything.

use lead_workspace_index::{ChangeKind, TouchedRows};

use super::versions;
use crate::store::db::{AcrossWorkspaces, Db, Touched, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

#[cfg(debug_assertions)]
pub(in crate::store) mod recorder;

/// Versions of each workspace whose entries are kept.
const KEPT: i64 = 100_000;

/// An entry of the feed.
pub(in crate::store) struct Entry {
    pub version: i64,
    pub rows: TouchedRows,
    /// Whether lists may show any lead otherwise since, such as after a change of a list's name.
    pub any_lead: bool,
}

/// Raises the version of a workspace, or of all workspaces if `tenant` is `None`, and writes their entries. `leads` are
/// leads that lists show otherwise since, besides those that are noted; `None` if any may be.
pub(in crate::store) fn record(
    touched: &Touched,
    db: Db<'_>,
    tenant: Option<Tenant>,
    leads: Option<&[i64]>,
) -> Result<(), StoreError> {
    if let Some(tenant) = tenant {
        for lead in leads.into_iter().flatten() {
            touched.note(tenant, ChangeKind::STATUS, *lead);
        }
    }
    let versions = versions::record_change(db, tenant)?;
    if touched.is_unknown.get() {
        return Ok(());
    }
    let rows = touched.rows.borrow();
    for (tenant, version) in versions {
        let rows = rows.get(&tenant).map(TouchedRows::to_bytes);
        let sql =
            "INSERT INTO changes (tenant, version, touched, any_lead) VALUES (?1, ?2, ?3, ?4)";
        let any_lead = leads.is_none();
        db.execute(
            sql,
            params![tenant.0, version, rows.unwrap_or_default(), any_lead],
        )?;
    }
    Ok(())
}

/// Returns the entries of a workspace after a version, in order.
pub(in crate::store) fn after(
    db: Db<'_>,
    tenant: Tenant,
    version: i64,
) -> Result<Vec<Entry>, StoreError> {
    let sql = "SELECT version, touched, any_lead FROM changes WHERE tenant = ?1 AND version > ?2 ORDER BY version";
    db.rows(sql, params![tenant.0, version], |row| {
        let bytes: Vec<u8> = row.get(1)?;
        let rows = TouchedRows::of_bytes(&bytes);
        Ok(Entry {
            version: row.get(0)?,
            rows: rows
                .map_err(|_| StoreError::Unexpected("an entry of the feed is damaged".into()))?,
            any_lead: row.get(2)?,
        })
    })
}

/// Deletes the entries of old versions.
pub(in crate::store) fn prune(db: Db<'_>) -> Result<(), StoreError> {
    let sql = AcrossWorkspaces(
        "DELETE FROM changes WHERE version <=
           (SELECT v.version - ?1 FROM versions v WHERE v.tenant = changes.tenant)",
    );
    db.execute(sql, params![KEPT]).map(drop)
}

#[cfg(test)]
mod tests;
