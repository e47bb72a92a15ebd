//! Adding memberships in campaigns.

use super::{NewRow, NewRows, columns};

pub(crate) struct CampaignLeadRow {
    pub campaign_id: String,
    pub campaign_lead_id: String,
    pub lead_status: &'static str,
    pub connection_accepted: bool,
    pub message_replied: bool,
    pub assigned_sender_name: Option<String>,
    pub created_at: String,
}

impl NewRows<'_> {
    pub(crate) fn add_campaign_lead(&mut self, lead: i64, row: CampaignLeadRow) {
        let columns = columns! {
            campaign_id: row.campaign_id,
            campaign_lead_id: row.campaign_lead_id,
            lead_status: row.lead_status,
            connection_accepted: row.connection_accepted,
            message_replied: row.message_replied,
            assigned_sender_name: row.assigned_sender_name,
            created_at: row.created_at,
        };
        self.add(NewRow::CampaignLead, lead, columns);
    }
}
