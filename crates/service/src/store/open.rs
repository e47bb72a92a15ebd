//! Opening the database file.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::{StoreError, functions, schema, tenant};

/// How long a statement waits for a lock. Only the key commands write beside us, for milliseconds.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

const STATEMENTS_KEPT: usize = 256;

/// Makes the data folder, readable by its owner alone: it holds keys and people's data.
pub(super) fn make_folder(dir: &Path) -> Result<(), StoreError> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(dir)
        .map_err(|source| StoreError::io(format!("making the folder {}", dir.display()), source))
}

/// Makes a file that only its owner may read, where it is missing. SQLite gives the files beside
/// the database the same rights.
fn make_private(path: &Path) -> Result<(), StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let made = options.open(path);
    made.map(drop)
        .map_err(|source| StoreError::io(format!("opening {}", path.display()), source))
}

/// Opens the connection that writes, bringing the schema up to date.
pub(super) fn writable(path: &Path) -> Result<Connection, StoreError> {
    schema::refuse_foreign(path)?;
    make_private(path)?;
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // No temp_store = MEMORY here: with it SQLite keeps what a savepoint may have to take back in a
    // list that it walks at the end of every statement, which made a large change twice as slow.
    // FULL: a commit is on the disk before anybody hears of it, also after a power cut; on macOS only
    // with fullfsync. secure_delete: what was deleted is overwritten wherever that costs no further
    // write.
    connection.execute_batch(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = FULL;
         PRAGMA fullfsync = ON;
         PRAGMA checkpoint_fullfsync = ON;
         PRAGMA secure_delete = FAST;
         PRAGMA foreign_keys = ON;
         PRAGMA recursive_triggers = ON;
         PRAGMA cache_size = -65536;
         PRAGMA wal_autocheckpoint = 4000;
         PRAGMA journal_size_limit = 67108864;",
    )?;
    prepare(&connection)?;
    schema::migrate(&mut connection, path)?;
    tenant::ensure_default(&connection)?;
    Ok(connection)
}

/// Opens a connection that reads. The database must be there.
pub(super) fn read_only(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // No mmap: with it an error of the disk, or a file that another program shortens, ends the
    // process (SIGBUS) instead of one read.
    connection.execute_batch(
        "PRAGMA temp_store = MEMORY;
         PRAGMA cache_size = -32768;",
    )?;
    prepare(&connection)?;
    Ok(connection)
}

/// Opens the connection that looks up keys. It waits for nothing, as every request would with it, and
/// reads a few pages.
pub(super) fn for_keys(path: &Path) -> Result<Connection, StoreError> {
    let connection = read_only(path)?;
    connection.busy_timeout(Duration::from_millis(100))?;
    connection.execute_batch("PRAGMA cache_size = -256;")?;
    Ok(connection)
}

/// Opens a folder for a small change beside a service that may be running on it: without the lock,
/// with the same durability. A folder that is new is made.
///
/// # Errors
/// As [`Store::open`](super::Store::open), and when an older folder is in use.
pub fn beside_or_new(dir: &Path) -> Result<Connection, StoreError> {
    if !dir.join(super::DATABASE_FILE).exists() {
        drop(super::Store::open(dir)?);
    }
    beside(dir)
}

/// The same, where there must be a workspace already. A folder of an older version is first opened
/// whole.
///
/// # Errors
/// As [`beside_or_new`], and when there is no workspace.
pub fn beside(dir: &Path) -> Result<Connection, StoreError> {
    let path = dir.join(super::DATABASE_FILE);
    if !path.exists() {
        return Err(StoreError::Refused(format!(
            "there is no workspace in the folder {}. Nothing was made or changed. \
             Name the folder of the service with --data",
            dir.display()
        )));
    }
    if !schema::is_current(&path)? {
        drop(super::Store::open(dir)?);
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

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    functions::add(connection)
}

#[cfg(test)]
mod tests {
    use crate::store::{DATABASE_FILE, Store};

    #[tokio::test]
    async fn what_was_deleted_is_not_left_in_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        for sql in [
            "INSERT INTO leads (tenant, lead_id, name, created_at) VALUES (1, 'l', 'Konstanze Wellenreiter', '')",
            "DELETE FROM leads",
        ] {
            store
                .write(move |connection| Ok(connection.execute_batch(sql)?))
                .await
                .unwrap();
        }
        drop(store);
        let bytes = std::fs::read(dir.path().join(DATABASE_FILE)).unwrap();
        let name = b"Konstanze Wellenreiter";
        assert!(!bytes.windows(name.len()).any(|part| part == name));
    }
}
