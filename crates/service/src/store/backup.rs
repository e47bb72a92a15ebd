//! Copies of the database: consistent, also while a service is running, and complete before they get their
//! name.

pub mod files;
pub mod restore;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::{Connection, OptionalExtension};
use tokio::task;

use super::disk::{folder_of, sync, sync_name};
use super::schema::{self, APPLICATION_ID, pragma};
use super::{DATABASE_FILE, Store, StoreError, open, permissions};
use crate::failpoint::Failpoint;

/// SQLite virtual machine steps between two checks whether the copy was cancelled.
const STEPS: i32 = 100_000;

/// Ending of the name of a copy that is not complete.
pub(super) const PARTIAL: &str = ".partial";

/// Writes a backup of the folder to a file. Only reads the folder, and takes no lock, so a service can
/// use it meanwhile. The backup has the state of one moment.
///
/// # Errors
/// When there is no workspace, the file exists and `overwrite` is not set, it is a file of the
/// database itself, or it cannot be written. The file is then as it was.
pub fn write(dir: &Path, file: &Path, overwrite: bool) -> Result<u64, StoreError> {
    write_unless(dir, file, overwrite, || false)
}

/// Like [`write()`]; `cancelled` is asked now and then.
pub(crate) fn write_unless(
    dir: &Path,
    file: &Path,
    overwrite: bool,
    cancelled: impl Fn() -> bool + Send + 'static,
) -> Result<u64, StoreError> {
    let path = dir.join(DATABASE_FILE);
    if !path.exists() {
        return Err(StoreError::Refused(format!(
            "there is no workspace in the folder {}. No backup was written. \
             Pass the data folder of the service with --data",
            dir.display()
        )));
    }
    schema::refuse_foreign(&path)?;
    refuse_target(dir, file, overwrite)?;
    let mut connection = open::read_only(&path)?;
    connection.progress_handler(STEPS, Some(cancelled))?;
    copy_to(&connection, file)
}

fn refuse_target(dir: &Path, file: &Path, overwrite: bool) -> Result<(), StoreError> {
    let refused = |why: &str| {
        Err(StoreError::Refused(format!(
            "{} {why}. No backup was written, and the file is unchanged",
            file.display()
        )))
    };
    let Some(name) = file.file_name() else {
        return refused("is no name of a file");
    };
    if file.is_dir() {
        return refused("is a folder; name a file in it");
    }
    let folder = folder_of(file);
    let Ok(folder) = fs::canonicalize(folder) else {
        return refused("is in a folder that does not exist");
    };
    // The case does not matter on every disk.
    let is_ours = permissions::is_ours(&name.to_string_lossy().to_ascii_lowercase());
    if is_ours && fs::canonicalize(dir).is_ok_and(|dir| dir == folder) {
        return refused("has the name of a file of the data folder; choose another name or folder");
    }
    if file.exists() && !overwrite {
        return refused("exists; choose another name, or add --overwrite to replace it");
    }
    Ok(())
}

/// Returns the size of the content of a database, in bytes.
pub(super) fn database_bytes(connection: &Connection) -> rusqlite::Result<u64> {
    let pages = pragma(connection, "page_count")? - pragma(connection, "freelist_count")?;
    let bytes = pages.saturating_mul(pragma(connection, "page_size")?);
    Ok(bytes.unsigned_abs())
}

/// A file that is removed again unless it is complete.
pub(super) struct PartialFile(pub(super) PathBuf);

impl Drop for PartialFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Copies a database to a file, and replaces the file only when the copy is complete, checked and on
/// disk. Returns its size in bytes.
pub(super) fn copy_to(connection: &Connection, file: &Path) -> Result<u64, StoreError> {
    let failed = |source| StoreError::io(format!("writing {}", file.display()), source);
    let partial = partial_copy(connection, file)?;
    let bytes = sync(&partial.0).map_err(failed)?;
    Failpoint::Backup.reach();
    fs::rename(&partial.0, file).map_err(failed)?;
    sync_name(file).map_err(failed)?;
    Ok(bytes)
}

/// Copies a database to a file with a temporary name in the folder of `file`, and checks the copy.
fn partial_copy(connection: &Connection, file: &Path) -> Result<PartialFile, StoreError> {
    let failed = |source| StoreError::io(format!("writing {}", file.display()), source);
    // SQLite would take a name that begins with "file:" for a URI.
    let mut path = std::path::absolute(file).map_err(failed)?.into_os_string();
    path.push(format!("-{}{PARTIAL}", std::process::id()));
    let partial = PartialFile(path.into());
    // Left behind by a process with the same id that was killed.
    let _ = fs::remove_file(&partial.0);
    open::make_private(&partial.0)?;
    let Some(target) = partial.0.to_str() else {
        return Err(StoreError::Refused(format!(
            "{} is not valid UTF-8. Nothing was written; choose another name",
            file.display()
        )));
    };
    // Unlike a copy page by page, it neither starts again when another process writes, nor
    // contains what was deleted.
    connection.execute("VACUUM INTO ?1", [target])?;
    check(&Connection::open(&partial.0)?, "quick_check")?;
    Ok(partial)
}

/// Checks that a database is ours and not damaged, with `quick_check` or `integrity_check`.
pub(super) fn check(connection: &Connection, pragma_name: &str) -> Result<(), StoreError> {
    if pragma(connection, "application_id")? != APPLICATION_ID {
        let path = connection.path().unwrap_or_default().into();
        return Err(StoreError::Foreign { path });
    }
    super::functions::add(connection)?;
    let sql = format!("PRAGMA {pragma_name}(1)");
    let problem: Option<String> = connection
        .query_row(&sql, [], |row| row.get(0))
        .optional()?;
    match problem {
        Some(problem) if problem != "ok" => Err(StoreError::Corrupt { reason: problem }),
        _ => Ok(()),
    }
}

/// Cancels the copy when the caller drops its future.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Store {
    /// Writes a backup to a new file, while reads and writes go on. Returns its size in bytes. Dropping the
    /// future ends it, and leaves no file.
    ///
    /// # Errors
    /// Same as [`write()`].
    pub async fn backup(&self, file: PathBuf) -> Result<u64, StoreError> {
        let dir = self.dir().map(Path::to_owned).ok_or_else(|| {
            StoreError::Refused("only data folders have backups. Nothing was changed".into())
        })?;
        let cancel = CancelOnDrop(Arc::default());
        let cancelled = Arc::clone(&cancel.0);
        let write = move || {
            let cancelled = move || cancelled.load(Ordering::Relaxed);
            write_unless(&dir, &file, false, cancelled)
        };
        let written = task::spawn_blocking(write).await;
        written.unwrap_or(Err(StoreError::Panicked))
    }
}
