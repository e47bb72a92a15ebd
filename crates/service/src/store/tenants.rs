//! What the database knows of a workspace.

use crate::store::db::{Db, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;
use crate::time::now;

/// The workspace created on first start.
pub const DEFAULT_TENANT_ID: &str = "default";

/// The lock of a workspace ("LdW" in the first bytes, its number in the others).
const LOCK: i64 = 0x4C64_5700_0000_0000;

/// Maximum length of a workspace id, in bytes.
const MAX_ID_BYTES: usize = 200;

impl Tenant {
    pub fn find(db: Db<'_>, tenant_id: &str) -> Result<Option<Self>, StoreError> {
        let sql = "SELECT tenant FROM tenants WHERE tenant_id = ?1";
        db.row(sql, params![tenant_id], |row| row.get(0).map(Self))
    }

    /// Returns the workspaces that are not deleted, oldest first.
    pub(super) fn all<C: FromIterator<Self>>(db: Db<'_>) -> Result<C, StoreError> {
        let sql = "SELECT tenant FROM tenants WHERE deleted_at IS NULL ORDER BY tenant";
        db.rows(sql, &[], |row| row.get(0).map(Self))
    }

    pub fn id(self, db: Db<'_>) -> Result<String, StoreError> {
        let sql = "SELECT tenant_id FROM tenants WHERE tenant = ?1";
        db.value(sql, params![self.0])
    }

    /// Returns the workspace created on first start.
    pub fn default_of(db: Db<'_>) -> Result<Self, StoreError> {
        Self::find(db, DEFAULT_TENANT_ID)?
            .ok_or_else(|| StoreError::Unexpected("the default workspace is missing".into()))
    }

    /// Returns the workspace with this id, and creates it if it is missing.
    ///
    /// # Errors
    /// When the id of a new workspace cannot be sent in the header `x-tenant-id`.
    pub fn ensure(db: Db<'_>, tenant_id: &str) -> Result<Self, StoreError> {
        if let Some(known) = Self::find(db, tenant_id)? {
            return Ok(known);
        }
        check_id(tenant_id, "created")?;
        let sql = "INSERT INTO tenants (tenant_id, name, created_at) VALUES (?1, ?1, ?2)
                   ON CONFLICT (tenant_id) DO NOTHING RETURNING tenant";
        let created = db.row(sql, params![tenant_id, now()], |row| row.get(0).map(Self))?;
        // Otherwise another process has just created it.
        let found = created.map_or_else(|| Self::find(db, tenant_id), |tenant| Ok(Some(tenant)))?;
        found.ok_or_else(|| StoreError::Unexpected(format!("the workspace {tenant_id:?}")))
    }

    /// Waits for other changes that call this for the workspace, and keeps them waiting until this change has ended. For
    /// changes that look for something and create what they did not find. SQLite runs one change at a time anyway.
    pub(crate) fn lock(self, db: Db<'_>) -> Result<(), StoreError> {
        // Not a row of `tenants`: on a distributed database, that would keep all workspaces waiting.
        db.lock_until_end(LOCK | self.0)
    }

    /// Refuses a change of a workspace that is deleted, or being deleted.
    pub(crate) fn refuse_deleted(self, db: Db<'_>) -> Result<(), StoreError> {
        let sql = "SELECT 1 FROM tenants WHERE tenant = ?1 AND deleted_at IS NULL";
        match db.exists(sql, params![self.0])? {
            true => Ok(()),
            false => Err(StoreError::WorkspaceDeleted),
        }
    }
}

/// Refuses an id that the header x-tenant-id cannot carry. `what` says what was not done.
pub(super) fn check_id(tenant_id: &str, what: &str) -> Result<(), StoreError> {
    if can_be_named(tenant_id) {
        return Ok(());
    }
    Err(StoreError::Refused(format!(
        "{tenant_id:?} is not a valid workspace id: requests send it in the header x-tenant-id. \
         Nothing was {what}. Use 1 to {MAX_ID_BYTES} ASCII letters, digits or symbols, without leading \
         or trailing spaces, and not \"null\""
    )))
}

/// Returns whether the header x-tenant-id can carry an id: white space at its ends is trimmed, and
/// an empty value or "null" means the key's first workspace.
fn can_be_named(tenant_id: &str) -> bool {
    let is_allowed = |byte| byte == b' ' || u8::is_ascii_graphic(&byte);
    (1..=MAX_ID_BYTES).contains(&tenant_id.len())
        && tenant_id.bytes().all(is_allowed)
        && tenant_id.trim() == tenant_id
        && tenant_id != "null"
}

pub(super) fn ensure_default(db: Db<'_>) -> Result<(), StoreError> {
    Tenant::ensure(db, DEFAULT_TENANT_ID).map(drop)
}

#[cfg(test)]
mod tests {
    use super::Tenant;
    use crate::store::error::StoreError;
    use crate::store::handle::Store;

    #[tokio::test]
    async fn a_workspace_with_an_invalid_name_is_not_created() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let long = "x".repeat(201);
        for id in ["", "null", " a", "a ", "Zoë", "a\nb", "a\u{7f}", &long] {
            let id = id.to_owned();
            let error = store.write(move |db| Tenant::ensure(db, &id)).await;
            let error = error.unwrap_err();
            assert!(matches!(error, StoreError::Refused(_)), "{error}");
            assert!(error.to_string().contains("Nothing was created"), "{error}");
        }
        for id in ["sales", "Team 4 (DACH)", "default"] {
            let created = store.write(move |db| Tenant::ensure(db, id));
            created.await.unwrap();
        }
    }
}
