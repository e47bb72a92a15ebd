//! Inserting accounts and their scores.

use rusqlite::Connection;

use super::lead::ScoreRow;
use super::{insert, insert_row, key};
use crate::size::size_rank;
use crate::store::{StoreError, Tenant};

#[derive(Clone, Debug, Default, PartialEq)]
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

/// Writes an account; the database chooses the row number if `id` is `None`.
pub(crate) fn insert_account(
    connection: &Connection,
    tenant: Tenant,
    id: Option<i64>,
    row: &AccountRow,
) -> Result<i64, StoreError> {
    Ok(insert!(
        connection, "accounts",
        id: id,
        tenant: tenant.0,
        account_id: row.account_id,
        network_id: row.network_id,
        name: row.name,
        name_key: key(row.name.as_ref()),
        network_username: row.network_username,
        network_url: row.network_url,
        logo_url: row.logo_url,
        industry: row.industry,
        industry_key: key(row.industry.as_ref()),
        staff_count_range: row.staff_count_range,
        staff_rank: row.staff_count_range.as_deref().and_then(size_rank),
        location: row.location,
        location_key: key(row.location.as_ref()),
        tagline: row.tagline,
        description: row.description,
        founded_year: row.founded_year,
        identity: row.identity,
        domain: row.domain,
        is_promoted: row.is_promoted,
        created_at: row.created_at,
    )?)
}

pub(crate) fn insert_account_score(
    connection: &Connection,
    tenant: Tenant,
    account: i64,
    row: &ScoreRow<'_>,
) -> Result<(), StoreError> {
    insert_row!(
        connection, "account_scores",
        account: account,
        tenant: tenant.0,
        list_id: row.list_id,
        icp_score: row.icp_score,
        icp_tier: row.icp_tier,
        icp_reasoning: row.icp_reasoning,
        scored_at: row.scored_at,
        job_id: row.job_id,
    )?;
    Ok(())
}
