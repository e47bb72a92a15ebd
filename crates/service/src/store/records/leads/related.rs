//! Related rows of leads, read for a whole page at once.

use std::collections::{BTreeSet, HashMap};

use lead_workspace_api::shapes::{ListScore, Shape};
use lead_workspace_api::{
    CampaignId, CampaignMembership, Intent, LeadListId, LeadListMembership, Raw,
};

use super::{StoreError, nullable, raw_json, text};
use crate::store::db::{Db, List, Row, params};
use crate::store::tenant::Tenant;

/// Rows by the row number of their lead, in order.
pub(super) type ByLead<T> = HashMap<i64, Vec<T>>;

/// Runs a statement whose first column is the lead; `?1` is the JSON array of the page's row
/// numbers, `?2` the workspace.
fn gather<T>(
    db: Db<'_>,
    tenant: Tenant,
    sql: &'static str,
    leads: &List,
    read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<ByLead<T>, StoreError> {
    let mut found: ByLead<T> = HashMap::new();
    db.each(sql, params![leads, tenant.0], |row| {
        found.entry(row.get(0)?).or_default().push(read(row)?);
        Ok::<_, StoreError>(())
    })?;
    Ok(found)
}

/// Of a campaign.
type NameAndStatus = (Option<String>, Option<String>);

/// What leads belong to.
pub(super) struct Related {
    pub lists: ByLead<LeadListMembership>,
    pub campaigns: ByLead<CampaignMembership>,
    pub scores: ByLead<Raw>,
}

/// Reads what the leads of a page belong to. Each statement is about one table, which Citus plans soonest.
pub(super) fn related(db: Db<'_>, tenant: Tenant, page: &List) -> Result<Related, StoreError> {
    let mut lists = lists(db, tenant, page)?;
    let mut campaigns = campaigns(db, tenant, page)?;
    let mut scores = scores(db, tenant, page)?;
    let of_items = lists.values().flatten();
    let of_items = of_items.filter_map(|item| item.lead_list_id.as_ref().map(LeadListId::as_str));
    let of_scores = scores.values().flatten();
    let of_scores = of_scores.filter_map(|score| score.list_id.as_deref());
    let names = names_of_lists(db, tenant, of_items.chain(of_scores))?;
    for item in lists.values_mut().flatten() {
        let name = item
            .lead_list_id
            .as_ref()
            .and_then(|id| names.get(id.as_str()));
        item.lead_list_name = name.cloned();
    }
    for score in scores.values_mut().flatten() {
        let name = score.list_id.as_ref().and_then(|id| names.get(id));
        score.list_name = name.cloned();
    }
    let ids = campaigns.values().flatten();
    let ids = ids.filter_map(|member| member.campaign_id.as_ref().map(CampaignId::as_str));
    let known = known_campaigns(db, tenant, ids)?;
    for member in campaigns.values_mut().flatten() {
        let campaign = member
            .campaign_id
            .as_ref()
            .and_then(|id| known.get(id.as_str()));
        if let Some((name, status)) = campaign {
            member.campaign_name = name.clone();
            member.campaign_status = status.clone();
        }
    }
    let scores = scores.into_iter();
    let raw = |scores: Vec<ListScore>| scores.iter().map(Shape::to_raw).collect();
    Ok(Related {
        lists,
        campaigns,
        scores: scores.map(|(lead, scores)| (lead, raw(scores))).collect(),
    })
}

fn lists(
    db: Db<'_>,
    tenant: Tenant,
    page: &List,
) -> Result<ByLead<LeadListMembership>, StoreError> {
    let sql = "SELECT lead, list_id, item_id, added_at FROM list_items
               WHERE tenant = ?2 AND lead IN (SELECT value FROM json_each(?1))
               ORDER BY lead, added_at, list_id";
    gather(db, tenant, sql, page, |row| {
        Ok(LeadListMembership {
            lead_list_id: text(row, "list_id")?,
            lead_list_name: None,
            lead_list_item_id: nullable(row, "item_id")?,
            added_at: text(row, "added_at")?,
        })
    })
}

fn campaigns(
    db: Db<'_>,
    tenant: Tenant,
    page: &List,
) -> Result<ByLead<CampaignMembership>, StoreError> {
    let sql = "SELECT lead, campaign_lead_id, campaign_id, lead_status, connection_accepted, message_replied,
                 assigned_sender_name, created_at FROM campaign_leads
               WHERE tenant = ?2 AND lead IN (SELECT value FROM json_each(?1))
               ORDER BY lead, created_at, campaign_id";
    gather(db, tenant, sql, page, |row| {
        Ok(CampaignMembership {
            campaign_lead_id: nullable(row, "campaign_lead_id")?,
            campaign_id: text(row, "campaign_id")?,
            lead_status: nullable(row, "lead_status")?,
            connection_accepted: nullable(row, "connection_accepted")?,
            message_replied: nullable(row, "message_replied")?,
            assigned_sender_name: nullable(row, "assigned_sender_name")?,
            created_at: text(row, "created_at")?,
            ..CampaignMembership::default()
        })
    })
}

fn scores(db: Db<'_>, tenant: Tenant, page: &List) -> Result<ByLead<ListScore>, StoreError> {
    let sql =
        "SELECT lead, nullif(list_id, '') AS list_id, icp_score, icp_tier, icp_reasoning, scored_at
               FROM lead_scores WHERE tenant = ?2 AND lead IN (SELECT value FROM json_each(?1))
               ORDER BY lead, icp_score DESC, lead_scores.list_id";
    gather(db, tenant, sql, page, score)
}

fn names_of_lists<'a>(
    db: Db<'_>,
    tenant: Tenant,
    ids: impl Iterator<Item = &'a str>,
) -> Result<HashMap<String, String>, StoreError> {
    let sql = "SELECT list_id, name FROM lists
               WHERE tenant = ?2 AND list_id IN (SELECT value FROM json_each(?1))";
    by_id(db, tenant, sql, ids, |row| row.get(1))
}

fn known_campaigns<'a>(
    db: Db<'_>,
    tenant: Tenant,
    ids: impl Iterator<Item = &'a str>,
) -> Result<HashMap<String, NameAndStatus>, StoreError> {
    let sql = "SELECT campaign_id, name, status FROM campaigns
               WHERE tenant = ?2 AND campaign_id IN (SELECT value FROM json_each(?1))";
    by_id(db, tenant, sql, ids, |row| Ok((row.get(1)?, row.get(2)?)))
}

/// Runs a statement whose first column is the id; `?1` is the JSON array of the ids, `?2` the workspace.
fn by_id<'a, T>(
    db: Db<'_>,
    tenant: Tenant,
    sql: &'static str,
    ids: impl Iterator<Item = &'a str>,
    read: impl Fn(&Row<'_>) -> Result<T, StoreError>,
) -> Result<HashMap<String, T>, StoreError> {
    let ids: BTreeSet<&str> = ids.collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let ids = List::texts(ids.into_iter().map(str::to_owned));
    db.rows(sql, params![ids, tenant.0], |row| {
        Ok((row.get(0)?, read(row)?))
    })
}

/// Reads one element of `list_scores`, for a lead or an account, without the name of its list.
pub(in crate::store) fn score(row: &Row<'_>) -> Result<ListScore, StoreError> {
    Ok(ListScore {
        list_id: nullable(row, "list_id")?,
        list_name: None,
        icp_score: nullable(row, "icp_score")?,
        icp_tier: nullable(row, "icp_tier")?,
        icp_reasoning: nullable(row, "icp_reasoning")?,
        scored_at: nullable(row, "scored_at")?,
    })
}

pub(super) fn latest_intents(
    db: Db<'_>,
    tenant: Tenant,
    leads: &List,
) -> Result<ByLead<Intent>, StoreError> {
    let sql = "SELECT i.lead, i.intent_id, i.event_type, i.event_data, i.signal_run_id,
                 i.lead_list_id, i.signal_id, i.created_at
               FROM json_each(?1) page CROSS JOIN intents i
               WHERE i.tenant = ?2 AND i.id =
                 (SELECT id FROM intents WHERE tenant = ?2 AND lead = page.value
                  ORDER BY created_at DESC, id DESC LIMIT 1)";
    gather(db, tenant, sql, leads, intent)
}

/// Returns all intent signals of each lead, latest first.
pub(super) fn intents(
    db: Db<'_>,
    tenant: Tenant,
    leads: &List,
) -> Result<ByLead<Intent>, StoreError> {
    let sql = "SELECT i.lead, i.intent_id, i.event_type, i.event_data, i.signal_run_id,
                 i.lead_list_id, i.signal_id, i.created_at
               FROM intents i WHERE i.tenant = ?2 AND i.lead IN (SELECT value FROM json_each(?1))
               ORDER BY i.lead, i.created_at DESC, i.id DESC";
    gather(db, tenant, sql, leads, intent)
}

fn intent(row: &Row<'_>) -> Result<Intent, StoreError> {
    Ok(Intent {
        id: nullable(row, "intent_id")?,
        event_type: nullable(row, "event_type")?,
        event_data: raw_json(row, "event_data")?,
        signal_run_id: text(row, "signal_run_id")?,
        lead_list_id: text(row, "lead_list_id")?,
        signal_id: text(row, "signal_id")?,
        created_at: text(row, "created_at")?,
    })
}
