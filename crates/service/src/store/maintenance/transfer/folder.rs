//! The data folder of a move.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::permissions;
use crate::store::sqlite::copy::{PARTIAL, PartialFile, check};
use crate::store::sqlite::disk::{self, DATABASE_FILE, sync, sync_name, with_suffix};
use crate::store::sqlite::lock::FolderLock;
use crate::store::sqlite::{open, schema, wal};

/// A folder whose rows are read, in the state of one moment.
pub(super) struct Source {
    connection: Connection,
    /// Holds the lock of the folder.
    _store: Store,
}

impl Source {
    pub(super) fn open(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join(DATABASE_FILE);
        if !path.exists() {
            return Err(StoreError::Refused(format!(
                "there is no workspace in the folder {}. Nothing was changed. Pass the data folder of the service \
                 with --from",
                dir.display()
            )));
        }
        // Also migrates it, and ends imports that were interrupted.
        let store = Store::open(dir)?;
        let connection = open::read_only(&path)?;
        connection.execute_batch("BEGIN")?;
        Ok(Self {
            connection,
            _store: store,
        })
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }
}

/// A folder that gets rows.
pub(super) struct Destination {
    dir: PathBuf,
    path: PathBuf,
    _lock: FolderLock,
}

impl Destination {
    pub(super) fn lock(dir: &Path) -> Result<Self, StoreError> {
        disk::make_folder(dir)?;
        Ok(Self {
            dir: dir.to_owned(),
            path: dir.join(DATABASE_FILE),
            _lock: FolderLock::take(dir)?,
        })
    }

    /// Returns the database that is in the folder, if there is one. It is not migrated.
    pub(super) fn known(&self) -> Result<Option<Connection>, StoreError> {
        let refused = |what: &str| {
            let dir = self.dir.display();
            Err(StoreError::Refused(format!(
                "the folder {dir} has {what}. Nothing was changed. Choose an empty folder"
            )))
        };
        if !self.path.exists() {
            // SQLite would take it for changes of the new database.
            return match wal::file(&self.path).exists() {
                true => refused("a write-ahead log without its database"),
                false => Ok(None),
            };
        }
        if !schema::is_current(&self.path)? {
            return refused("the database of another program, or of another version of this one");
        }
        let connection = open::read_only(&self.path)?;
        connection.execute_batch("BEGIN")?;
        Ok(Some(connection))
    }

    /// Makes a database with the rows that `fill` adds. It gets its name when it is complete and on disk.
    pub(super) fn create<T>(
        &self,
        fill: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let partial = PartialFile(with_suffix(&self.path, &format!("-move{PARTIAL}")));
        for left in ["", "-wal", "-shm"] {
            // Of a move that was interrupted.
            let _ = fs::remove_file(with_suffix(&partial.0, left));
        }
        let value = write(&partial.0, fill)?;
        let failed = |source| StoreError::io(format!("writing {}", self.path.display()), source);
        sync(&partial.0).map_err(failed)?;
        fs::rename(&partial.0, &self.path).map_err(failed)?;
        sync_name(&self.path).map_err(failed)?;
        permissions::restrict_to_owner(&self.dir);
        Ok(value)
    }
}

fn write<T>(
    path: &Path,
    fill: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let connection = open::writable(path)?;
    schema::drop_indexes(&connection)?;
    // If this is interrupted, the file is deleted. The order of the tables keeps references right, which is
    // checked at the end.
    connection.execute_batch(
        "PRAGMA journal_mode = OFF;
         PRAGMA synchronous = OFF;
         PRAGMA foreign_keys = OFF;
         BEGIN;",
    )?;
    let value = fill(&connection)?;
    connection.execute_batch("COMMIT")?;
    schema::create_indexes(&connection)?;
    check(&connection, "quick_check")?;
    if connection
        .prepare("SELECT 1 FROM pragma_foreign_key_check")?
        .exists([])?
    {
        return Err(StoreError::Corrupt {
            reason: "references lead nowhere".into(),
        });
    }
    connection.close().map_err(|(_, error)| error)?;
    Ok(value)
}
