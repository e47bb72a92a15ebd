//! Accounts: their columns, inserts and updates, and the columns that leads copy.

use lead_workspace_index::ChangeKind;
use lead_workspace_logic::rows::AccountRow;

use super::columns::StoredRow;
use super::{Columns, NewRow, NewRows, columns, folded};
use crate::store::db::{Db, Fixed, List, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;
use lead_workspace_logic::size_rank;

fn all_columns(row: AccountRow) -> Columns<'static> {
    let derived = columns! {
        name_folded: folded(row.name.as_ref()),
        industry_folded: folded(row.industry.as_ref()),
        staff_rank: row.staff_count_range.as_deref().and_then(size_rank),
        location_folded: folded(row.location.as_ref()),
    };
    row.into_columns().and(derived)
}

/// Returns the columns that the account's leads copy.
pub(super) fn columns_of_leads(row: &AccountRow) -> Columns<'static> {
    columns! {
        company: row.name.clone(),
        company_folded: folded(row.name.as_ref()),
        industry: row.industry.clone(),
        industry_folded: folded(row.industry.as_ref()),
        company_size: row.staff_count_range.clone(),
        company_size_rank: row.staff_count_range.as_deref().and_then(size_rank),
        company_location: row.location.clone(),
        company_location_folded: folded(row.location.as_ref()),
        company_tagline: row.tagline.clone(),
        company_tagline_folded: folded(row.tagline.as_ref()),
        company_founded_year: row.founded_year,
    }
}

impl NewRows<'_> {
    /// Adds an account with this row number.
    pub(crate) fn add_account(&mut self, account: i64, row: AccountRow) {
        self.add(NewRow::Account, account, all_columns(row));
    }
}

/// Returns the accounts with one of these texts in a column, by their row numbers.
pub(crate) fn accounts_with(
    db: Db<'_>,
    tenant: Tenant,
    column: &str,
    texts: &List,
) -> Result<Vec<(i64, AccountRow)>, StoreError> {
    let sql = Fixed(format!(
        "SELECT id{} FROM accounts
         WHERE tenant = ?1 AND {column} IN (SELECT value FROM json_each(?2))",
        AccountRow::COLUMNS
    ));
    db.rows(&sql, params![tenant.0, texts], |row| {
        Ok((row.get(0)?, AccountRow::read(row, 1)?))
    })
}

/// Changes an account, and the copies of its columns that its leads have.
pub(crate) fn update_account(
    db: Db<'_>,
    tenant: Tenant,
    account: i64,
    row: &AccountRow,
) -> Result<(), StoreError> {
    db.touch(tenant, ChangeKind::ACCOUNT, account);
    let leads = "SELECT id FROM leads WHERE tenant = ?1 AND account = ?2";
    db.each(leads, params![tenant.0, account], |row| {
        db.touch(tenant, ChangeKind::LEAD, row.get(0)?);
        Ok::<_, StoreError>(())
    })?;
    let columns = all_columns(row.clone());
    columns.update(db, tenant, "accounts", ("id", account))?;
    let copies = columns_of_leads(row);
    copies.update(db, tenant, "leads", ("account", account))
}
