//! Accounts: their columns, inserts and updates, and the columns that leads copy.

use lead_workspace_index::ChangeKind;
use lead_workspace_logic::rows::AccountRow;

use super::columns::StoredRow;
use super::{Columns, columns, folded};
use crate::store::db::{Db, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;
use lead_workspace_logic::size_rank;

fn all_columns(row: &AccountRow) -> Columns<'_> {
    row.columns().and(columns! {
        name_folded: folded(row.name.as_ref()),
        industry_folded: folded(row.industry.as_ref()),
        staff_rank: row.staff_count_range.as_deref().and_then(size_rank),
        location_folded: folded(row.location.as_ref()),
    })
}

/// Returns the columns that the account's leads copy.
pub(super) fn columns_of_leads(row: &AccountRow) -> Columns<'_> {
    columns! {
        company: &row.name,
        company_folded: folded(row.name.as_ref()),
        industry: &row.industry,
        industry_folded: folded(row.industry.as_ref()),
        company_size: &row.staff_count_range,
        company_size_rank: row.staff_count_range.as_deref().and_then(size_rank),
        company_location: &row.location,
        company_location_folded: folded(row.location.as_ref()),
        company_tagline: &row.tagline,
        company_tagline_folded: folded(row.tagline.as_ref()),
        company_founded_year: row.founded_year,
    }
}

/// Writes an account and returns its row number.
pub(crate) fn insert_account(
    db: Db<'_>,
    tenant: Tenant,
    row: &AccountRow,
) -> Result<i64, StoreError> {
    let columns = columns! { tenant: tenant.0 }.and(all_columns(row));
    let account = columns.insert_numbered(db, "accounts")?;
    db.touch(tenant, ChangeKind::ALL, account);
    Ok(account)
}

/// Writes accounts with these row numbers.
pub(crate) fn insert_accounts(
    db: Db<'_>,
    tenant: Tenant,
    accounts: &[(i64, AccountRow)],
) -> Result<(), StoreError> {
    for (account, _) in accounts {
        db.touch(tenant, ChangeKind::ALL, *account);
    }
    let columns = accounts
        .iter()
        .map(|(id, row)| columns! { id: id, tenant: tenant.0 }.and(all_columns(row)));
    Columns::insert_all(db, "accounts", &columns.collect::<Vec<_>>())
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
    let columns = all_columns(row);
    columns.update(db, tenant, "accounts", ("id", account))?;
    let copies = columns_of_leads(row);
    copies.update(db, tenant, "leads", ("account", account))
}
