//! Inserting memberships in campaigns.

use lead_workspace_index::ChangeKind;

use super::{Columns, columns};
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

pub(crate) struct CampaignLeadRow {
    pub campaign_id: String,
    pub campaign_lead_id: String,
    pub lead_status: &'static str,
    pub connection_accepted: bool,
    pub message_replied: bool,
    pub assigned_sender_name: Option<String>,
    pub created_at: String,
}

impl CampaignLeadRow {
    fn columns(&self, tenant: Tenant, lead: i64) -> Columns<'_> {
        columns! {
            lead: lead,
            tenant: tenant.0,
            campaign_id: &self.campaign_id,
            campaign_lead_id: &self.campaign_lead_id,
            lead_status: &self.lead_status,
            connection_accepted: &self.connection_accepted,
            message_replied: &self.message_replied,
            assigned_sender_name: &self.assigned_sender_name,
            created_at: &self.created_at,
        }
    }
}

pub(crate) fn insert_campaign_lead(
    db: Db<'_>,
    tenant: Tenant,
    lead: i64,
    row: &CampaignLeadRow,
) -> Result<(), StoreError> {
    db.touch(tenant, ChangeKind::CAMPAIGN, lead);
    row.columns(tenant, lead).insert(db, "campaign_leads")
}

/// Writes memberships of leads, which are given by their row numbers.
pub(crate) fn insert_campaign_leads(
    db: Db<'_>,
    tenant: Tenant,
    rows: &[(i64, CampaignLeadRow)],
) -> Result<(), StoreError> {
    for (lead, _) in rows {
        db.touch(tenant, ChangeKind::CAMPAIGN, *lead);
    }
    let columns = rows.iter().map(|(lead, row)| row.columns(tenant, *lead));
    Columns::insert_all(db, "campaign_leads", &columns.collect::<Vec<_>>())
}
