//! The custom fields of workspaces, which are read from all their leads.
//!
//! They stay the same until a lead is added, changed or deleted; decisions, scores, lists and campaigns do not matter.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lead_workspace_api::LeadFields;
use lead_workspace_index::ChangeKind;

use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::index_host::IndexHost;
use crate::store::tenant::Tenant;

/// The fields of all workspaces. Clones share them.
#[derive(Clone)]
pub(in crate::store) struct FieldCache {
    host: IndexHost,
    workspaces: Arc<Mutex<HashMap<Tenant, OfWorkspace>>>,
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
            workspaces: Arc::default(),
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
        let of_workspace = Arc::clone(lock(&self.workspaces).entry(tenant).or_default());
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
            *found = Some(Found { version, fields });
        }
        Ok(fields)
    }

    /// Forgets workspaces.
    pub(in crate::store) fn retain(&self, is_kept: impl Fn(Tenant) -> bool) {
        lock(&self.workspaces).retain(|tenant, _| is_kept(*tenant));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
