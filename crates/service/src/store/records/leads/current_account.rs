//! The company of a lead.

use lead_workspace_api::CurrentAccount;

use super::{StoreError, nullable, text};
use crate::store::db::Row;

/// Account columns for a statement over `leads l LEFT JOIN accounts a`.
pub(super) const COLUMNS: &str = "a.account_id, a.name AS account_name, a.logo_url, a.network_url, \
     a.network_username, a.industry AS account_industry, a.staff_count_range, a.tagline, \
     a.founded_year, a.description, a.location AS account_location";

/// Reads the company; for a lead without an account, from the lead's own columns.
pub(super) fn read(row: &Row<'_>) -> Result<Option<CurrentAccount>, StoreError> {
    let account_id = text(row, "account_id")?;
    let title = nullable(row, "title")?;
    if account_id.is_none() {
        let company = CurrentAccount {
            name: nullable(row, "company")?,
            title,
            ..CurrentAccount::default()
        };
        return Ok(company.name.is_some().then_some(company));
    }
    Ok(Some(CurrentAccount {
        account_id,
        name: nullable(row, "account_name")?,
        logo_url: nullable(row, "logo_url")?,
        network_url: nullable(row, "network_url")?,
        network_username: nullable(row, "network_username")?,
        industry: nullable(row, "account_industry")?,
        staff_count_range: nullable(row, "staff_count_range")?,
        title,
        tagline: nullable(row, "tagline")?,
        founded_year: nullable(row, "founded_year")?,
        description: nullable(row, "description")?,
        location: nullable(row, "account_location")?,
    }))
}
