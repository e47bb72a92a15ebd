//! Lists and campaigns by name, created if they are missing.

use std::collections::HashMap;

use uuid::Uuid;

use super::ImportWriter;
use crate::store::StoreError;
use crate::store::db::{Db, Row, params};
use lead_workspace_logic::fold;

/// The lists and campaigns of a workspace that this import has looked up.
#[derive(Clone, Default)]
pub(in crate::import) struct NameLookup {
    lists: IdsByName,
    campaigns: IdsByName,
}

#[derive(Clone, Default)]
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
    pub(in crate::import) fn list_id(&self, name: &str) -> Option<String> {
        self.lists.ids.get(&fold(name)).cloned()
    }

    /// Returns the id of a list, and creates the list if it is missing.
    pub(super) fn list(
        &mut self,
        db: Db<'_>,
        writer: &ImportWriter,
        name: &str,
    ) -> Result<String, StoreError> {
        let tenant = writer.tenant.0;
        if let Some(list_id) = self.lists.find(db, tenant, LISTS, name)? {
            return Ok(list_id);
        }
        let list_id = format!("list_{}", Uuid::now_v7().simple());
        db.execute(
            "INSERT INTO lists (tenant, list_id, name, created_at) VALUES (?1, ?2, ?3, ?4)",
            params![tenant, list_id, name, writer.at],
        )?;
        self.lists.add(name, &list_id);
        Ok(list_id)
    }

    /// Returns the id of a campaign, and creates the campaign if it is missing.
    pub(super) fn campaign(
        &mut self,
        db: Db<'_>,
        writer: &ImportWriter,
        name: &str,
    ) -> Result<String, StoreError> {
        let tenant = writer.tenant.0;
        if let Some(campaign_id) = self.campaigns.find(db, tenant, CAMPAIGNS, name)? {
            return Ok(campaign_id);
        }
        let campaign_id = format!("campaign_{}", Uuid::now_v7().simple());
        db.execute(
            "INSERT INTO campaigns (tenant, campaign_id, name, status, created_at)
             VALUES (?1, ?2, ?3, 'draft', ?4)",
            params![tenant, campaign_id, name, writer.at],
        )?;
        self.campaigns.add(name, &campaign_id);
        Ok(campaign_id)
    }
}
