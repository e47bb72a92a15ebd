//! The embedded database of a data folder: one SQLite file, one writer thread and read-only connections.
//!
//! Every write is durable when its future resolves: SQLite runs with `synchronous=FULL` in WAL mode. Concurrent
//! writes share one commit.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::columns::{Changes, IndexHost, Saved, SavedColumns};
use super::health::{Check, Health};
use super::keys::{self, Access};
use super::readers::Readers;
use super::usage::{Jobs, Usage};
use super::wal::{self, WriteAheadLog};
use super::writer::Writer;
use super::{DATABASE_FILE, Db, StoreError, feed, import_jobs, open};
use crate::metrics::StoreMetrics;

pub(super) struct Sqlite {
    /// The database file.
    path: PathBuf,
    // Drop order matters: first the readers close, then the writer finishes its queue and, as the
    // last connection, lets SQLite remove the WAL files.
    pub readers: Readers,
    /// The connection for key lookups. They take microseconds, and never wait for other reads.
    keys: Mutex<Connection>,
    pub writer: Writer,
    // Dropped when the file no longer changes.
    pub saved: SavedColumns,
    health: Health,
}

impl Sqlite {
    /// Opens the database of a folder, and creates it if it is missing. The caller holds the lock of the folder.
    pub(super) fn open(
        dir: &Path,
        metrics: &StoreMetrics,
    ) -> Result<(Self, IndexHost), StoreError> {
        let path = dir.join(DATABASE_FILE);
        let saved = Saved::find(dir);
        let mut connection = open::writable(&path)?;
        if let Err(error) = import_jobs::end_interrupted(&mut connection) {
            // The next opening tries again. Until then the existing data is usable.
            tracing::warn!(%error, "could not finish an interrupted import");
        }
        #[cfg(debug_assertions)]
        feed::recorder::add(&connection)?;
        let columns = IndexHost::new(Changes::default());
        if let Some(saved) = saved {
            saved.take(&columns, &connection);
        }
        let sqlite = Self {
            readers: Readers::open(&path, metrics.clone())?,
            keys: Mutex::new(open::for_keys(&path)?),
            saved: SavedColumns::new(dir, &columns),
            writer: Writer::start(connection, WriteAheadLog::new(&path), metrics.clone())?,
            health: Health::new(path.clone()),
            path,
        };
        Ok((sqlite, columns))
    }

    pub(super) fn check_key(
        &self,
        key: &str,
        tenant_id: Option<&str>,
    ) -> Result<Access, StoreError> {
        keys::check(Db::from(&*self.keys()), key, tenant_id)
    }

    fn keys(&self) -> MutexGuard<'_, Connection> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn health(&self) -> Vec<Check> {
        self.health.check(&self.writer).await
    }

    pub(super) fn usage(&self, jobs: Option<Jobs>) -> Usage {
        Usage::of_files(&self.path, &wal::file(&self.path), &self.writer, jobs)
    }
}
