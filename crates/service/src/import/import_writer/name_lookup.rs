//! Lists and campaigns by name, created if they are missing.

use std::collections::HashMap;

use uuid::Uuid;

use super::ImportWriter;
use crate::fold;
use crate::store::StoreError;
use crate::store::db::{Db, Row, params};
use crate::store::insert::{CampaignLeadRow, insert_campaign_lead};

/// The lists and campaigns of a workspace that this import has looked up.
#[derive(Default)]
pub(in crate::import) struct NameLookup {
    lists: IdsByName,
    campaigns: IdsByName,
}

#[derive(Default)]
struct IdsByName {
    ids: HashMap<String, String>,
    /// Number of rows when the table was read, plus those that this import has added since.
    rows: i64,
}

impl IdsByName {
    /// Returns the id of a name. If the name is unknown, another import may have created it; then
    /// the number of rows has changed, and the table is read again.
    fn find(
        &mut self,
        db: Db<'_>,
        tenant: i64,
        [count, read]: [&'static str; 2],
        name: &str,
    ) -> Result<Option<String>, StoreError> {
        let key = fold(name);
        if let Some(id) = self.ids.get(&key) {
            return Ok(Some(id.clone()));
        }
        let rows = db.value(count, params![tenant])?;
        if self.rows != rows {
            let named = |row: &Row<'_>| Ok((fold(&row.get::<String>(0)?), row.get(1)?));
            self.ids = db.rows(read, params![tenant], named)?;
            self.rows = rows;
        }
        Ok(self.ids.get(&key).cloned())
    }

    fn add(&mut self, name: &str, id: &str) {
        self.ids.insert(fold(name), id.to_owned());
        self.rows += 1;
    }
}

const LISTS: [&str; 2] = [
    "SELECT count(*) FROM lists WHERE tenant = ?1",
    "SELECT name, list_id FROM lists WHERE tenant = ?1",
];

const CAMPAIGNS: [&str; 2] = [
    "SELECT count(*) FROM campaigns WHERE tenant = ?1",
    "SELECT name, campaign_id FROM campaigns WHERE tenant = ?1",
];

impl NameLookup {
    /// Returns the id of a list that this import has looked up.
    pub(super) fn list_id(&self, name: &str) -> Option<String> {
        self.lists.ids.get(&fold(name)).cloned()
    }

    /// Puts a lead on a list. Returns whether it was not on it before.
    pub(super) fn put_on_list(
        &mut self,
        db: Db<'_>,
        writer: &ImportWriter,
        lead: i64,
        name: &str,
    ) -> Result<bool, StoreError> {
        let tenant = writer.tenant.0;
        let list_id = match self.lists.find(db, tenant, LISTS, name)? {
            Some(list_id) => list_id,
            None => {
                let list_id = format!("list_{}", Uuid::now_v7().simple());
                db.execute(
                    "INSERT INTO lists (tenant, list_id, name, created_at) VALUES (?1, ?2, ?3, ?4)",
                    params![tenant, list_id, name, writer.at],
                )?;
                self.lists.add(name, &list_id);
                list_id
            }
        };
        let item_id = format!("item_{}", Uuid::now_v7().simple());
        let added = db.execute(
            "INSERT INTO list_items (lead, tenant, list_id, item_id, added_at)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
            params![lead, tenant, list_id, item_id, writer.at],
        )?;
        Ok(added > 0)
    }

    /// Puts a lead into a campaign. Returns whether it was not in it before.
    pub(super) fn put_into_campaign(
        &mut self,
        db: Db<'_>,
        writer: &ImportWriter,
        lead: i64,
        name: &str,
    ) -> Result<bool, StoreError> {
        let tenant = writer.tenant;
        let campaign_id = match self.campaigns.find(db, tenant.0, CAMPAIGNS, name)? {
            Some(campaign_id) => campaign_id,
            None => {
                let campaign_id = format!("campaign_{}", Uuid::now_v7().simple());
                db.execute(
                    "INSERT INTO campaigns (tenant, campaign_id, name, status, created_at)
                     VALUES (?1, ?2, ?3, 'draft', ?4)",
                    params![tenant.0, campaign_id, name, writer.at],
                )?;
                self.campaigns.add(name, &campaign_id);
                campaign_id
            }
        };
        let sql =
            "SELECT 1 FROM campaign_leads WHERE tenant = ?1 AND lead = ?2 AND campaign_id = ?3";
        if db.exists(sql, params![tenant.0, lead, campaign_id])? {
            return Ok(false);
        }
        let row = CampaignLeadRow {
            campaign_id,
            campaign_lead_id: format!("campaign_lead_{}", Uuid::now_v7().simple()),
            lead_status: "pending",
            connection_accepted: false,
            message_replied: false,
            assigned_sender_name: None,
            created_at: writer.at.clone(),
        };
        insert_campaign_lead(db, tenant, lead, &row)?;
        let sql = "UPDATE leads SET campaign_lead_status = 'pending' WHERE tenant = ?1 AND id = ?2";
        db.execute(sql, params![tenant.0, lead])?;
        Ok(true)
    }
}
