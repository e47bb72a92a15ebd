//! The keys of `custom_data` that are fields which can be queried, each with its number in the workspace.
//!
//! Keys are added with the rows that have them, and never removed. So a number means the same key in every state of
//! the database.

use std::collections::BTreeSet;

use lead_workspace_index::CustomKeys;
use lead_workspace_logic::custom::add_keys;
use rusqlite::types::ValueRef as Stored;

use crate::store::db::{Db, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

pub(in crate::store) fn of(db: Db<'_>, tenant: Tenant) -> Result<CustomKeys, StoreError> {
    let sql = "SELECT key, number FROM custom_keys WHERE tenant = ?1";
    let numbered: Vec<(String, i64)> =
        db.rows(sql, params![tenant.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let numbered = numbered.into_iter();
    Ok(numbered
        .filter_map(|(key, number)| Some((key, u16::try_from(number).ok()?)))
        .collect())
}

/// Adds the keys that leads have now, if the workspace has room for more fields.
pub(in crate::store) fn add(
    db: Db<'_>,
    tenant: Tenant,
    keys: &BTreeSet<String>,
) -> Result<(), StoreError> {
    if keys.is_empty() || of(db, tenant)?.new_keys(keys).next().is_none() {
        return Ok(());
    }
    // Another change may add keys, too.
    tenant.lock(db)?;
    for (key, number) in of(db, tenant)?.new_keys(keys) {
        let sql = "INSERT INTO custom_keys (tenant, number, key) VALUES (?1, ?2, ?3)";
        db.execute(sql, params![tenant.0, i64::from(number), key])?;
    }
    Ok(())
}

/// Adds the keys of all leads, which were written by a version without this table.
pub(in crate::store) fn add_existing(db: Db<'_>) -> Result<(), StoreError> {
    let tenants: Vec<Tenant> = Tenant::all(db)?;
    for tenant in tenants {
        let mut keys = BTreeSet::new();
        let sql = "SELECT custom_data FROM leads WHERE tenant = ?1 AND custom_data IS NOT NULL";
        db.each(sql, params![tenant.0], |row| {
            if let Stored::Text(json) = row.value(0)? {
                add_keys(&String::from_utf8_lossy(json), &mut keys);
            }
            Ok::<_, StoreError>(())
        })?;
        add(db, tenant, &keys)?;
    }
    Ok(())
}
