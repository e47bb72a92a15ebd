//! The detail of one lead.

use lead_workspace_api::{ApprovalStatus, LeadDetail, LeadId, Nurture};

use super::{StoreError, current_account, nullable, profile, raw, raw_json, related, text};
use crate::store::db::{Db, Row, numbers, params};
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
            let mut related = related::related(db, tenant, &page)?;
            lead.list_scores = Some(related.scores.remove(&id).unwrap_or_default());
            lead.lead_lists = Some(related.lists.remove(&id).unwrap_or_default());
            lead.campaigns = Some(related.campaigns.remove(&id).unwrap_or_default());
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
    let sql = "SELECT id, account, lead_id, provider_id, name, headline, profile_url, profile_picture_url,
                 background_image_url, is_premium, profile_data, custom_data, title, location,
                 connections_count, follower_count, company, approval_status, chat_id
               FROM leads WHERE tenant = ?1 AND lead_id = ?2";
    let found = db.row(sql, params![tenant.0, lead_id.as_str()], |row| {
        Ok((row.get(0)?, row.get(1)?, lead(row)?))
    })?;
    let Some((id, account, mut lead)) = found else {
        return Ok(None);
    };
    let accounts = current_account::accounts(db, tenant, account)?;
    lead.current_account = current_account::of(lead.current_account, account, &accounts);
    Ok(Some((id, lead)))
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
        current_account: current_account::own(row)?,
        approval_status: Some(ApprovalStatus::from(status.as_str())),
        chat_id: text(row, "chat_id")?,
        ..LeadDetail::default()
    })
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
