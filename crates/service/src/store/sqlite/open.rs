//! Opening the database file.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::{functions, schema};
use crate::store::error::StoreError;
use crate::store::sqlite::disk::{
    DATABASE_FILE, has_database, make_folder, make_private, sync_name, with_suffix,
};
use crate::store::sqlite::lock::FolderLock;
use crate::store::tenants;

/// How long a statement waits for a lock. Only the key commands write besides the service, for
/// milliseconds.
pub(in crate::store) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

const STATEMENT_CACHE: usize = 256;

/// Opens the connection that writes, creates the database if it is missing, and migrates the schema.
pub(in crate::store) fn writable(path: &Path) -> Result<Connection, StoreError> {
    schema::refuse_foreign(path)?;
    if !path.exists() {
        create(path)?;
    }
    migrated(path)
}

/// Creates a database under another name first: an interrupted attempt must not leave an empty file, which would count as
/// damaged.
fn create(path: &Path) -> Result<(), StoreError> {
    let new = with_suffix(path, ".new");
    for suffix in ["", "-journal", "-wal", "-shm"] {
        let _ = fs::remove_file(with_suffix(&new, suffix));
    }
    let connection = migrated(&new)?;
    // The log keeps the other name, so all has to be in the file.
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")?;
    connection.close().map_err(|(_, error)| error)?;
    let failed = |error| StoreError::io(format!("creating {}", path.display()), error);
    fs::rename(&new, path).map_err(failed)?;
    sync_name(path).map_err(failed)
}

fn migrated(path: &Path) -> Result<Connection, StoreError> {
    make_private(path)?;
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // No temp_store = MEMORY here: SQLite would then keep a savepoint's rollback data in a list
    // that it traverses at the end of every statement, which made a large change twice as slow.
    // synchronous = FULL: a commit is on disk before it is reported, even after a power loss; macOS
    // also needs fullfsync. secure_delete = FAST: deleted data is overwritten where that costs no
    // additional write. page_size is for a new file: a row of a lead takes a kilobyte, and
    // the end of a smaller page would be unused. Of larger ones, SQLite would move what a change
    // touches to a temporary file.
    connection.execute_batch(
        "PRAGMA page_size = 8192;
         PRAGMA journal_mode = WAL;
         PRAGMA synchronous = FULL;
         PRAGMA fullfsync = ON;
         PRAGMA checkpoint_fullfsync = ON;
         PRAGMA secure_delete = FAST;
         PRAGMA recursive_triggers = ON;
         PRAGMA cache_size = -65536;
         PRAGMA wal_autocheckpoint = 2000;
         PRAGMA journal_size_limit = 67108864;",
    )?;
    prepare(&connection)?;
    schema::migrate(&mut connection, path)?;
    tenants::ensure_default((&connection).into())?;
    Ok(connection)
}

/// Opens a connection that reads. The database must exist.
pub(in crate::store) fn read_only(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // No mmap: a disk error, or another program truncating the file, would then kill the process
    // (SIGBUS) instead of failing one read.
    connection.execute_batch(
        "PRAGMA temp_store = MEMORY;
         PRAGMA cache_size = -32768;",
    )?;
    prepare(&connection)?;
    Ok(connection)
}

/// Opens the connection for key lookups. Its busy timeout is short, because every request would
/// wait with it, and its cache is small, because it reads only a few pages.
pub(in crate::store) fn for_keys(path: &Path) -> Result<Connection, StoreError> {
    let connection = read_only(path)?;
    connection.busy_timeout(Duration::from_millis(100))?;
    connection.execute_batch("PRAGMA cache_size = -256;")?;
    Ok(connection)
}

/// Opens a folder for a small change while a service may be using it, and creates the folder if it
/// is new.
///
/// The folder is not locked. Durability is the same as that of the service.
///
/// # Errors
/// Same as [`Store::open`](crate::store::handle::Store::open); an older folder cannot be migrated while it is in
/// use.
pub fn open_shared_or_new(dir: &Path) -> Result<Connection, StoreError> {
    if !has_database(dir)? {
        create_or_migrate(dir)?;
    }
    open_shared(dir)
}

/// Like [`open_shared_or_new`], but the workspace must exist. A folder of an older version is migrated
/// first.
///
/// # Errors
/// Same as [`open_shared_or_new`], and when there is no workspace.
pub fn open_shared(dir: &Path) -> Result<Connection, StoreError> {
    let path = dir.join(DATABASE_FILE);
    if !has_database(dir)? {
        return Err(StoreError::Refused(format!(
            "there is no workspace in the folder {}. Nothing was changed. \
             Pass the data folder of the service with --data",
            dir.display()
        )));
    }
    if !schema::is_current(&path)? {
        create_or_migrate(dir)?;
    }
    let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.execute_batch(
        "PRAGMA synchronous = FULL;
         PRAGMA fullfsync = ON;
         PRAGMA secure_delete = FAST;
         PRAGMA foreign_keys = ON;",
    )?;
    prepare(&connection)?;
    Ok(connection)
}

/// Creates or migrates a database that no service uses.
fn create_or_migrate(dir: &Path) -> Result<(), StoreError> {
    make_folder(dir)?;
    let _lock = FolderLock::take(dir)?;
    writable(&dir.join(DATABASE_FILE)).map(drop)
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE);
    // One plan for all values. Without it, SQLite prepares a cached statement again for each use, in case
    // a value such as 0 or 1 has a better plan.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    functions::add(connection)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rusqlite::StatementStatus;

    use super::writable;
    use crate::store::handle::Store;
    use crate::store::sqlite::disk::DATABASE_FILE;

    #[test]
    fn what_an_interrupted_creation_left_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        for left in ["workspace.db.new", "workspace.db.new-journal"] {
            fs::write(dir.path().join(left), "").unwrap();
        }
        drop(writable(&dir.path().join(DATABASE_FILE)).unwrap());
        let names = fs::read_dir(dir.path()).unwrap();
        let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, [DATABASE_FILE]);
    }

    #[tokio::test]
    async fn a_cached_statement_is_prepared_once() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let prepared_again = store.write(|db| {
            // More than one index has the workspace, and its number is 1.
            let sql = "SELECT id FROM leads WHERE tenant = ?1 AND email = ?2";
            let mut again = 0;
            for email in ["a", "b", "c"] {
                let mut statement = db.sqlite().prepare_cached(sql)?;
                assert!(!statement.exists((1, email))?);
                again += statement.reset_status(StatementStatus::RePrepare);
            }
            Ok(again)
        });
        assert_eq!(prepared_again.await.unwrap(), 0);
    }

    #[tokio::test]
    async fn deleted_data_is_erased_from_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        for sql in [
            "INSERT INTO leads (tenant, lead_id, name, created_at) VALUES (1, 'l', 'Konstanze Wellenreiter', '')",
            "DELETE FROM leads",
        ] {
            store
                .write(move |db| Ok(db.sqlite().execute_batch(sql)?))
                .await
                .unwrap();
        }
        drop(store);
        let bytes = fs::read(dir.path().join(DATABASE_FILE)).unwrap();
        let name = b"Konstanze Wellenreiter";
        assert!(!bytes.windows(name.len()).any(|part| part == name));
    }
}
