//! The data folder: one SQLite file, one writer thread, read-only connections beside it.
//!
//! Every write is durable when its future resolves: SQLite runs with `synchronous=FULL` in WAL
//! mode, and writes that arrive together share one commit.

mod accounts;
mod error;
mod facets;
mod filter;
mod functions;
pub(crate) mod import_jobs;
pub(crate) mod insert;
pub mod job_queue;
mod jobs;
pub mod keys;
mod lead_query;
mod leads;
mod lock;
mod open;
mod pulse;
mod readers;
mod schema;
mod search;
mod sorted;
mod sql;
mod tenant;
mod totals;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Connection;

pub use error::StoreError;
pub use facets::search::FacetField;
pub use filter::Filters;
pub use open::{beside, beside_or_new};
pub(crate) use schema::index_statements;
pub use schema::{create_indexes, drop_indexes};
pub use tenant::{DEFAULT_TENANT_ID, Tenant};

use lock::FolderLock;
use readers::Readers;
use totals::Totals;
use writer::Writer;

/// The name of the database in a data folder.
pub const DATABASE_FILE: &str = "workspace.db";

/// A data folder that is open for reading and writing. Clones share it.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    dir: PathBuf,
    // Dropped in this order: the readers close, the writer finishes what it has and, as the last
    // connection, tidies the folder; the lock goes at the end.
    readers: Readers,
    writer: Writer,
    totals: Totals,
    _lock: FolderLock,
}

impl Store {
    /// Opens the data folder, making the folder, the database and the default workspace where they
    /// are missing, and ending the imports that a process before left open. The folder stays locked against other processes until the last clone is gone.
    ///
    /// # Errors
    /// When another process holds the folder, the database cannot be read or written, or a newer
    /// version of the program wrote it.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        open::make_folder(dir)?;
        let lock = FolderLock::take(dir)?;
        let path = dir.join(DATABASE_FILE);
        let mut connection = open::writable(&path)?;
        if let Err(error) = import_jobs::end_interrupted(&mut connection) {
            // Tried again at the next opening; what is here can be read and decided on meanwhile.
            tracing::warn!(%error, "an import that was cut off could not be ended");
        }
        let readers = Readers::open(&path)?;
        Ok(Self(Arc::new(Inner {
            dir: dir.to_owned(),
            writer: Writer::start(connection)?,
            readers,
            totals: Totals::new(),
            _lock: lock,
        })))
    }

    /// The data folder.
    pub fn dir(&self) -> &Path {
        &self.0.dir
    }

    /// Runs a change. It stands in a savepoint of a transaction that it may share with other
    /// changes; the future resolves when the commit is on the disk. A change that fails leaves
    /// nothing behind. Dropping the future does not call the change off.
    ///
    /// # Errors
    /// What the change itself gives, or why the commit failed.
    pub async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.0.writer.run(change).await
    }

    /// Runs a read on one consistent state of the database. Dropping the future interrupts it.
    ///
    /// # Errors
    /// What the read itself gives.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.0.readers.run(read).await
    }

    /// How many commits have changed the database since it was opened. What was read under one
    /// number still holds while the number is the same.
    pub fn version(&self) -> u64 {
        self.0.writer.version()
    }

    fn totals(&self) -> Totals {
        self.0.totals.clone()
    }
}
