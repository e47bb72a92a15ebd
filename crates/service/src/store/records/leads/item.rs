//! Leads as list elements.

use std::collections::HashMap;

use lead_workspace_api::{ApprovalStatus, LeadListItem};
use serde_json::value::to_raw_value;

use super::{StoreError, current_account, nullable, profile, raw_json, related, text};
use crate::store::caches::lead_cache::{EncodedLead, LeadCache};
use crate::store::db::{Db, Fixed, List, Row, numbers, params};
use crate::store::index_host::versions;
use crate::store::tenant::Tenant;

/// Returns the leads with these row numbers, in this order, as JSON.
pub(in crate::store) fn encoded_items(
    db: Db<'_>,
    lead_cache: &LeadCache,
    tenant: Tenant,
    ids: &[i64],
) -> Result<Vec<EncodedLead>, StoreError> {
    let version = versions::version(db, tenant)?;
    let mut leads = lead_cache.get(tenant, version, ids);
    let is_missing = |at: &usize| leads[*at].is_none();
    let missing: Vec<usize> = (0..ids.len()).filter(is_missing).collect();
    if !missing.is_empty() {
        let rows: Vec<i64> = missing.iter().map(|at| ids[*at]).collect();
        let read = items(db, tenant, &rows)?;
        for (at, lead) in missing.iter().zip(&read) {
            let text = to_raw_value(lead);
            let text = text.map_err(|error| StoreError::Unexpected(error.to_string()))?;
            leads[*at] = Some(text.into());
        }
        let read = missing.iter().map(|at| (ids[*at], leads[*at].clone()));
        let read = read.filter_map(|(id, lead)| Some((id, lead?)));
        lead_cache.put(tenant, version, read);
    }
    Ok(leads.into_iter().flatten().collect())
}

/// Returns the leads with these row numbers, in this order.
pub(in crate::store) fn items(
    db: Db<'_>,
    tenant: Tenant,
    ids: &[i64],
) -> Result<Vec<LeadListItem>, StoreError> {
    let page = numbers(ids);
    let mut found = rows(db, tenant, &page)?;
    let mut lists = related::lists(db, tenant, &page)?;
    let mut campaigns = related::campaigns(db, tenant, &page)?;
    let mut scores = related::scores(db, tenant, &page)?;
    let mut intents = related::latest_intents(db, tenant, &page)?;
    let items = ids.iter().filter_map(|id| {
        let mut item = found.remove(id)?;
        item.lists = Some(lists.remove(id).unwrap_or_default());
        item.campaigns = Some(campaigns.remove(id).unwrap_or_default());
        item.list_scores = Some(scores.remove(id).unwrap_or_default());
        item.intent = intents.remove(id).and_then(|mut latest| latest.pop());
        Some(item)
    });
    Ok(items.collect())
}

fn rows(db: Db<'_>, tenant: Tenant, page: &List) -> Result<HashMap<i64, LeadListItem>, StoreError> {
    let sql = Fixed(format!(
        "SELECT l.id, l.lead_id, l.provider_id, l.name, l.headline, l.profile_url,
           l.profile_picture_url, l.profile_data, l.custom_data, l.title, l.location,
           l.connections_count, l.follower_count, l.company, l.import_job_id, l.approval_status,
           l.created_at, l.chat_id, l.resolved_timezone, l.timezone_label, {}
         FROM json_each(?1) page CROSS JOIN leads l
         LEFT JOIN accounts a ON a.tenant = l.tenant AND a.id = l.account
         WHERE l.tenant = ?2 AND l.id = page.value",
        current_account::COLUMNS
    ));
    db.rows(&sql, params![page, tenant.0], |row| {
        Ok((row.get(0)?, item(row)?))
    })
}

fn item(row: &Row<'_>) -> Result<LeadListItem, StoreError> {
    let status: String = row.get("approval_status")?;
    Ok(LeadListItem {
        lead_id: text(row, "lead_id")?,
        provider_id: nullable(row, "provider_id")?,
        name: nullable(row, "name")?,
        headline: nullable(row, "headline")?,
        profile_url: nullable(row, "profile_url")?,
        profile_picture_url: nullable(row, "profile_picture_url")?,
        profile_data: profile(row)?,
        custom_data: raw_json(row, "custom_data")?,
        current_account: current_account::read(row)?,
        import_job_id: text(row, "import_job_id")?,
        approval_status: Some(ApprovalStatus::from(status.as_str())),
        created_at: text(row, "created_at")?,
        chat_id: text(row, "chat_id")?,
        resolved_timezone: nullable(row, "resolved_timezone")?,
        timezone_label: nullable(row, "timezone_label")?,
        ..LeadListItem::default()
    })
}
