//! The custom fields of a workspace.

use lead_workspace_api::LeadFields;
use lead_workspace_index::CustomKeys;
use lead_workspace_logic::custom::Summaries;
use rusqlite::types::ValueRef as Stored;

use crate::store::custom_keys;
use crate::store::db::{Db, params};
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::tenant::Tenant;

impl Store {
    /// Returns the keys of the fields that can be queried, if they are needed.
    pub(super) async fn custom_keys(
        &self,
        tenant: Tenant,
        are_needed: bool,
    ) -> Result<CustomKeys, StoreError> {
        match are_needed {
            true => {
                self.read_in(tenant, move |db| custom_keys::of(db, tenant))
                    .await
            }
            false => Ok(CustomKeys::default()),
        }
    }

    /// Returns the fields that any lead has a value of.
    pub async fn lead_fields(&self, tenant: Tenant) -> Result<LeadFields, StoreError> {
        let fields = self.0.lead_fields.clone();
        self.read_in(tenant, move |db| fields.of(db, tenant, read))
            .await
    }
}

/// Reads all values of a workspace.
fn read(db: Db<'_>, tenant: Tenant) -> Result<LeadFields, StoreError> {
    let keys = custom_keys::of(db, tenant)?;
    let mut summaries = Summaries::new(keys.iter().map(|(key, _)| key));
    let sql = "SELECT custom_data FROM leads WHERE tenant = ?1 AND custom_data IS NOT NULL";
    db.each(sql, params![tenant.0], |row| {
        if let Stored::Text(json) = row.value(0)? {
            summaries.add(&String::from_utf8_lossy(json));
        }
        Ok::<_, StoreError>(())
    })?;
    Ok(summaries.fields())
}
