//! What a service does with its database now and then.

pub mod backup;
pub mod doctor;
pub mod transfer;
pub mod workspaces;

use std::collections::HashSet;
use std::time::Duration;

use crate::store::db::{AcrossWorkspaces, Db, On, params};
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::index_host::{IndexHost, feed};
use crate::store::tenant::Tenant;
use crate::store::usage::{self, Usage};

/// Leads from which the columns of a workspace are read before a read needs them. Those of a smaller one are read in
/// milliseconds.
const LARGE: i64 = 5_000;

/// How long the metrics wait for the number of jobs.
const JOBS_TIMEOUT: Duration = Duration::from_secs(2);

impl Store {
    /// Like [`write`](Self::write), for a change that no query of a workspace sees: it changes no
    /// version.
    pub(super) async fn maintain<T: Send + 'static>(
        &self,
        change: impl Fn(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.0.engine.write(None, change).await
    }

    /// Measures what the database uses, as far as it can be measured.
    pub(crate) async fn usage(&self) -> Result<Usage, StoreError> {
        let now = jiff::Timestamp::now();
        let jobs = self.read(move |db| usage::jobs(db, now));
        // Many reads may be waiting: the rest must be known then above all.
        let jobs = tokio::time::timeout(JOBS_TIMEOUT, jobs).await;
        let jobs = jobs.ok().and_then(Result::ok);
        let store = self.clone();
        let measured = tokio::task::spawn_blocking(move || store.0.engine.usage(jobs));
        measured.await.map_err(|_| StoreError::Panicked)
    }

    /// Writes when keys were last used, if any was since the last call. Call it once a minute and at
    /// the end.
    ///
    /// # Errors
    /// When it could not be written; these uses are then forgotten.
    pub async fn save_key_uses(&self) -> Result<(), StoreError> {
        let uses = self.key_uses().take();
        if uses.is_empty() {
            return Ok(());
        }
        self.maintain(move |db| uses.write(db)).await
    }

    /// Deletes the entries of the feed that no read needs any more. Call it now and then.
    ///
    /// # Errors
    /// Those of the change.
    pub async fn prune_changes(&self) -> Result<(), StoreError> {
        self.maintain(feed::prune).await
    }

    /// Saves the columns for the next start, if there is a folder for them, and if the last file is far behind.
    ///
    /// # Errors
    /// When the file cannot be written. The next start then reads them from the database.
    pub async fn save_columns(&self) -> Result<(), StoreError> {
        let store = self.clone();
        let saved = tokio::task::spawn_blocking(move || match store.folder() {
            Some(folder) => folder.saved.save_if_behind(),
            None => Ok(()),
        });
        saved.await.map_err(|_| StoreError::Panicked)?
    }

    /// Drops what is in memory of deleted workspaces, which a command next to the service may have
    /// deleted. Call it now and then.
    ///
    /// # Errors
    /// Those of the read.
    pub async fn forget_deleted(&self) -> Result<(), StoreError> {
        let kept: HashSet<Tenant> = self.read(Tenant::all).await?;
        let is_kept = |tenant| kept.contains(&tenant);
        self.0.index.retain(is_kept);
        self.0.pages.retain(is_kept);
        self.0.lead_cache.retain(is_kept);
        self.0.lead_fields.retain(is_kept);
        Ok(())
    }

    /// Limits the memory that SQLite may use in the whole process. A statement that exceeds the
    /// limit fails; others continue.
    pub async fn limit_memory(&self, bytes: u64) -> Result<(), StoreError> {
        let limit = format!("PRAGMA hard_heap_limit = {bytes}");
        self.read(move |db| match db.on {
            On::Sqlite(connection) => Ok(connection.query_row(&limit, [], |_| Ok(()))?),
            On::Postgres(_) => Ok(()),
        })
        .await
    }

    /// Reads the columns of large workspaces before a read needs them. Not from a shared database, whose workspaces other
    /// processes may serve.
    ///
    /// # Errors
    /// Those of the reads.
    pub async fn warm_up(&self) -> Result<(), StoreError> {
        if self.is_shared() {
            return Ok(());
        }
        let tenants = self.read(|db| {
            let sql =
                AcrossWorkspaces("SELECT tenant FROM leads GROUP BY tenant HAVING count(*) >= ?1");
            db.rows(sql, params![LARGE], |row| Ok(Tenant(row.get(0)?)))
        });
        let tenants: Vec<Tenant> = tenants.await?;
        for tenant in tenants {
            self.load_columns_of(tenant).await?;
        }
        Ok(())
    }

    async fn load_columns_of(&self, tenant: Tenant) -> Result<(), StoreError> {
        for group in IndexHost::groups() {
            let columns = self.index();
            if columns.has_room() {
                let read = move |db: Db<'_>| columns.read(db, tenant, group).map(drop);
                self.read_in(tenant, read).await?;
            }
        }
        Ok(())
    }

    /// Reads all columns of all workspaces into memory. For tests.
    ///
    /// # Errors
    /// Those of the reads.
    pub async fn load_columns(&self) -> Result<(), StoreError> {
        let tenants: Vec<Tenant> = self.read(Tenant::all).await?;
        for tenant in tenants {
            self.load_columns_of(tenant).await?;
        }
        Ok(())
    }
}
