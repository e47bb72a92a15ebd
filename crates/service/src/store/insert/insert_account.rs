//! Accounts: their columns, inserts and updates, and the columns that leads copy.

use super::columns::row;
use super::{Columns, columns, folded};
use crate::size_rank;
use crate::store::db::Db;
use crate::store::{StoreError, Tenant};

row! {
    /// The columns of an account that an import reads and writes.
    pub(crate) struct AccountRow {
        pub account_id: String,
        pub network_id: Option<String>,
        pub name: Option<String>,
        pub network_username: Option<String>,
        pub network_url: Option<String>,
        pub logo_url: Option<String>,
        pub industry: Option<String>,
        pub staff_count_range: Option<String>,
        pub location: Option<String>,
        pub tagline: Option<String>,
        pub description: Option<String>,
        pub founded_year: Option<i64>,
        pub identity: Option<String>,
        pub domain: Option<String>,
        pub is_promoted: bool,
        pub created_at: String,
    }
}

impl AccountRow {
    fn all_columns(&self) -> Columns<'_> {
        self.columns().and(columns! {
            name_folded: folded(self.name.as_ref()),
            industry_folded: folded(self.industry.as_ref()),
            staff_rank: self.staff_count_range.as_deref().and_then(size_rank),
            location_folded: folded(self.location.as_ref()),
        })
    }

    /// Returns the columns that the account's leads copy.
    pub(super) fn columns_of_leads(&self) -> Columns<'_> {
        columns! {
            company: &self.name,
            company_folded: folded(self.name.as_ref()),
            industry: &self.industry,
            industry_folded: folded(self.industry.as_ref()),
            company_size: &self.staff_count_range,
            company_size_rank: self.staff_count_range.as_deref().and_then(size_rank),
            company_location: &self.location,
            company_location_folded: folded(self.location.as_ref()),
            company_tagline: &self.tagline,
            company_tagline_folded: folded(self.tagline.as_ref()),
            company_founded_year: self.founded_year,
        }
    }
}

/// Writes an account and returns its row number.
pub(crate) fn insert_account(
    db: Db<'_>,
    tenant: Tenant,
    row: &AccountRow,
) -> Result<i64, StoreError> {
    let columns = columns! { tenant: tenant.0 }.and(row.all_columns());
    columns.insert_numbered(db, "accounts")
}

/// Writes accounts with these row numbers.
pub(crate) fn insert_accounts(
    db: Db<'_>,
    tenant: Tenant,
    accounts: &[(i64, AccountRow)],
) -> Result<(), StoreError> {
    let columns = accounts
        .iter()
        .map(|(id, row)| columns! { id: id, tenant: tenant.0 }.and(row.all_columns()));
    Columns::insert_all(db, "accounts", &columns.collect::<Vec<_>>())
}

/// Changes an account, and the copies of its columns that its leads have.
pub(crate) fn update_account(
    db: Db<'_>,
    tenant: Tenant,
    account: i64,
    row: &AccountRow,
) -> Result<(), StoreError> {
    let columns = row.all_columns();
    columns.update(db, tenant, "accounts", ("id", account))?;
    let copies = row.columns_of_leads();
    copies.update(db, tenant, "leads", ("account", account))
}
