//! The rules of a workspace.

use rusqlite::{Connection, params};

use super::Rules;
use crate::store::{StoreError, Tenant};

/// The rules of a workspace: its own, or the defaults; or why its own cannot be used.
///
/// # Errors
/// Those of the database.
pub fn read_rules(
    connection: &Connection,
    tenant: Tenant,
) -> Result<Result<Rules, String>, StoreError> {
    let sql = "SELECT scoring FROM tenants WHERE tenant = ?1";
    let own: Option<String> = connection.query_row(sql, [tenant.0], |row| row.get(0))?;
    Ok(own.map_or_else(|| Ok(Rules::default()), |text| Rules::from_json(&text)))
}

/// Sets the rules of a workspace; none means the defaults. They hold from the next job on.
///
/// # Errors
/// Those of the database.
pub fn write_rules(
    connection: &Connection,
    tenant: Tenant,
    rules: Option<&Rules>,
) -> Result<(), StoreError> {
    let text = rules.map(serde_json::to_string).transpose();
    let text = text.map_err(|error| StoreError::Unexpected(error.to_string()))?;
    let sql = "UPDATE tenants SET scoring = ?2 WHERE tenant = ?1";
    connection.execute(sql, params![tenant.0, text])?;
    Ok(())
}
