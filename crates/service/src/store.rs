//! The data folder: one SQLite file, one writer thread, read-only connections beside it.
//!
//! Every write is durable when its future resolves: SQLite runs with `synchronous=FULL` in WAL
//! mode, and writes that arrive together share one commit.

mod accounts;
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
mod lead_query;
mod leads;
mod lock;
mod log;
mod open;
mod pulse;
mod readers;
mod rights;
mod schema;
mod search;
mod search_terms;
mod sorted;
mod sql;
mod tenant;
mod totals;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

pub use error::StoreError;
pub use facets::search::{FacetField, check_selected};
pub use filter::Filters;
pub use health::Unhealthy;
pub use open::{beside, beside_or_new};
pub(crate) use schema::index_statements;
pub use schema::{create_indexes, drop_indexes};
pub use tenant::{DEFAULT_TENANT_ID, Tenant};

use health::Health;
use keys::Access;
use lock::FolderLock;
use log::Log;
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
    /// Where keys are looked up.
    keys: Mutex<Connection>,
    writer: Writer,
    totals: Totals,
    health: Health,
    _lock: FolderLock,
}

impl Store {
    /// Opens the data folder, making the folder, the database and the default workspace where they
    /// are missing, and ending the imports that a process before left open. The folder stays locked
    /// against other processes until the last clone is gone.
    ///
    /// # Errors
    /// When another process holds the folder, the database cannot be read or written, or a newer
    /// version of the program wrote it.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        open::make_folder(dir)?;
        let lock = FolderLock::take(dir)?;
        let path = dir.join(DATABASE_FILE);
        let mut connection = open::writable(&path)?;
        rights::tighten(dir);
        if let Err(error) = import_jobs::end_interrupted(&mut connection) {
            // Tried again at the next opening; what is here can be read and decided on meanwhile.
            tracing::warn!(%error, "an import that was cut off could not be ended");
        }
        let readers = Readers::open(&path)?;
        let keys = Mutex::new(open::for_keys(&path)?);
        Ok(Self(Arc::new(Inner {
            dir: dir.to_owned(),
            writer: Writer::start(connection, Log::of(&path))?,
            readers,
            keys,
            totals: Totals::new(),
            health: Health::new(path),
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
    /// Totals of all workspaces are counted again after it; see [`write_in`](Self::write_in).
    ///
    /// # Errors
    /// What the change itself gives, or why the commit failed.
    pub async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.change(None, change).await
    }

    /// As [`write`](Self::write), for a change that touches the data of one workspace only.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub async fn write_in<T: Send + 'static>(
        &self,
        tenant: Tenant,
        change: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.change(Some(tenant), change).await
    }

    async fn change<T: Send + 'static>(
        &self,
        tenant: Option<Tenant>,
        change: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let noted = move |connection: &Connection| {
            let value = change(connection)?;
            totals::note_change(connection, tenant)?;
            Ok(value)
        };
        self.0.writer.run(noted).await
    }

    /// Whether the folder can be read and the writer answers. Cheap, as no key is needed to ask: the
    /// folder is looked at once a second at most, and not by the connections that serve reads.
    ///
    /// # Errors
    /// Which of the two does not work.
    pub async fn health(&self) -> Result<(), Unhealthy> {
        self.0.health.check(&self.0.writer).await
    }

    /// Runs a read for a workspace, which waits for others of the same workspace rather than keep
    /// those of other workspaces waiting. As [`read`](Self::read) otherwise.
    ///
    /// # Errors
    /// What the read itself gives.
    pub async fn read_in<T: Send + 'static>(
        &self,
        tenant: Tenant,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.0.readers.run_in(tenant, read).await
    }

    /// Checks a key, and that it opens the workspace asked for; the key's first where none is. It
    /// has a connection of its own and takes microseconds, so that it waits for no read.
    ///
    /// # Errors
    /// Those of the database.
    pub fn check_key(&self, key: &str, tenant_id: Option<&str>) -> Result<Access, StoreError> {
        if keys::key_id(key).is_none() {
            return Ok(Access::NoKey);
        }
        let connection = self.0.keys.lock().unwrap_or_else(PoisonError::into_inner);
        keys::check(&connection, key, tenant_id)
    }

    /// Ends what would make SQLite use more memory than this in the whole process. It fails, and
    /// the others go on.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn limit_memory(&self, bytes: u64) -> Result<(), StoreError> {
        let limit = format!("PRAGMA hard_heap_limit = {bytes}");
        self.read(move |connection| Ok(connection.query_row(&limit, [], |_| Ok(()))?))
            .await
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

    /// How many groups of changes were tried since the folder was opened: while the number is the
    /// same, this process has changed nothing.
    pub fn version(&self) -> u64 {
        self.0.writer.version()
    }

    fn totals(&self) -> Totals {
        self.0.totals.clone()
    }
}
