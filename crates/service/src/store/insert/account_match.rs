//! Finds the account of an imported line and fills in its missing values.

use super::insert_account::{AccountRow, insert_account, update_account};
use crate::fold;
use crate::store::db::{Db, Fixed, Row, params};
use crate::store::{StoreError, Tenant};

fn read(row: &Row<'_>) -> Result<(i64, AccountRow), StoreError> {
    Ok((row.get("id")?, AccountRow::read(row)?))
}

pub(crate) struct Matched {
    pub account: i64,
    pub row: AccountRow,
    /// Whether a known account was changed, so that copies of its columns are out of date.
    pub completed: bool,
}

/// Returns the account of a company; creates it if there is none.
///
/// An account matches by its page on the network, then by its domain, then by its name if page and
/// domain do not contradict. Missing values are filled in; existing values stay, so that two lines
/// with different values do not overwrite each other in turn.
pub(crate) fn match_account(
    db: Db<'_>,
    tenant: Tenant,
    imported: AccountRow,
) -> Result<Matched, StoreError> {
    let Some((account, known)) = find(db, tenant, &imported)? else {
        let account = insert_account(db, tenant, &imported)?;
        let row = imported;
        return Ok(Matched {
            account,
            row,
            completed: false,
        });
    };
    let row = known.or(&imported);
    let completed = row != known;
    if completed {
        update_account(db, tenant, account, &row)?;
    }
    Ok(Matched {
        account,
        row,
        completed,
    })
}

fn find(
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
