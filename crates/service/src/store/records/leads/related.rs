//! Related rows of leads, read for a whole page at once.

use std::collections::HashMap;

use lead_workspace_api::shapes::{CampaignRef, ListScore, Shape};
use lead_workspace_api::{Intent, ListRef, Raw};

use super::{StoreError, nullable, raw_json, text};
use crate::store::db::{Db, List, Row, params};
use crate::store::tenant::Tenant;

/// Rows by the row number of their lead, in order.
pub(super) type ByLead<T> = HashMap<i64, Vec<T>>;

/// Runs a statement whose first column is the lead; `?1` is the JSON array of the page's row
/// numbers, `?2` the workspace.
///
/// The statements join with `CROSS JOIN`, because SQLite would otherwise read all rows of the workspace.
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

pub(super) fn lists(
    db: Db<'_>,
    tenant: Tenant,
    leads: &List,
) -> Result<ByLead<ListRef>, StoreError> {
    let sql = "SELECT i.lead, i.list_id, n.name, i.item_id
               FROM json_each(?1) page CROSS JOIN list_items i
               JOIN lists n ON n.tenant = i.tenant AND n.list_id = i.list_id
               WHERE i.tenant = ?2 AND i.lead = page.value
               ORDER BY i.lead, i.added_at, i.list_id";
    gather(db, tenant, sql, leads, |row| {
        Ok(ListRef {
            list_id: text(row, "list_id")?,
            list_name: nullable(row, "name")?,
            item_id: nullable(row, "item_id")?,
        })
    })
}

pub(super) fn campaigns(
    db: Db<'_>,
    tenant: Tenant,
    leads: &List,
) -> Result<ByLead<Raw>, StoreError> {
    let sql = "SELECT m.lead, m.campaign_id, c.name, c.status, m.lead_status
               FROM json_each(?1) page CROSS JOIN campaign_leads m
               JOIN campaigns c ON c.tenant = m.tenant AND c.campaign_id = m.campaign_id
               WHERE m.tenant = ?2 AND m.lead = page.value
               ORDER BY m.lead, m.created_at, m.campaign_id";
    gather(db, tenant, sql, leads, |row| {
        Ok(CampaignRef {
            campaign_id: nullable(row, "campaign_id")?,
            campaign_name: nullable(row, "name")?,
            campaign_status: nullable(row, "status")?,
            lead_status: nullable(row, "lead_status")?,
        }
        .to_raw())
    })
}

pub(super) fn scores(db: Db<'_>, tenant: Tenant, leads: &List) -> Result<ByLead<Raw>, StoreError> {
    let sql = "SELECT s.lead, nullif(s.list_id, '') AS list_id, n.name, s.icp_score, s.icp_tier,
                 s.icp_reasoning, s.scored_at
               FROM json_each(?1) page CROSS JOIN lead_scores s
               LEFT JOIN lists n ON n.tenant = s.tenant AND n.list_id = s.list_id
               WHERE s.tenant = ?2 AND s.lead = page.value
               ORDER BY s.lead, s.icp_score DESC, s.list_id";
    gather(db, tenant, sql, leads, score)
}

/// Reads one element of `list_scores`, for a lead or an account.
pub(in crate::store) fn score(row: &Row<'_>) -> Result<Raw, StoreError> {
    Ok(ListScore {
        list_id: nullable(row, "list_id")?,
        list_name: nullable(row, "name")?,
        icp_score: nullable(row, "icp_score")?,
        icp_tier: nullable(row, "icp_tier")?,
        icp_reasoning: nullable(row, "icp_reasoning")?,
        scored_at: nullable(row, "scored_at")?,
    }
    .to_raw())
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
               FROM json_each(?1) page CROSS JOIN intents i
               WHERE i.tenant = ?2 AND i.lead = page.value
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
