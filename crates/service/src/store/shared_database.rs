//! A database that a command opens for a short change, while services may be using it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, TransactionBehavior};

use crate::metrics::StoreMetrics;
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::postgres::{Pool, Target};
use crate::store::sqlite::open::{open_shared, open_shared_or_new};

/// Its functions block. The data folder is not locked; changes are as durable as those of the service.
pub struct SharedDatabase(Kind);

enum Kind {
    Folder(PathBuf, Connection),
    Postgres(Arc<Pool>),
}

impl SharedDatabase {
    /// Opens a data folder. A folder of an older version is migrated first.
    ///
    /// # Errors
    /// When there is no workspace; an older folder cannot be migrated while it is in use.
    pub fn of_folder(dir: &Path) -> Result<Self, StoreError> {
        let connection = open_shared(dir)?;
        Ok(Self(Kind::Folder(dir.to_owned(), connection)))
    }

    /// Like [`of_folder`](Self::of_folder), and creates the folder if it is new.
    ///
    /// # Errors
    /// Same as [`of_folder`](Self::of_folder).
    pub fn of_folder_or_new(dir: &Path) -> Result<Self, StoreError> {
        let connection = open_shared_or_new(dir)?;
        Ok(Self(Kind::Folder(dir.to_owned(), connection)))
    }

    /// Connects to a PostgreSQL database. One of an older version is migrated first.
    ///
    /// # Errors
    /// See [`Store::open_database`](crate::store::handle::Store::open_database).
    pub fn of_server(target: Target) -> Result<Self, StoreError> {
        Pool::open(target).map(|pool| Self::of_pool(Arc::new(pool)))
    }

    /// Uses the connections of a service.
    pub(super) fn of_pool(pool: Arc<Pool>) -> Self {
        Self(Kind::Postgres(pool))
    }

    /// Runs a read on one consistent state of the database.
    ///
    /// # Errors
    /// Those of the read.
    pub fn read<T, E: From<StoreError>>(
        &self,
        read: impl FnOnce(Db<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        match &self.0 {
            Kind::Folder(_, connection) => {
                let transaction = connection.unchecked_transaction();
                let transaction = transaction.map_err(StoreError::from)?;
                let value = read(Db::from(&*transaction))?;
                transaction.commit().map_err(StoreError::from)?;
                Ok(value)
            }
            Kind::Postgres(pool) => pool.read(&Arc::default(), read),
        }
    }

    /// Runs a change in a transaction. On PostgreSQL, one that conflicts with another is run again.
    ///
    /// # Errors
    /// Those of the change, which then leaves no trace, and of the commit.
    pub fn change<T>(
        &mut self,
        change: impl Fn(Db<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match &mut self.0 {
            Kind::Folder(_, connection) => {
                // Immediate, because a service may be about to write.
                let transaction =
                    connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let value = change(Db::from(&*transaction))?;
                transaction.commit()?;
                Ok(value)
            }
            Kind::Postgres(pool) => pool.write(&StoreMetrics::new(), change),
        }
    }

    /// Runs changes that keep references intact themselves. SQLite need not check them.
    pub(super) fn without_reference_checks<T>(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.check_references(false)?;
        let result = run(self);
        self.check_references(true)?;
        result
    }

    fn check_references(&self, check: bool) -> Result<(), StoreError> {
        match &self.0 {
            Kind::Folder(_, connection) => {
                Ok(connection.pragma_update(None, "foreign_keys", check)?)
            }
            Kind::Postgres(_) => Ok(()),
        }
    }

    /// Returns the data folder, if there is one.
    pub(super) fn folder(&self) -> Option<&Path> {
        match &self.0 {
            Kind::Folder(dir, _) => Some(dir),
            Kind::Postgres(_) => None,
        }
    }
}
