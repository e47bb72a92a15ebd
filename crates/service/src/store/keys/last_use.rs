//! When keys were last used: noted in memory by each request, and written now and then.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::store::db::{Db, params};
use crate::store::error::StoreError;
use crate::time::iso;

/// The uses of keys since the last write.
#[derive(Debug, Default)]
pub(in crate::store) struct KeyUses(BTreeMap<String, Timestamp>);

impl KeyUses {
    pub(in crate::store) fn note(&mut self, key_id: &str, at: Timestamp) {
        match self.0.get_mut(key_id) {
            Some(last) => *last = at,
            None => _ = self.0.insert(key_id.to_owned(), at),
        }
    }

    pub(in crate::store) fn take(&mut self) -> Self {
        std::mem::take(self)
    }

    pub(in crate::store) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::store) fn write(&self, db: Db<'_>) -> Result<(), StoreError> {
        // Another process may know of a later use.
        let sql = "UPDATE api_keys SET last_used_at = ?2
                   WHERE key_id = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)";
        for (key_id, at) in &self.0 {
            db.execute(sql, params![key_id, iso(*at)])?;
        }
        Ok(())
    }
}
