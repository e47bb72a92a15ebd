//! Opening a data folder, or a database of a server.

use std::path::Path;
use std::sync::Arc;

use crate::metrics::StoreMetrics;
use crate::store::caches::pages;
use crate::store::engine::Engine;
use crate::store::error::StoreError;
use crate::store::handle::{Folder, Store};
use crate::store::index_host::{self, BYTES_OF_CHANGES, IndexHost, Saved, SavedColumns, SavedFor};
use crate::store::jobs::import_jobs;
use crate::store::permissions;
use crate::store::postgres::{self, Postgres, Target};
use crate::store::sqlite::lock::FolderLock;
use crate::store::sqlite::{self, Sqlite, disk};

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
        disk::make_folder(dir)?;
        let lock = FolderLock::take(dir)?;
        let metrics = StoreMetrics::new();
        let index = index();
        let schema = sqlite::schema::known();
        let saved = Saved::find(dir, schema);
        let engine = Engine::Sqlite(Sqlite::open(dir, &metrics, |connection| {
            if let Err(error) = import_jobs::end_interrupted(connection) {
                // The next opening tries again. Until then the existing data is usable.
                tracing::warn!(%error, "could not finish an interrupted import");
            }
            #[cfg(debug_assertions)]
            index_host::feed::recorder::add(connection)?;
            if let Some(saved) = saved {
                saved.take(&index, (&*connection).into());
            }
            Ok(())
        })?);
        permissions::restrict_to_owner(dir);
        let folder = Folder {
            dir: dir.to_owned(),
            saved: SavedColumns::new(dir, SavedFor::Folder, schema, &index),
            _lock: lock,
        };
        Ok(Self::new(Some(folder), metrics, engine, index))
    }

    /// Opens a PostgreSQL database, which other processes may use at the same time. Blocks. `dir` is a folder of this
    /// process alone, where its index is saved for the next start.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses the user; when the database is missing, too old, or of another
    /// program, or when a newer version of the program wrote it; when another process has the folder.
    pub fn open_database(target: Target, dir: Option<&Path>) -> Result<Self, StoreError> {
        let metrics = StoreMetrics::new();
        let postgres = Postgres::open(target, metrics.clone())?;
        let index = index();
        let folder = dir.map(|dir| {
            disk::make_folder(dir)?;
            let lock = FolderLock::take(dir)?;
            let schema = postgres::schema::known();
            let database = SavedFor::Server(postgres.pool());
            if let Some(saved) = Saved::find(dir, schema) {
                postgres.pool().read(&Arc::default(), |db| {
                    saved.take(&index, db);
                    Ok::<_, StoreError>(())
                })?;
            }
            Ok::<_, StoreError>(Folder {
                dir: dir.to_owned(),
                saved: SavedColumns::new(dir, database, schema, &index),
                _lock: lock,
            })
        });
        let folder = folder.transpose()?;
        Ok(Self::new(
            folder,
            metrics,
            Engine::Postgres(postgres),
            index,
        ))
    }

    /// Sets the memory for the index, in bytes; [`INDEX_BYTES`](super::INDEX_BYTES) by default. The least recently used
    /// columns are dropped.
    pub fn limit_index(&self, bytes: usize) {
        self.0.index.limit_to(bytes_of_columns(bytes));
    }
}

fn index() -> IndexHost {
    IndexHost::new(bytes_of_columns(index_host::BYTES))
}

/// What is left for columns of the memory for the index.
const fn bytes_of_columns(index: usize) -> usize {
    index.saturating_sub(BYTES_OF_CHANGES + pages::BUDGET)
}
