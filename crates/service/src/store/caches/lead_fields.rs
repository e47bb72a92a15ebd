//! The custom fields of workspaces, which are read from all their leads.
//!
//! They stay the same until a lead is added, changed or deleted; decisions, scores, lists and campaigns do not matter.

use std::sync::{Arc, Mutex};

use lead_workspace_api::LeadFields;
use lead_workspace_index::ChangeKind;

use super::sized_cache::SizedCache;
use crate::lock::lock;
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::index_host::IndexHost;
use crate::store::tenant::Tenant;

/// Memory for the fields of all workspaces, in bytes.
const BUDGET: usize = 4 << 20;

/// Memory for a workspace, and for a field besides its key, approximately.
const OVERHEAD: usize = 160;

/// The fields of all workspaces, as far as they fit. Clones share them.
#[derive(Clone)]
pub(in crate::store) struct FieldCache {
    host: IndexHost,
    workspaces: Arc<Mutex<SizedCache<Tenant, OfWorkspace>>>,
}

/// The fields of a workspace, if they are known. Locked while they are read.
type OfWorkspace = Arc<Mutex<Option<Found>>>;

struct Found {
    /// A version of the workspace at which these are the fields.
    version: i64,
    fields: LeadFields,
}

impl FieldCache {
    pub(in crate::store) fn new(host: IndexHost) -> Self {
        Self {
            host,
            workspaces: Arc::new(Mutex::new(SizedCache::of(BUDGET))),
        }
    }

    /// Returns the fields of a workspace. They are read by one read at a time; others wait for it.
    pub(in crate::store) fn of(
        &self,
        db: Db<'_>,
        tenant: Tenant,
        read: impl FnOnce(Db<'_>, Tenant) -> Result<LeadFields, StoreError>,
    ) -> Result<LeadFields, StoreError> {
        let version = self.host.version(db, tenant)?;
        let of_workspace = self.workspace(tenant);
        let mut found = lock(&of_workspace);
        if let Some(found) = &mut *found {
            let changes = self.host.changes();
            let changed = changes.between(tenant, found.version, version, ChangeKind::LEAD);
            if changed.is_some_and(|rows| rows.is_empty()) {
                found.version = found.version.max(version);
                return Ok(found.fields.clone());
            }
        }
        let fields = read(db, tenant)?;
        if found.as_ref().is_none_or(|found| found.version < version) {
            let fields = fields.clone();
            let bytes = size(&fields);
            *found = Some(Found { version, fields });
            lock(&self.workspaces).put(tenant, Arc::clone(&of_workspace), bytes);
        }
        Ok(fields)
    }

    fn workspace(&self, tenant: Tenant) -> OfWorkspace {
        let mut workspaces = lock(&self.workspaces);
        if let Some(known) = workspaces.get(&tenant) {
            return Arc::clone(known);
        }
        let new = OfWorkspace::default();
        workspaces.put(tenant, Arc::clone(&new), OVERHEAD);
        new
    }

    /// Forgets workspaces.
    pub(in crate::store) fn retain(&self, is_kept: impl Fn(Tenant) -> bool) {
        lock(&self.workspaces).retain(|tenant| is_kept(*tenant));
    }
}

fn size(fields: &LeadFields) -> usize {
    let keys = fields.fields.iter().flatten().map(|field| &field.key);
    keys.fold(OVERHEAD, |bytes, key| {
        bytes + OVERHEAD + key.as_ref().map_or(0, String::len)
    })
}

#[cfg(test)]
mod tests {
    use lead_workspace_api::CustomField;

    use super::*;
    use crate::store::handle::Store;

    /// The fields of a workspace whose only key takes most of the memory.
    fn large() -> LeadFields {
        let field = CustomField {
            key: Some("k".repeat(BUDGET / 2)),
            ..CustomField::default()
        };
        LeadFields {
            fields: Some(vec![field]),
        }
    }

    #[tokio::test]
    async fn the_fields_that_were_not_used_for_longest_are_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let cache = store.0.lead_fields.clone();
        let read = move |db: Db<'_>| {
            let mut reads = Vec::new();
            for tenant in [1, 1, 2, 2, 1] {
                cache.of(db, Tenant(tenant), |_, Tenant(tenant)| {
                    reads.push(tenant);
                    Ok(large())
                })?;
            }
            Ok(reads)
        };
        assert_eq!(store.read(read).await.unwrap(), [1, 2, 1]);
    }
}
