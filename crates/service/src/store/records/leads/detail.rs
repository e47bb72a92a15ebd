//! The detail of one lead.

use lead_workspace_api::{
    ApprovalStatus, CampaignMembership, LeadDetail, LeadId, LeadListMembership, Nurture,
};

use super::{StoreError, current_account, nullable, profile, raw, raw_json, related, text};
use crate::store::db::{Db, Fixed, Row, numbers, params};
use crate::store::handle::Store;
use crate::store::records::encoded::Encoded;
use crate::store::tenant::Tenant;

impl Store {
    pub async fn lead(
        &self,
        tenant: Tenant,
        lead_id: LeadId,
    ) -> Result<Option<Encoded<LeadDetail>>, StoreError> {
        self.read_in(tenant, move |db| {
            let Some((id, mut lead)) = own(db, tenant, &lead_id)? else {
                return Ok(None);
            };
            let page = numbers(&[id]);
            let intents = related::intents(db, tenant, &page)?
                .remove(&id)
                .unwrap_or_default();
            lead.intents = Some(intents.iter().map(raw).collect::<Result<_, _>>()?);
            let scores = related::scores(db, tenant, &page)?.remove(&id);
            lead.list_scores = Some(scores.unwrap_or_default());
            lead.lead_lists = Some(lists(db, tenant, id)?);
            lead.campaigns = Some(campaigns(db, tenant, id)?);
            lead.nurture = nurture(db, tenant, id)?;
            Encoded::new(&lead).map(Some)
        })
        .await
    }
}

/// Reads the columns of the lead and of its account.
fn own(
    db: Db<'_>,
    tenant: Tenant,
    lead_id: &LeadId,
) -> Result<Option<(i64, LeadDetail)>, StoreError> {
    let sql = Fixed(format!(
        "SELECT l.id, l.lead_id, l.provider_id, l.name, l.headline, l.profile_url,
           l.profile_picture_url, l.background_image_url, l.is_premium, l.profile_data,
           l.custom_data, l.title, l.location, l.connections_count, l.follower_count, l.company,
           l.approval_status, l.chat_id, {}
         FROM leads l LEFT JOIN accounts a ON a.tenant = l.tenant AND a.id = l.account
         WHERE l.tenant = ?1 AND l.lead_id = ?2",
        current_account::COLUMNS
    ));
    db.row(&sql, params![tenant.0, lead_id.as_str()], |row| {
        Ok((row.get(0)?, lead(row)?))
    })
}

fn lead(row: &Row<'_>) -> Result<LeadDetail, StoreError> {
    let status: String = row.get("approval_status")?;
    Ok(LeadDetail {
        id: text(row, "lead_id")?,
        provider_id: nullable(row, "provider_id")?,
        name: nullable(row, "name")?,
        headline: nullable(row, "headline")?,
        profile_url: nullable(row, "profile_url")?,
        profile_picture_url: nullable(row, "profile_picture_url")?,
        background_image_url: nullable(row, "background_image_url")?,
        is_premium: nullable(row, "is_premium")?,
        profile_data: profile(row)?,
        custom_data: raw_json(row, "custom_data")?,
        current_account: current_account::read(row)?,
        approval_status: Some(ApprovalStatus::from(status.as_str())),
        chat_id: text(row, "chat_id")?,
        ..LeadDetail::default()
    })
}

fn lists(db: Db<'_>, tenant: Tenant, lead: i64) -> Result<Vec<LeadListMembership>, StoreError> {
    db.rows(
        "SELECT i.list_id, n.name, i.item_id, i.added_at
         FROM list_items i JOIN lists n ON n.tenant = i.tenant AND n.list_id = i.list_id
         WHERE i.tenant = ?1 AND i.lead = ?2 ORDER BY i.added_at, i.list_id",
        params![tenant.0, lead],
        |row| {
            Ok(LeadListMembership {
                lead_list_id: text(row, "list_id")?,
                lead_list_name: nullable(row, "name")?,
                lead_list_item_id: nullable(row, "item_id")?,
                added_at: text(row, "added_at")?,
            })
        },
    )
}

fn campaigns(db: Db<'_>, tenant: Tenant, lead: i64) -> Result<Vec<CampaignMembership>, StoreError> {
    db.rows(
        "SELECT m.campaign_lead_id, m.campaign_id, c.name, c.status, m.lead_status,
           m.connection_accepted, m.message_replied, m.assigned_sender_name, m.created_at
         FROM campaign_leads m
         JOIN campaigns c ON c.tenant = m.tenant AND c.campaign_id = m.campaign_id
         WHERE m.tenant = ?1 AND m.lead = ?2 ORDER BY m.created_at, m.campaign_id",
        params![tenant.0, lead],
        |row| {
            Ok(CampaignMembership {
                campaign_lead_id: nullable(row, "campaign_lead_id")?,
                campaign_id: text(row, "campaign_id")?,
                campaign_name: nullable(row, "name")?,
                campaign_status: nullable(row, "status")?,
                lead_status: nullable(row, "lead_status")?,
                connection_accepted: nullable(row, "connection_accepted")?,
                message_replied: nullable(row, "message_replied")?,
                assigned_sender_name: nullable(row, "assigned_sender_name")?,
                created_at: text(row, "created_at")?,
            })
        },
    )
}

fn nurture(db: Db<'_>, tenant: Tenant, lead: i64) -> Result<Option<Nurture>, StoreError> {
    db.row(
        "SELECT tracker_profile_id, like_mode, is_active, created_at FROM nurtures
         WHERE tenant = ?1 AND lead = ?2",
        params![tenant.0, lead],
        |row| {
            Ok(Nurture {
                tracker_profile_id: nullable(row, "tracker_profile_id")?,
                like_mode: nullable(row, "like_mode")?,
                is_active: nullable(row, "is_active")?,
                created_at: text(row, "created_at")?,
            })
        },
    )
}
