//! Inserting memberships in campaigns.

use super::columns;
use crate::store::db::Db;
use crate::store::{StoreError, Tenant};

pub(crate) struct CampaignLeadRow {
    pub campaign_id: String,
    pub campaign_lead_id: String,
    pub lead_status: &'static str,
    pub connection_accepted: bool,
    pub message_replied: bool,
    pub assigned_sender_name: Option<String>,
    pub created_at: String,
}

pub(crate) fn insert_campaign_lead(
    db: Db<'_>,
    tenant: Tenant,
    lead: i64,
    row: &CampaignLeadRow,
) -> Result<(), StoreError> {
    let columns = columns! {
        lead: lead,
        tenant: tenant.0,
        campaign_id: &row.campaign_id,
        campaign_lead_id: &row.campaign_lead_id,
        lead_status: &row.lead_status,
        connection_accepted: &row.connection_accepted,
        message_replied: &row.message_replied,
        assigned_sender_name: &row.assigned_sender_name,
        created_at: &row.created_at,
    };
    columns.insert(db, "campaign_leads")
}
