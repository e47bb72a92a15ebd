//! Inserting what belongs to a lead: intents, memberships, conversations and nurtures.

use rusqlite::Connection;

use super::columns;
use crate::store::{StoreError, Tenant};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct IntentRow {
    pub intent_id: String,
    pub event_type: &'static str,
    /// A JSON object.
    pub event_data: String,
    pub signal_run_id: Option<String>,
    pub lead_list_id: Option<String>,
    pub signal_id: Option<String>,
    pub feed_post_id: Option<String>,
    pub created_at: String,
}

pub(crate) fn insert_intent(
    connection: &Connection,
    tenant: Tenant,
    lead: i64,
    row: &IntentRow,
) -> Result<(), StoreError> {
    let columns = columns! {
        lead: lead,
        tenant: tenant.0,
        intent_id: &row.intent_id,
        event_type: &row.event_type,
        event_data: &row.event_data,
        signal_run_id: &row.signal_run_id,
        lead_list_id: &row.lead_list_id,
        signal_id: &row.signal_id,
        feed_post_id: &row.feed_post_id,
        created_at: &row.created_at,
    };
    columns.insert(connection, "intents")?;
    Ok(())
}

#[derive(Clone, Debug, PartialEq)]
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
    connection: &Connection,
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
    columns.insert(connection, "campaign_leads")?;
    Ok(())
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChatRow {
    pub chat_id: String,
    pub classification: Option<&'static str>,
    pub label: Option<&'static str>,
    pub campaign_id: Option<String>,
    pub network_account: Option<String>,
    pub replied: bool,
    pub last_message_at: String,
}

pub(crate) fn insert_chat(
    connection: &Connection,
    tenant: Tenant,
    lead: i64,
    row: &ChatRow,
) -> Result<(), StoreError> {
    let columns = columns! {
        lead: lead,
        tenant: tenant.0,
        chat_id: &row.chat_id,
        classification: &row.classification,
        label: &row.label,
        campaign_id: &row.campaign_id,
        network_account: &row.network_account,
        replied: &row.replied,
        last_message_at: &row.last_message_at,
    };
    columns.insert(connection, "chats")?;
    Ok(())
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NurtureRow {
    pub tracker_profile_id: String,
    pub like_mode: &'static str,
    pub is_active: bool,
    pub created_at: String,
}

pub(crate) fn insert_nurture(
    connection: &Connection,
    tenant: Tenant,
    lead: i64,
    row: &NurtureRow,
) -> Result<(), StoreError> {
    let columns = columns! {
        lead: lead,
        tenant: tenant.0,
        tracker_profile_id: &row.tracker_profile_id,
        like_mode: &row.like_mode,
        is_active: &row.is_active,
        created_at: &row.created_at,
    };
    columns.insert(connection, "nurtures")?;
    Ok(())
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
    let columns = columns! {
        lead: lead,
        tenant: tenant.0,
        list_id: row.list_id,
        item_id: &row.item_id,
        added_at: row.added_at,
    };
    columns.insert(connection, "list_items")?;
    Ok(())
}
