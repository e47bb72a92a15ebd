//! Copies of the database: consistent, also while a service is running, and complete before they get their
//! name.

pub mod files;
pub mod restore;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::task;

use crate::store::db::CancelOnDrop;
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::permissions;
use crate::store::sqlite::copy::copy_to;
use crate::store::sqlite::disk::{DATABASE_FILE, folder_of, has_database};
use crate::store::sqlite::{open, schema};

/// SQLite virtual machine steps between two checks whether the copy was cancelled.
const STEPS: i32 = 100_000;

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
    if !has_database(dir)? {
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
    // It would be replaced, not written to.
    if fs::symlink_metadata(file).is_ok_and(|found| !found.is_file()) {
        return refused("is a link or a device; name a file");
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
        let cancel = CancelOnDrop::default();
        let cancelled = Arc::clone(&cancel.0);
        let write = move || {
            let cancelled = move || cancelled.has_gone();
            write_unless(&dir, &file, false, cancelled)
        };
        let written = task::spawn_blocking(write).await;
        written.unwrap_or(Err(StoreError::Panicked))
    }
}
