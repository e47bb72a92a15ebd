//! Finds the account of an imported line.

use lead_workspace_logic::rows::AccountRow;

use super::columns::StoredRow;
use crate::store::db::{Db, Fixed, Row, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;
use lead_workspace_logic::fold;

fn read(row: &Row<'_>) -> Result<(i64, AccountRow), StoreError> {
    Ok((row.get(0)?, AccountRow::read(row, 1)?))
}

/// Returns the account of a company, if there is one.
///
/// An account matches by its page on the network, then by its domain, then by its name if page and
/// domain do not contradict.
pub(crate) fn find_account(
    db: Db<'_>,
    tenant: Tenant,
    imported: &AccountRow,
) -> Result<Option<(i64, AccountRow)>, StoreError> {
    let by = |column: &str, value: &Option<String>| -> Result<_, StoreError> {
        let Some(value) = value else { return Ok(None) };
        let sql = Fixed(format!(
            "SELECT id{} FROM accounts WHERE tenant = ?1 AND {column} = ?2 ORDER BY id LIMIT 1",
            AccountRow::COLUMNS
        ));
        db.row(&sql, params![tenant.0, value], read)
    };
    for (column, value) in [
        ("identity", &imported.identity),
        ("domain", &imported.domain),
    ] {
        if let Some((account, known)) = by(column, value)? {
            let other_page = column == "domain"
                && known.identity.is_some()
                && imported.identity.is_some()
                && known.identity != imported.identity;
            if !other_page {
                return Ok(Some((account, known)));
            }
        }
    }
    let Some(name) = &imported.name else {
        return Ok(None);
    };
    let sql = Fixed(format!(
        "SELECT id{} FROM accounts WHERE tenant = ?1 AND name_key = ?2
           AND (identity IS NULL OR ?3 IS NULL OR identity = ?3)
           AND (domain IS NULL OR ?4 IS NULL OR domain = ?4)
         ORDER BY id LIMIT 1",
        AccountRow::COLUMNS
    ));
    let values = params![tenant.0, fold(name), imported.identity, imported.domain];
    db.row(&sql, values, read)
}
