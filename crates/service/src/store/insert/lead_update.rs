//! Reading and updating leads.

use rusqlite::{Connection, OptionalExtension, params};

use super::account::AccountRow;
use super::key;
use super::lead::{LeadRow, search_key};
use crate::size::size_rank;
use crate::store::{StoreError, Tenant};

/// A lead with the columns that an import may change: outreach and scores are not read.
pub(crate) struct KnownLead {
    pub lead: i64,
    pub row: LeadRow,
    pub account: Option<i64>,
    pub approval_status: String,
}

/// Finds the lead with this profile, or else the one with this e-mail address.
///
/// A lead with a different profile does not match by e-mail: addresses such as `info@` are shared.
pub(crate) fn find_lead(
    connection: &Connection,
    tenant: Tenant,
    identity: Option<&str>,
    email: Option<&str>,
) -> Result<Option<i64>, StoreError> {
    if let Some(identity) = identity {
        let found = connection
            .prepare_cached("SELECT id FROM leads WHERE tenant = ?1 AND identity = ?2")?
            .query_row(params![tenant.0, identity], |row| row.get(0))
            .optional()?;
        if found.is_some() {
            return Ok(found);
        }
    }
    let Some(email) = email else {
        return Ok(None);
    };
    let sql = "SELECT id FROM leads
               WHERE tenant = ?1 AND email = ?2 AND (?3 OR profile_url IS NULL)
               ORDER BY id LIMIT 1";
    Ok(connection
        .prepare_cached(sql)?
        .query_row(params![tenant.0, email, identity.is_none()], |row| {
            row.get(0)
        })
        .optional()?)
}

pub(crate) fn known_lead(connection: &Connection, lead: i64) -> Result<KnownLead, StoreError> {
    let mut select = connection.prepare_cached(
        "SELECT lead_id, provider_id, name, headline, profile_url, profile_picture_url,
                background_image_url, is_premium, title, location, connections_count,
                follower_count, profile_data, custom_data, resolved_timezone, timezone_label,
                import_job_id, created_at, identity, email, account, approval_status
         FROM leads WHERE id = ?1",
    )?;
    Ok(select.query_row([lead], |row| {
        Ok(KnownLead {
            lead,
            row: LeadRow {
                lead_id: row.get(0)?,
                provider_id: row.get(1)?,
                name: row.get(2)?,
                headline: row.get(3)?,
                profile_url: row.get(4)?,
                profile_picture_url: row.get(5)?,
                background_image_url: row.get(6)?,
                is_premium: row.get(7)?,
                title: row.get(8)?,
                location: row.get(9)?,
                connections_count: row.get(10)?,
                follower_count: row.get(11)?,
                profile_data: row.get(12)?,
                custom_data: row.get(13)?,
                resolved_timezone: row.get(14)?,
                timezone_label: row.get(15)?,
                import_job_id: row.get(16)?,
                created_at: row.get(17)?,
                identity: row.get(18)?,
                email: row.get(19)?,
                ..LeadRow::default()
            },
            account: row.get(20)?,
            approval_status: row.get(21)?,
        })
    })?)
}

/// Writes the columns that an import may change; never the decision.
pub(crate) fn update_lead(
    connection: &Connection,
    lead: i64,
    row: &LeadRow,
) -> Result<(), StoreError> {
    let mut update = connection.prepare_cached(
        "UPDATE leads SET provider_id = ?2, name = ?3, name_key = ?4, headline = ?5,
           headline_key = ?6, profile_url = ?7, profile_picture_url = ?8,
           background_image_url = ?9, is_premium = ?10, title = ?11, title_key = ?12,
           location = ?13, location_key = ?14, connections_count = ?15, follower_count = ?16,
           profile_data = ?17, custom_data = ?18, resolved_timezone = ?19, timezone_label = ?20,
           created_at = ?21, identity = ?22, email = ?23
         WHERE id = ?1",
    )?;
    update.execute(params![
        lead,
        row.provider_id,
        row.name,
        key(row.name.as_ref()),
        row.headline,
        key(row.headline.as_ref()),
        row.profile_url,
        row.profile_picture_url,
        row.background_image_url,
        row.is_premium,
        row.title,
        key(row.title.as_ref()),
        row.location,
        key(row.location.as_ref()),
        row.connections_count,
        row.follower_count,
        row.profile_data,
        row.custom_data,
        row.resolved_timezone,
        row.timezone_label,
        row.created_at,
        row.identity,
        row.email,
    ])?;
    refresh_search(connection, "id", lead)
}

/// Sets the account of a lead and copies the account's columns.
pub(crate) fn set_account(
    connection: &Connection,
    lead: i64,
    account: i64,
    company: &AccountRow,
) -> Result<(), StoreError> {
    connection
        .prepare_cached("UPDATE leads SET account = ?2 WHERE id = ?1")?
        .execute([lead, account])?;
    copy_account(connection, "id", lead, company)
}

/// Copies the columns of a changed account to its leads.
pub(crate) fn refresh_leads_of(
    connection: &Connection,
    account: i64,
    company: &AccountRow,
) -> Result<(), StoreError> {
    copy_account(connection, "account", account, company)
}

fn copy_account(
    connection: &Connection,
    column: &str,
    value: i64,
    company: &AccountRow,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE leads SET company = ?2, company_key = ?3, industry = ?4, industry_key = ?5,
           company_size = ?6, company_size_rank = ?7, company_location = ?8,
           company_location_key = ?9, company_tagline = ?10, company_tagline_key = ?11,
           company_founded_year = ?12
         WHERE {column} = ?1"
    );
    connection.prepare_cached(&sql)?.execute(params![
        value,
        company.name,
        key(company.name.as_ref()),
        company.industry,
        key(company.industry.as_ref()),
        company.staff_count_range,
        company.staff_count_range.as_deref().and_then(size_rank),
        company.location,
        key(company.location.as_ref()),
        company.tagline,
        key(company.tagline.as_ref()),
        company.founded_year,
    ])?;
    refresh_search(connection, column, value)
}

/// Updates the search text of leads where it has changed.
fn refresh_search(connection: &Connection, column: &str, value: i64) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT id, search_key, name_key, headline_key, title_key, company_key
         FROM leads WHERE {column} = ?1"
    );
    let mut select = connection.prepare_cached(&sql)?;
    let rows = select.query_map([value], |row| {
        let before: String = row.get(1)?;
        let now = search_key([&row.get(2)?, &row.get(3)?, &row.get(4)?, &row.get(5)?]);
        Ok((row.get::<_, i64>(0)?, (before != now).then_some(now)))
    })?;
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let mut update = connection.prepare_cached("UPDATE leads SET search_key = ?2 WHERE id = ?1")?;
    for (lead, changed) in rows {
        if let Some(search_key) = changed {
            update.execute(params![lead, search_key])?;
        }
    }
    Ok(())
}
