//! The embedded database of a data folder: one SQLite file, one writer thread and read-only connections.
//!
//! Every write is durable when its future resolves: SQLite runs with `synchronous=FULL` in WAL mode. Concurrent
//! writes share one commit.

pub(in crate::store) mod copy;
pub mod disk;
pub(in crate::store) mod functions;
mod health;
pub(crate) mod lock;
pub mod open;
pub(in crate::store) mod pragmas;
mod readers;
pub mod schema;
pub mod wal;
pub(in crate::store) mod writer;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use rusqlite::Connection;

use crate::lock::lock;
use crate::metrics::StoreMetrics;
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::health::Check;
use crate::store::keys::{self, Access};
use crate::store::usage::{Jobs, Usage};
use disk::DATABASE_FILE;
use health::Health;
use readers::Readers;
use wal::WriteAheadLog;
use writer::Writer;

pub(super) struct Sqlite {
    /// The database file.
    path: PathBuf,
    // Drop order matters: first the readers close, then the writer finishes its queue and, as the
    // last connection, lets SQLite remove the WAL files.
    pub readers: Readers,
    /// The connection for key lookups. They take microseconds, and never wait for other reads.
    keys: Mutex<Connection>,
    pub writer: Writer,
    health: Health,
}

impl Sqlite {
    /// Opens the database of a folder, and creates it if it is missing. The caller holds the lock of the folder.
    /// `prepare` runs on the connection that writes, before anything else does.
    pub(super) fn open(
        dir: &Path,
        metrics: &StoreMetrics,
        prepare: impl FnOnce(&mut Connection) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        let path = dir.join(DATABASE_FILE);
        let mut connection = open::writable(&path)?;
        prepare(&mut connection)?;
        Ok(Self {
            readers: Readers::open(&path, metrics.clone())?,
            keys: Mutex::new(open::for_keys(&path)?),
            writer: Writer::start(connection, WriteAheadLog::new(&path), metrics.clone())?,
            health: Health::new(path.clone()),
            path,
        })
    }

    pub(super) fn check_key(
        &self,
        key: &str,
        tenant_id: Option<&str>,
    ) -> Result<Access, StoreError> {
        keys::check(Db::from(&*self.keys()), key, tenant_id)
    }

    fn keys(&self) -> MutexGuard<'_, Connection> {
        lock(&self.keys)
    }

    pub(super) async fn health(&self) -> Vec<Check> {
        self.health.check(&self.writer).await
    }

    pub(super) fn usage(&self, jobs: Option<Jobs>) -> Usage {
        let bytes = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
        Usage {
            writer_queue: self.writer.queued(),
            database_bytes: bytes(&self.path),
            wal_bytes: bytes(&wal::file(&self.path)),
            free_bytes: disk::free_bytes(&self.path).ok(),
            jobs,
        }
    }
}
