//! The scoring rules of a workspace.

use super::Rules;
use crate::store::db::{Db, params};
use crate::store::{StoreError, Tenant};

/// Returns the rules of a workspace, or the defaults if it has none.
///
/// The inner error describes why the stored rules are invalid.
pub fn read_rules(db: Db<'_>, tenant: Tenant) -> Result<Result<Rules, String>, StoreError> {
    let sql = "SELECT scoring FROM tenants WHERE tenant = ?1";
    let own: Option<String> = db.value(sql, params![tenant.0])?;
    Ok(own.map_or_else(|| Ok(Rules::default()), |text| Rules::from_json(&text)))
}

/// Sets the rules of a workspace, effective from the next job; `None` restores the defaults.
pub fn write_rules(db: Db<'_>, tenant: Tenant, rules: Option<&Rules>) -> Result<(), StoreError> {
    let text = rules.map(serde_json::to_string).transpose();
    let text = text.map_err(|error| StoreError::Unexpected(error.to_string()))?;
    let sql = "UPDATE tenants SET scoring = ?2 WHERE tenant = ?1";
    db.execute(sql, params![tenant.0, text])?;
    Ok(())
}
