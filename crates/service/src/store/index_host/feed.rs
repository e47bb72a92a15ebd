//! The feed of changes: for each version of a workspace, which rows led to it.
//!
//! A change notes the rows that it touches ([`Db::touch`]), and its entry is written in the same transaction. A read
//! takes the entries that its process does not know yet ([`super::Changes`]). So every process sees what any
//! process has committed. A version without an entry, or whose entry was pruned, may have changed anything.

use jiff::SignedDuration;
use lead_workspace_index::TouchedRows;
use serde_json::json;

use super::versions;
use crate::store::db::{Db, Touched, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;
use crate::time::{current, iso, now};

#[cfg(debug_assertions)]
pub(in crate::store) mod recorder;

/// Versions of each workspace whose entries are kept at most, and how long.
const KEPT: i64 = 100_000;
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(24);

/// Versions whose entries are kept however old they are: what is saved for the next start is no further behind.
const ALWAYS_KEPT: i64 = 1_000;

/// An entry of the feed.
pub(in crate::store) struct Entry {
    pub version: i64,
    pub rows: TouchedRows,
    /// Whether lists may show any lead otherwise since, such as after a change of a list's name.
    pub any_lead: bool,
}

/// An entry with what only a stream of changes needs.
pub(in crate::store) struct FullEntry {
    pub version: i64,
    pub rows: TouchedRows,
    /// When the change was made. Empty in entries of earlier versions of the service, whose rows do not tell which
    /// leads were added or deleted.
    pub at: String,
    /// The leads that were deleted: their row numbers, and their ids.
    pub deleted: Vec<(u32, String)>,
}

/// Raises the version of a workspace, or of all workspaces if `tenant` is `None`, and writes their entries. With `any_lead`,
/// lists may show any lead otherwise since, not only those that are noted.
pub(in crate::store) fn record(
    touched: &Touched,
    db: Db<'_>,
    tenant: Option<Tenant>,
    any_lead: bool,
) -> Result<(), StoreError> {
    let versions = versions::record_change(db, tenant)?;
    if touched.is_unknown.get() {
        return Ok(());
    }
    let (rows, deleted) = (touched.rows.borrow(), touched.deleted.borrow());
    let at = now();
    for (tenant, version) in versions {
        let rows = rows.get(&tenant).map(TouchedRows::to_bytes);
        let rows = rows.unwrap_or_default();
        let deleted = deleted.get(&tenant).map(|leads| json!(leads).to_string());
        let deleted = deleted.unwrap_or_default();
        let sql = "INSERT INTO changes (tenant, version, touched, any_lead, at, deleted)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        db.execute(sql, params![tenant.0, version, rows, any_lead, at, deleted])?;
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
        Ok(Entry {
            version: row.get(0)?,
            rows: TouchedRows::of_bytes(&bytes).map_err(|_| damaged())?,
            any_lead: row.get(2)?,
        })
    })
}

/// Returns at most `limit` entries of a workspace after a version, and up to another, in order.
pub(in crate::store) fn between(
    db: Db<'_>,
    tenant: Tenant,
    (from, to): (i64, i64),
    limit: i64,
) -> Result<Vec<FullEntry>, StoreError> {
    let sql = "SELECT version, touched, at, deleted FROM changes
               WHERE tenant = ?1 AND version > ?2 AND version <= ?3 ORDER BY version LIMIT ?4";
    db.rows(sql, params![tenant.0, from, to, limit], |row| {
        let (bytes, deleted): (Vec<u8>, String) = (row.get(1)?, row.get(3)?);
        let deleted = match &*deleted {
            "" => Vec::new(),
            leads => serde_json::from_str(leads).map_err(|_| damaged())?,
        };
        Ok(FullEntry {
            version: row.get(0)?,
            rows: TouchedRows::of_bytes(&bytes).map_err(|_| damaged())?,
            at: row.get(2)?,
            deleted,
        })
    })
}

fn damaged() -> StoreError {
    StoreError::Unexpected("an entry of the feed is damaged".into())
}

/// Deletes the entries of old versions. Reads only what it deletes, because all changes wait meanwhile.
pub(in crate::store) fn prune(db: Db<'_>) -> Result<(), StoreError> {
    let before = current().saturating_sub(KEPT_FOR);
    let before = before.map(iso).unwrap_or_default();
    for tenant in Tenant::all::<Vec<_>>(db)? {
        let find = "SELECT version FROM versions WHERE tenant = ?1";
        let version: Option<i64> = db.row(find, params![tenant.0], |row| row.get(0))?;
        let version = version.unwrap_or_default();
        // Entries are older the lower their version is.
        let find = "SELECT version FROM changes WHERE tenant = ?1 AND version <= ?2 AND at >= ?3
                    ORDER BY version LIMIT 1";
        let old = version - ALWAYS_KEPT;
        let young: Option<i64> = db.row(find, params![tenant.0, old, before], |row| row.get(0))?;
        let last = young.map_or(old, |young| young - 1).max(version - KEPT);
        let delete = "DELETE FROM changes WHERE tenant = ?1 AND version <= ?2";
        db.execute(delete, params![tenant.0, last])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
