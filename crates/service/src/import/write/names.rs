//! Lists and campaigns by name, made where they are missing.

use std::collections::HashMap;

use rusqlite::{Connection, params};
use uuid::Uuid;

use super::Writing;
use crate::fold::fold;
use crate::store::StoreError;
use crate::store::insert::{CampaignLeadRow, insert_campaign_lead};

/// Ids by folded name; filled when first asked.
#[derive(Default)]
pub(in crate::import) struct Names {
    lists: Option<HashMap<String, String>>,
    campaigns: Option<HashMap<String, String>>,
}

impl Names {
    /// The list of a name, as far as one was asked for.
    pub(super) fn list_id(&self, name: &str) -> Option<String> {
        self.lists.as_ref()?.get(&fold(name)).cloned()
    }

    /// Puts a lead on a list. True when it was not there.
    pub(super) fn put_on_list(
        &mut self,
        connection: &Connection,
        writing: &Writing,
        lead: i64,
        name: &str,
    ) -> Result<bool, StoreError> {
        let tenant = writing.tenant.0;
        let lists = match &mut self.lists {
            Some(lists) => lists,
            none => none.insert(known(
                connection,
                tenant,
                "SELECT name, list_id FROM lists WHERE tenant = ?1",
            )?),
        };
        let list_id = match lists.get(&fold(name)) {
            Some(list_id) => list_id.clone(),
            None => {
                let list_id = format!("list_{}", Uuid::now_v7().simple());
                connection.execute(
                    "INSERT INTO lists (tenant, list_id, name, created_at) VALUES (?1, ?2, ?3, ?4)",
                    params![tenant, list_id, name, writing.at],
                )?;
                lists.insert(fold(name), list_id.clone());
                list_id
            }
        };
        let mut add = connection.prepare_cached(
            "INSERT OR IGNORE INTO list_items (lead, tenant, list_id, item_id, added_at)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        let item_id = format!("item_{}", Uuid::now_v7().simple());
        Ok(add.execute(params![lead, tenant, list_id, item_id, writing.at])? > 0)
    }

    /// Puts a lead into a campaign. True when it was not there.
    pub(super) fn put_into_campaign(
        &mut self,
        connection: &Connection,
        writing: &Writing,
        lead: i64,
        name: &str,
    ) -> Result<bool, StoreError> {
        let tenant = writing.tenant;
        let sql = "SELECT name, campaign_id FROM campaigns WHERE tenant = ?1";
        let campaigns = match &mut self.campaigns {
            Some(campaigns) => campaigns,
            none => none.insert(known(connection, tenant.0, sql)?),
        };
        let campaign_id = match campaigns.get(&fold(name)) {
            Some(campaign_id) => campaign_id.clone(),
            None => {
                let campaign_id = format!("campaign_{}", Uuid::now_v7().simple());
                connection.execute(
                    "INSERT INTO campaigns (tenant, campaign_id, name, status, created_at)
                     VALUES (?1, ?2, ?3, 'draft', ?4)",
                    params![tenant.0, campaign_id, name, writing.at],
                )?;
                campaigns.insert(fold(name), campaign_id.clone());
                campaign_id
            }
        };
        let sql =
            "SELECT EXISTS (SELECT 1 FROM campaign_leads WHERE lead = ?1 AND campaign_id = ?2)";
        let there: bool = connection
            .prepare_cached(sql)?
            .query_row(params![lead, campaign_id], |row| row.get(0))?;
        if there {
            return Ok(false);
        }
        let row = CampaignLeadRow {
            campaign_id,
            campaign_lead_id: format!("campaign_lead_{}", Uuid::now_v7().simple()),
            lead_status: "pending",
            connection_accepted: false,
            message_replied: false,
            assigned_sender_name: None,
            created_at: writing.at.clone(),
        };
        insert_campaign_lead(connection, tenant, lead, &row)?;
        connection
            .prepare_cached("UPDATE leads SET campaign_lead_status = 'pending' WHERE id = ?1")?
            .execute([lead])?;
        Ok(true)
    }
}

fn known(
    connection: &Connection,
    tenant: i64,
    sql: &str,
) -> Result<HashMap<String, String>, StoreError> {
    let mut select = connection.prepare(sql)?;
    let names = select.query_map([tenant], |row| {
        Ok((fold(&row.get::<_, String>(0)?), row.get(1)?))
    })?;
    Ok(names.collect::<Result<_, _>>()?)
}
