//! Workspaces.

use rusqlite::{Connection, OptionalExtension, params};

use super::StoreError;
use crate::time::now;

/// The workspace that is made at the first start.
pub const DEFAULT_TENANT_ID: &str = "default";

/// A workspace, by its internal number. Every statement on a workspace's data takes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tenant(pub(crate) i64);

impl Tenant {
    /// The workspace with this id, if there is one.
    ///
    /// # Errors
    /// Those of the database.
    pub fn find(connection: &Connection, tenant_id: &str) -> Result<Option<Self>, StoreError> {
        let number = connection
            .prepare_cached("SELECT tenant FROM tenants WHERE tenant_id = ?1")?
            .query_row([tenant_id], |row| row.get(0))
            .optional()?;
        Ok(number.map(Self))
    }

    /// The id of this workspace.
    ///
    /// # Errors
    /// Those of the database.
    pub fn id(self, connection: &Connection) -> Result<String, StoreError> {
        let id = connection
            .prepare_cached("SELECT tenant_id FROM tenants WHERE tenant = ?1")?
            .query_row([self.0], |row| row.get(0))?;
        Ok(id)
    }

    /// The workspace that is made at the first start.
    ///
    /// # Errors
    /// Those of the database.
    pub fn default_of(connection: &Connection) -> Result<Self, StoreError> {
        Self::find(connection, DEFAULT_TENANT_ID)?
            .ok_or_else(|| StoreError::Unexpected("the default workspace is missing".into()))
    }

    /// The workspace with this id, made where it is missing.
    ///
    /// # Errors
    /// Those of the database.
    pub fn ensure(connection: &Connection, tenant_id: &str) -> Result<Self, StoreError> {
        connection.execute(
            "INSERT INTO tenants (tenant_id, name, created_at) VALUES (?1, ?1, ?2)
             ON CONFLICT DO NOTHING",
            params![tenant_id, now()],
        )?;
        Self::find(connection, tenant_id)?
            .ok_or_else(|| StoreError::Unexpected(format!("workspace {tenant_id} is missing")))
    }
}

/// Makes the default workspace where it is missing.
pub(super) fn ensure_default(connection: &Connection) -> Result<(), StoreError> {
    Tenant::ensure(connection, DEFAULT_TENANT_ID).map(drop)
}
