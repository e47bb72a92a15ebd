//! Leads as list elements.

use std::collections::HashMap;

use lead_workspace_api::shapes::{CampaignRef, Shape};
use lead_workspace_api::{
    ApprovalStatus, CampaignMembership, LeadListItem, LeadListMembership, ListRef, Raw,
};
use serde_json::value::to_raw_value;

use super::{StoreError, current_account, nullable, profile, raw_json, related, text};
use crate::store::caches::lead_cache::{EncodedLead, LeadCache};
use crate::store::db::{Db, List, Row, numbers, params};
use crate::store::tenant::Tenant;

/// Returns the leads with these row numbers, in this order, as JSON, at the version that the read sees.
pub(in crate::store) fn encoded_items(
    db: Db<'_>,
    lead_cache: &LeadCache,
    (tenant, version): (Tenant, i64),
    ids: &[i64],
) -> Result<Vec<EncodedLead>, StoreError> {
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
    let mut related = related::related(db, tenant, &page)?;
    let mut intents = related::latest_intents(db, tenant, &page)?;
    let items = ids.iter().filter_map(|id| {
        let mut item = found.remove(id)?;
        let lists = related.lists.remove(id).unwrap_or_default();
        let campaigns = related.campaigns.remove(id).unwrap_or_default();
        item.lists = Some(lists.into_iter().map(list).collect());
        item.campaigns = Some(campaigns.into_iter().map(campaign).collect());
        item.list_scores = Some(related.scores.remove(id).unwrap_or_default());
        item.intent = intents.remove(id).and_then(|mut latest| latest.pop());
        Some(item)
    });
    Ok(items.collect())
}

fn rows(db: Db<'_>, tenant: Tenant, page: &List) -> Result<HashMap<i64, LeadListItem>, StoreError> {
    let sql = "SELECT id, account, lead_id, provider_id, name, headline, profile_url, profile_picture_url,
                 profile_data, custom_data, title, location, connections_count, follower_count, company,
                 import_job_id, approval_status, created_at, chat_id, resolved_timezone, timezone_label
               FROM leads WHERE tenant = ?2 AND id IN (SELECT value FROM json_each(?1))";
    let rows: Vec<(i64, Option<i64>, LeadListItem)> =
        db.rows(sql, params![page, tenant.0], |row| {
            Ok((row.get(0)?, row.get(1)?, item(row)?))
        })?;
    let of_accounts = rows.iter().filter_map(|(_, account, _)| *account);
    let accounts = current_account::accounts(db, tenant, of_accounts)?;
    let rows = rows.into_iter().map(|(id, account, mut item)| {
        item.current_account = current_account::of(item.current_account, account, &accounts);
        (id, item)
    });
    Ok(rows.collect())
}

fn list(list: LeadListMembership) -> ListRef {
    ListRef {
        list_id: list.lead_list_id,
        list_name: list.lead_list_name,
        item_id: list.lead_list_item_id,
    }
}

fn campaign(member: CampaignMembership) -> Raw {
    CampaignRef {
        campaign_id: member.campaign_id.map(String::from),
        campaign_name: member.campaign_name,
        campaign_status: member.campaign_status,
        lead_status: member.lead_status,
    }
    .to_raw()
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
        current_account: current_account::own(row)?,
        import_job_id: text(row, "import_job_id")?,
        approval_status: Some(ApprovalStatus::from(status.as_str())),
        created_at: text(row, "created_at")?,
        chat_id: text(row, "chat_id")?,
        resolved_timezone: nullable(row, "resolved_timezone")?,
        timezone_label: nullable(row, "timezone_label")?,
        ..LeadListItem::default()
    })
}
