//! Inserting leads, their list items and scores.

use rusqlite::Connection;

use super::account::AccountRow;
use super::{insert, insert_row, key};
use crate::size::size_rank;
use crate::store::{StoreError, Tenant};

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LeadRow {
    pub lead_id: String,
    pub provider_id: Option<String>,
    pub name: Option<String>,
    pub headline: Option<String>,
    pub profile_url: Option<String>,
    pub profile_picture_url: Option<String>,
    pub background_image_url: Option<String>,
    pub is_premium: Option<bool>,
    pub title: Option<String>,
    pub location: Option<String>,
    pub connections_count: Option<i64>,
    pub follower_count: Option<i64>,
    pub profile_data: Option<String>,
    pub custom_data: Option<String>,
    pub resolved_timezone: Option<String>,
    pub timezone_label: Option<String>,
    pub approval_status: &'static str,
    pub import_job_id: Option<String>,
    pub created_at: String,
    pub identity: Option<String>,
    /// The e-mail address in lower case.
    pub email: Option<String>,
    pub icp_score: Option<f64>,
    pub icp_tier: Option<&'static str>,
    /// The type of the latest intent signal.
    pub intent_type: Option<&'static str>,
    pub outreach: Outreach,
}

/// Columns that a lead copies from its campaign and its conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outreach {
    pub campaign_lead_status: Option<&'static str>,
    pub connection: Option<&'static str>,
    pub reply: Option<&'static str>,
    pub sender: Option<String>,
    pub current_node: Option<&'static str>,
    pub rate_limited_by: Option<&'static str>,
    pub has_pending_approval: Option<bool>,
    pub chat_id: Option<String>,
    pub chat_label: Option<&'static str>,
    pub reply_classification: Option<&'static str>,
    pub network_account: Option<String>,
}

/// Writes a lead; the database chooses the row number if `id` is `None`.
pub(crate) fn insert_lead(
    connection: &Connection,
    tenant: Tenant,
    id: Option<i64>,
    row: &LeadRow,
    account: Option<(i64, &AccountRow)>,
) -> Result<i64, StoreError> {
    let name_key = key(row.name.as_ref());
    let headline_key = key(row.headline.as_ref());
    let title_key = key(row.title.as_ref());
    let (account, company) = account.unzip();
    let company_name = company.and_then(|company| company.name.as_ref());
    let company_key = key(company_name);
    let text = |get: fn(&AccountRow) -> &Option<String>| company.and_then(|row| get(row).as_ref());
    let (industry, size) = (
        text(|row| &row.industry),
        text(|row| &row.staff_count_range),
    );
    let (place, tagline) = (text(|row| &row.location), text(|row| &row.tagline));
    let search_key = search_key([&name_key, &headline_key, &title_key, &company_key]);
    Ok(insert!(
        connection, "leads",
        id: id,
        tenant: tenant.0,
        lead_id: row.lead_id,
        provider_id: row.provider_id,
        name: row.name,
        name_key: name_key,
        headline: row.headline,
        headline_key: headline_key,
        profile_url: row.profile_url,
        profile_picture_url: row.profile_picture_url,
        background_image_url: row.background_image_url,
        is_premium: row.is_premium,
        title: row.title,
        title_key: title_key,
        location: row.location,
        location_key: key(row.location.as_ref()),
        connections_count: row.connections_count,
        follower_count: row.follower_count,
        profile_data: row.profile_data,
        custom_data: row.custom_data,
        resolved_timezone: row.resolved_timezone,
        timezone_label: row.timezone_label,
        approval_status: row.approval_status,
        import_job_id: row.import_job_id,
        chat_id: row.outreach.chat_id,
        created_at: row.created_at,
        identity: row.identity,
        email: row.email,
        account: account,
        company: company_name,
        company_key: company_key,
        industry: industry,
        industry_key: key(industry),
        company_size: size,
        company_size_rank: size.and_then(|size| size_rank(size)),
        company_location: place,
        company_location_key: key(place),
        company_tagline: tagline,
        company_tagline_key: key(tagline),
        company_founded_year: company.and_then(|company| company.founded_year),
        icp_score: row.icp_score,
        icp_tier: row.icp_tier,
        campaign_lead_status: row.outreach.campaign_lead_status,
        connection: row.outreach.connection,
        reply: row.outreach.reply,
        sender: row.outreach.sender,
        sender_key: key(row.outreach.sender.as_ref()),
        current_node: row.outreach.current_node,
        rate_limited_by: row.outreach.rate_limited_by,
        has_pending_approval: row.outreach.has_pending_approval,
        intent_type: row.intent_type,
        chat_label: row.outreach.chat_label,
        reply_classification: row.outreach.reply_classification,
        network_account: row.outreach.network_account,
        search_key: search_key,
    )?)
}

/// Returns the text for the search: one folded value per line.
pub(crate) fn search_key(keys: [&Option<String>; 4]) -> String {
    let keys: Vec<_> = keys.into_iter().flatten().map(String::as_str).collect();
    keys.join("\n")
}

pub(crate) struct ListMembership<'a> {
    pub list_id: &'a str,
    pub item_id: String,
    pub added_at: &'a str,
}

pub(crate) fn insert_list_item(
    connection: &Connection,
    tenant: Tenant,
    lead: i64,
    row: &ListMembership<'_>,
) -> Result<(), StoreError> {
    insert_row!(
        connection, "list_items",
        lead: lead,
        tenant: tenant.0,
        list_id: row.list_id,
        item_id: row.item_id,
        added_at: row.added_at,
    )?;
    Ok(())
}

/// A score for a list; the empty `list_id` is a score outside any list.
pub(crate) struct ScoreRow<'a> {
    pub list_id: &'a str,
    pub icp_score: f64,
    pub icp_tier: &'a str,
    pub icp_reasoning: String,
    pub scored_at: &'a str,
    pub job_id: Option<&'a str>,
}

pub(crate) fn insert_score(
    connection: &Connection,
    tenant: Tenant,
    lead: i64,
    row: &ScoreRow<'_>,
) -> Result<(), StoreError> {
    insert_row!(
        connection, "lead_scores",
        lead: lead,
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
