//! The handle of an open database: reads, changes, and what is kept in memory for both.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::Notify;

use crate::lock::lock;
use crate::metrics::StoreMetrics;
use crate::store::caches::lead_cache::LeadCache;
use crate::store::caches::lead_fields::FieldCache;
use crate::store::caches::pages::Pages;
use crate::store::change_signals::ChangeSignals;
use crate::store::db::{Db, Touched};
use crate::store::engine::Engine;
use crate::store::error::StoreError;
use crate::store::health::Check;
use crate::store::index_host::{IndexHost, SavedColumns, feed};
use crate::store::keys::{self, Access, KeyUses};
use crate::store::postgres::Listener;
use crate::store::sqlite::lock::FolderLock;
use crate::store::sqlite::writer::WriteQueue;
use crate::store::tenant::Tenant;

/// A database that is open for reading and writing. Clones share it.
#[derive(Clone)]
pub struct Store(pub(super) Arc<Inner>);

pub(super) struct Inner {
    // Dropped in this order: the index is saved when the database no longer changes, and then the folder is released.
    pub(super) engine: Engine,
    pub(super) index: IndexHost,
    pub(super) pages: Pages,
    pub(super) lead_cache: LeadCache,
    pub(super) lead_fields: FieldCache,
    signals: ChangeSignals,
    key_uses: Mutex<KeyUses>,
    metrics: StoreMetrics,
    folder: Option<Folder>,
}

/// Whether lists may show any lead otherwise after a change, besides those that it notes.
#[derive(Clone, Copy)]
pub(crate) struct AnyLead(pub bool);

/// What a data folder has besides its database, or what the folder of a process on a shared database has.
pub(super) struct Folder {
    pub(super) dir: PathBuf,
    pub(super) saved: SavedColumns,
    pub(super) _lock: FolderLock,
}

impl Store {
    pub(super) fn new(
        folder: Option<Folder>,
        metrics: StoreMetrics,
        engine: Engine,
        index: IndexHost,
    ) -> Self {
        Self(Arc::new(Inner {
            engine,
            pages: Pages::new(index.clone()),
            lead_cache: LeadCache::new(index.changes().clone()),
            lead_fields: FieldCache::new(index.clone()),
            index,
            signals: ChangeSignals::default(),
            key_uses: Mutex::default(),
            metrics,
            folder,
        }))
    }

    /// Whether other processes may use the database at the same time.
    pub fn is_shared(&self) -> bool {
        matches!(self.0.engine, Engine::Postgres(_))
    }

    /// Returns the data folder, if there is one.
    pub fn dir(&self) -> Option<&Path> {
        let folder = self.folder().filter(|_| !self.is_shared());
        folder.map(|folder| &*folder.dir)
    }

    pub(super) fn folder(&self) -> Option<&Folder> {
        self.0.folder.as_ref()
    }

    /// Runs a change; the future resolves once the commit is on disk.
    ///
    /// Several changes may share one transaction. A failed change leaves no trace. If the
    /// future is dropped before the change has begun, it is not made; later, it is. On PostgreSQL, a change that conflicts with another is run again.
    ///
    /// It changes the version of all workspaces; see [`write_in`](Self::write_in).
    ///
    /// # Errors
    /// The error of the change itself, or the reason why the commit failed.
    pub async fn write<T: Send + 'static>(
        &self,
        change: impl Fn(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.change(None, change, |_| true).await
    }

    /// Like [`write`](Self::write), for a change that touches the data of one workspace only.
    ///
    /// # Errors
    /// Same as [`write`](Self::write), and [`StoreError::WorkspaceDeleted`] if the workspace is deleted, or
    /// being deleted.
    pub async fn write_in<T: Send + 'static>(
        &self,
        tenant: Tenant,
        change: impl Fn(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.change(Some(tenant), change, |_| true).await
    }

    /// Like [`write_in`](Self::write_in), for a change that knows whether lists may show any lead otherwise after it, or
    /// only those leads that it notes. It returns this with its value.
    pub(crate) async fn write_leads<T: Send + 'static>(
        &self,
        tenant: Tenant,
        change: impl Fn(Db<'_>) -> Result<(T, AnyLead), StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let changed = self.change(Some(tenant), change, |(_, any_lead)| any_lead.0);
        changed.await.map(|(value, _)| value)
    }

    async fn change<T: Send + 'static>(
        &self,
        tenant: Option<Tenant>,
        change: impl Fn(Db<'_>) -> Result<T, StoreError> + Send + 'static,
        any_lead: fn(&T) -> bool,
    ) -> Result<T, StoreError> {
        let noted = move |db: Db<'_>| {
            tenant.map_or(Ok(()), |tenant| tenant.refuse_deleted(db))?;
            let touched = Touched::default();
            #[cfg(debug_assertions)]
            feed::recorder::begin(db)?;
            let value = change(db.noting(&touched))?;
            #[cfg(debug_assertions)]
            feed::recorder::check(db, &touched)?;
            feed::record(&touched, db, tenant, any_lead(&value))?;
            Ok(value)
        };
        let changed = self.0.engine.write(tenant, noted).await?;
        self.0.signals.notify(tenant);
        self.0.engine.announce(tenant);
        Ok(changed)
    }

    /// Returns what is notified when a workspace may have changed. Changes of other processes are noticed while there is a
    /// [`Listener`], and only if they announce them.
    pub(crate) fn follow(&self, tenant: Tenant) -> Arc<Notify> {
        self.0.signals.follow(tenant)
    }

    /// Listens to the announcements of other processes, if there may be any.
    pub(crate) fn listen(&self) -> Option<Listener> {
        self.0.engine.listen(self.0.signals.clone())
    }

    /// Returns the changes that wait, for a change that can be short.
    pub(crate) fn write_queue(&self) -> WriteQueue {
        self.0.engine.write_queue()
    }

    /// Checks that the database can be read and written, and that the disk of a folder has space left.
    ///
    /// The checks need no key, so they are cheap: they run at most once per second, and not on the
    /// connections that serve reads.
    pub async fn health(&self) -> Vec<Check> {
        self.0.engine.health().await
    }

    pub(crate) fn metrics(&self) -> &StoreMetrics {
        &self.0.metrics
    }

    /// Like [`read`](Self::read), for one workspace. A workspace uses at most half of the
    /// connections, so that its reads do not block those of other workspaces.
    pub async fn read_in<T: Send + 'static>(
        &self,
        tenant: Tenant,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.0.engine.read(Some(tenant), read).await
    }

    /// Like [`read_in`](Self::read_in), but first tries `cached`, on PostgreSQL outside the transaction: each of its
    /// statements sees what was committed when that statement begins.
    pub(crate) async fn read_unless_cached<T: Send + 'static>(
        &self,
        tenant: Tenant,
        cached: impl FnOnce(Db<'_>) -> Result<Option<T>, StoreError> + Send + 'static,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let engine = &self.0.engine;
        engine.read_unless_cached(tenant, cached, read).await
    }

    /// Checks a key and its access to the requested workspace, by default the key's first.
    ///
    /// The lookup has its own connection, so it never waits for other reads. On PostgreSQL, a key is still valid for
    /// a second after another process has revoked it.
    pub async fn check_key(
        &self,
        key: &str,
        tenant_id: Option<&str>,
    ) -> Result<Access, StoreError> {
        let Some(key_id) = keys::key_id(key) else {
            return Ok(Access::NoKey);
        };
        let access = self.0.engine.check_key(key, tenant_id).await?;
        if let Access::Granted(_) = &access {
            self.key_uses().note(key_id, jiff::Timestamp::now());
        }
        Ok(access)
    }

    /// Takes requests of a workspace's limit per second, which all processes on a shared database have together.
    /// Returns how long to wait if there are not enough; a data folder has no such limit.
    pub(crate) async fn take_requests(
        &self,
        tenant: Tenant,
        requests: u32,
        per_second: u32,
    ) -> Result<Option<Duration>, StoreError> {
        match &self.0.engine {
            Engine::Sqlite(_) => Ok(None),
            Engine::Postgres(postgres) => {
                postgres.take_requests(tenant, requests, per_second).await
            }
        }
    }

    pub(super) fn key_uses(&self) -> MutexGuard<'_, KeyUses> {
        lock(&self.0.key_uses)
    }

    /// Counts the SQLite virtual machine steps of all later reads. What a read costs must not depend on the data of
    /// other workspaces, which a test shows with this count and without a clock.
    pub fn count_steps(&self) -> Arc<AtomicU64> {
        match &self.0.engine {
            Engine::Sqlite(sqlite) => sqlite.readers.count_steps(),
            Engine::Postgres(_) => Arc::default(),
        }
    }

    /// Runs a read on one consistent state of the database. Dropping the future interrupts it.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.0.engine.read(None, read).await
    }

    /// Number of changes, or groups of them, tried since the database was opened. While it stays the same, this
    /// process has changed nothing.
    pub fn version(&self) -> u64 {
        self.0.engine.version()
    }

    /// Returns how often a read has used a column in memory since the folder was opened.
    pub fn column_uses(&self) -> u64 {
        self.0.index.uses()
    }

    /// Returns the host of the index, for reads.
    pub(crate) fn index(&self) -> IndexHost {
        self.0.index.clone()
    }
}
