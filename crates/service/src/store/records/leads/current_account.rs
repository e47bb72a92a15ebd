//! The company of a lead.

use std::collections::{BTreeSet, HashMap};

use lead_workspace_api::CurrentAccount;

use super::{StoreError, nullable, text};
use crate::store::db::{Db, Row, numbers, params};
use crate::store::tenant::Tenant;

/// Reads what the lead's own columns have of its company.
pub(super) fn own(row: &Row<'_>) -> Result<Option<CurrentAccount>, StoreError> {
    Ok(Some(CurrentAccount {
        name: nullable(row, "company")?,
        title: nullable(row, "title")?,
        ..CurrentAccount::default()
    }))
}

/// Reads accounts as companies of leads, by their row numbers.
pub(super) fn accounts(
    db: Db<'_>,
    tenant: Tenant,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, CurrentAccount>, StoreError> {
    let ids: BTreeSet<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let ids = numbers(&Vec::from_iter(ids));
    let sql = "SELECT id, account_id, name, logo_url, network_url, network_username, industry, staff_count_range,
                 tagline, founded_year, description, location
               FROM accounts WHERE tenant = ?2 AND id IN (SELECT value FROM json_each(?1))";
    db.rows(sql, params![ids, tenant.0], |row| {
        let account = CurrentAccount {
            account_id: text(row, "account_id")?,
            name: nullable(row, "name")?,
            logo_url: nullable(row, "logo_url")?,
            network_url: nullable(row, "network_url")?,
            network_username: nullable(row, "network_username")?,
            industry: nullable(row, "industry")?,
            staff_count_range: nullable(row, "staff_count_range")?,
            title: None,
            tagline: nullable(row, "tagline")?,
            founded_year: nullable(row, "founded_year")?,
            description: nullable(row, "description")?,
            location: nullable(row, "location")?,
        };
        Ok((row.get(0)?, account))
    })
}

/// Returns the company: that of the account, or, for a lead without one, that of the lead's own columns.
pub(super) fn of(
    own: Option<CurrentAccount>,
    account: Option<i64>,
    accounts: &HashMap<i64, CurrentAccount>,
) -> Option<CurrentAccount> {
    let own = own.unwrap_or_default();
    match account.and_then(|id| accounts.get(&id)) {
        Some(account) => Some(CurrentAccount {
            title: own.title,
            ..account.clone()
        }),
        None => own.name.is_some().then_some(own),
    }
}
