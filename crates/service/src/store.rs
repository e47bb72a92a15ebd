//! The data folder: one SQLite file, one writer thread and read-only connections.
//!
//! Every write is durable when its future resolves: SQLite runs with `synchronous=FULL` in WAL
//! mode. Concurrent writes share one commit.

mod accounts;
pub mod audit;
pub mod backup;
mod columns;
pub(crate) mod counts;
pub(crate) mod db;
pub(crate) mod disk;
pub mod doctor;
mod encoded;
mod error;
mod facets;
mod filter;
mod functions;
mod health;
pub(crate) mod import_jobs;
pub(crate) mod insert;
pub mod job_queue;
mod jobs;
pub mod keys;
mod lead_cache;
mod lead_query;
mod leads;
pub(crate) mod lock;
mod open;
mod pages;
mod permissions;
#[cfg(test)]
mod postgres;
mod pulse;
mod readers;
mod row_set;
mod schema;
mod search;
mod sized_cache;
mod sorted_page;
mod sql;
mod tenant;
mod usage;
mod versions;
mod wal;
pub mod workspaces;
mod writer;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

pub use db::Db;
pub use encoded::Encoded;
pub use error::StoreError;
pub use facets::facet_counts::FacetsOfView;
pub use facets::facet_search::FacetField;
pub use filter::Filters;
pub use health::{Check, Checks};
pub use open::{open_shared, open_shared_or_new};
pub(crate) use schema::index_statements;
pub use schema::{create_indexes, drop_indexes};
pub use tenant::{DEFAULT_TENANT_ID, Tenant};
pub(crate) use usage::Usage;

use columns::{Changes, Columns, Loader, Saved, SavedColumns};
use health::Health;
use keys::{Access, KeyUses};
use lead_cache::LeadCache;
use lock::FolderLock;
use pages::Pages;
use readers::Readers;
use wal::WriteAheadLog;
use writer::{WriteQueue, Writer};

use crate::metrics::StoreMetrics;

/// File name of the database in a data folder.
pub const DATABASE_FILE: &str = "workspace.db";

/// How long the metrics wait for the number of jobs.
const JOBS_TIMEOUT: Duration = Duration::from_secs(2);

/// A data folder that is open for reading and writing. Clones share it.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    dir: PathBuf,
    /// Loads `columns`; its connection closes first.
    _loader: Loader,
    columns: Columns,
    // Drop order matters: first the readers close, then the writer finishes its queue and, as the
    // last connection, lets SQLite remove the WAL files. The lock is released last.
    readers: Readers,
    keys: Mutex<KeyLookup>,
    writer: Writer,
    /// Saves the columns when the file no longer changes.
    _saved: SavedColumns,
    pages: Pages,
    lead_cache: LeadCache,
    health: Health,
    metrics: StoreMetrics,
    _lock: FolderLock,
}

/// The connection for key lookups, and what they found.
struct KeyLookup {
    connection: Connection,
    uses: KeyUses,
}

impl Store {
    /// Opens the data folder and locks it against other processes until the last clone is dropped.
    ///
    /// Creates the folder, the database and the default workspace if they are missing, and ends
    /// imports that an earlier process left open.
    ///
    /// # Errors
    /// When another process holds the folder, the database cannot be read or written, or a newer
    /// version of the program wrote it.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        open::make_folder(dir)?;
        let lock = FolderLock::take(dir)?;
        let path = dir.join(DATABASE_FILE);
        let saved = Saved::find(dir);
        let mut connection = open::writable(&path)?;
        permissions::restrict_to_owner(dir);
        if let Err(error) = import_jobs::end_interrupted(&mut connection) {
            // The next opening tries again. Until then the existing data is usable.
            tracing::warn!(%error, "could not finish an interrupted import");
        }
        let changes = Changes::default();
        changes.record(&connection)?;
        let columns = Columns::new(changes.clone());
        let metrics = StoreMetrics::new();
        if let Some(saved) = saved {
            saved.take(&columns, &connection);
        }
        let readers = Readers::open(&path, metrics.clone())?;
        let keys = Mutex::new(KeyLookup {
            connection: open::for_keys(&path)?,
            uses: KeyUses::default(),
        });
        Ok(Self(Arc::new(Inner {
            dir: dir.to_owned(),
            _loader: Loader::start(&path, &columns)?,
            _saved: SavedColumns::at_end(dir, &columns),
            pages: Pages::new(columns.clone()),
            lead_cache: LeadCache::new(changes),
            columns,
            writer: Writer::start(connection, WriteAheadLog::new(&path), metrics.clone())?,
            readers,
            keys,
            health: Health::new(path),
            metrics,
            _lock: lock,
        })))
    }

    pub fn dir(&self) -> &Path {
        &self.0.dir
    }

    /// Runs a change in a savepoint; the future resolves once the commit is on disk.
    ///
    /// Several changes may share one transaction. A failed change leaves no trace. Dropping the
    /// future does not cancel the change.
    ///
    /// It changes the version of all workspaces; see [`write_in`](Self::write_in).
    ///
    /// # Errors
    /// The error of the change itself, or the reason why the commit failed.
    pub async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.change(None, change, |_| None).await
    }

    /// Like [`write`](Self::write), for a change that touches the data of one workspace only.
    ///
    /// # Errors
    /// Same as [`write`](Self::write), and [`StoreError::WorkspaceDeleted`] if the workspace is deleted, or
    /// being deleted.
    pub async fn write_in<T: Send + 'static>(
        &self,
        tenant: Tenant,
        change: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.change(Some(tenant), change, |_| None).await
    }

    /// Like [`write_in`](Self::write_in), for a change that knows which leads lists show otherwise after it. It
    /// returns their row numbers with its value, or `None` for any lead. New leads, and those whose status
    /// changes, need not be among them.
    pub(crate) async fn write_leads<T: Send + 'static>(
        &self,
        tenant: Tenant,
        change: impl FnOnce(Db<'_>) -> Result<(T, Option<Vec<i64>>), StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let changed = self.change(Some(tenant), change, |(_, leads)| leads.as_deref());
        changed.await.map(|(value, _)| value)
    }

    async fn change<T: Send + 'static>(
        &self,
        tenant: Option<Tenant>,
        change: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
        changed: fn(&T) -> Option<&[i64]>,
    ) -> Result<T, StoreError> {
        let columns = self.columns();
        let noted = move |connection: &Connection| {
            let db = Db::from(connection);
            tenant.map_or(Ok(()), |tenant| tenant.refuse_deleted(db))?;
            columns.changes().begin();
            let value = change(db)?;
            for (tenant, version) in versions::record_change(db, tenant)? {
                let leads = changed(&value);
                columns.changes().assign(tenant, version, leads);
            }
            Ok(value)
        };
        self.0.writer.run(noted).await
    }

    /// Returns the changes that wait, for a change that can be short.
    pub(crate) fn write_queue(&self) -> WriteQueue {
        self.0.writer.queue()
    }

    /// Like [`write`](Self::write), for a change that no query of a workspace sees: it changes no
    /// version.
    async fn maintain<T: Send + 'static>(
        &self,
        change: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.0
            .writer
            .run(move |connection| change(connection.into()))
            .await
    }

    /// Checks that the folder can be read and written, and that its disk has space left.
    ///
    /// The checks need no key, so they are cheap: they run at most once per second, and not on the
    /// connections that serve reads.
    pub async fn health(&self) -> Checks {
        self.0.health.check(&self.0.writer).await
    }

    pub(crate) fn metrics(&self) -> &StoreMetrics {
        &self.0.metrics
    }

    /// Measures what the folder uses, as far as it can be measured.
    pub(crate) async fn usage(&self) -> Result<Usage, StoreError> {
        let now = jiff::Timestamp::now();
        let jobs = self.read(move |db| usage::jobs(db, now));
        // Many reads may be waiting: the rest must be known then above all.
        let jobs = tokio::time::timeout(JOBS_TIMEOUT, jobs).await;
        let jobs = jobs.ok().and_then(Result::ok);
        let store = self.clone();
        let measured = tokio::task::spawn_blocking(move || {
            let database = store.dir().join(DATABASE_FILE);
            let wal = wal::file(&database);
            Usage::of_files(&database, &wal, &store.0.writer, jobs)
        });
        measured.await.map_err(|_| StoreError::Panicked)
    }

    /// Like [`read`](Self::read), for one workspace. A workspace uses at most half of the
    /// connections, so that its reads do not block those of other workspaces.
    pub async fn read_in<T: Send + 'static>(
        &self,
        tenant: Tenant,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.0
            .readers
            .run_in(tenant, move |connection| read(connection.into()))
            .await
    }

    /// Checks a key and its access to the requested workspace, by default the key's first.
    ///
    /// The lookup takes microseconds and has its own connection, so it never waits for other reads.
    pub fn check_key(&self, key: &str, tenant_id: Option<&str>) -> Result<Access, StoreError> {
        if keys::key_id(key).is_none() {
            return Ok(Access::NoKey);
        }
        let mut lookup = self.key_lookup();
        let access = keys::check((&lookup.connection).into(), key, tenant_id)?;
        if let (Access::Granted(_), Some(key_id)) = (&access, keys::key_id(key)) {
            lookup.uses.note(key_id, jiff::Timestamp::now());
        }
        Ok(access)
    }

    fn key_lookup(&self) -> MutexGuard<'_, KeyLookup> {
        self.0.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes when keys were last used, if any was since the last call. Call it once a minute and at
    /// the end.
    ///
    /// # Errors
    /// When it could not be written; these uses are then forgotten.
    pub async fn save_key_uses(&self) -> Result<(), StoreError> {
        let uses = self.key_lookup().uses.take();
        if uses.is_empty() {
            return Ok(());
        }
        self.maintain(move |db| uses.write(db)).await
    }

    /// Drops what is in memory of deleted workspaces, which a command next to the service may have
    /// deleted. Call it now and then.
    ///
    /// # Errors
    /// Those of the read.
    pub async fn forget_deleted(&self) -> Result<(), StoreError> {
        let kept: HashSet<Tenant> = self.read(Tenant::all).await?;
        let is_kept = |tenant| kept.contains(&tenant);
        self.0.columns.retain(is_kept);
        self.0.pages.retain(is_kept);
        self.0.lead_cache.retain(is_kept);
        Ok(())
    }

    /// Limits the memory that SQLite may use in the whole process. A statement that exceeds the
    /// limit fails; others continue.
    pub async fn limit_memory(&self, bytes: u64) -> Result<(), StoreError> {
        let limit = format!("PRAGMA hard_heap_limit = {bytes}");
        self.read(move |db| Ok(db.sqlite().query_row(&limit, [], |_| Ok(()))?))
            .await
    }

    /// Counts the SQLite virtual machine steps of all later reads. What a read costs must not depend on the data of
    /// other workspaces, which a test shows with this count and without a clock.
    pub fn count_steps(&self) -> Arc<AtomicU64> {
        self.0.readers.count_steps()
    }

    /// Runs a read on one consistent state of the database. Dropping the future interrupts it.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.0
            .readers
            .run(move |connection| read(connection.into()))
            .await
    }

    /// Number of write groups tried since the folder was opened. While it stays the same, this
    /// process has changed nothing.
    pub fn version(&self) -> u64 {
        self.0.writer.version()
    }

    /// Has the columns that reads will probably need loaded in the background.
    ///
    /// # Errors
    /// Those of the reads.
    pub async fn warm_up(&self) -> Result<(), StoreError> {
        let columns = self.columns();
        self.read(move |db| columns::want_all(db.sqlite(), &columns))
            .await
    }

    /// Loads the columns of all workspaces into memory, also of small ones, and waits for that. For
    /// tests, so that reads of few leads are answered as those of many are.
    ///
    /// # Errors
    /// Those of the reads.
    pub async fn load_columns(&self) -> Result<(), StoreError> {
        let columns = self.columns();
        columns.use_from(0);
        self.read(move |db| columns::load_all(db.sqlite(), &columns))
            .await
    }

    /// Returns how often a read has used a column in memory since the folder was opened.
    pub fn column_uses(&self) -> u64 {
        self.0.columns.uses()
    }

    fn columns(&self) -> Columns {
        self.0.columns.clone()
    }
}
