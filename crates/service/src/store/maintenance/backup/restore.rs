//! Putting a backup in the place of a folder's data.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::Connection;

use super::files::time_text;
use crate::store::error::StoreError;
use crate::store::permissions;
use crate::store::sqlite::copy::{PartialFile, check, partial_copy};
use crate::store::sqlite::disk::{self, DATABASE_FILE, sync, sync_name, with_suffix};
use crate::store::sqlite::lock::FolderLock;
use crate::store::sqlite::pragmas::pragma;
use crate::store::sqlite::{open, schema, wal};

/// What a restore did.
#[derive(Debug)]
pub struct Restored {
    /// The data that was in the folder before, if there was any.
    pub before: Option<PathBuf>,
    /// Schema version of the backup.
    pub version: i64,
}

/// Replaces the data of a folder with that of a backup. `revoke_named` is the name of the keys that
/// the backup's data must no longer accept.
///
/// The folder has either its old data or that of the backup at every moment. The old data is kept
/// next to it.
///
/// # Errors
/// When the file is no backup, is damaged or has a newer schema, a service uses the folder, or the
/// folder cannot be written. The data is then as it was.
pub fn restore(file: &Path, dir: &Path, revoke_named: &str) -> Result<Restored, StoreError> {
    if !file.is_file() {
        return Err(StoreError::Refused(format!(
            "there is no file {}. Nothing was changed; check the path",
            file.display()
        )));
    }
    if let Err(error) = fs::File::open(file) {
        return Err(StoreError::Refused(format!(
            "{} cannot be read ({error}). Nothing was changed; check its permissions",
            file.display()
        )));
    }
    let of_backup = |error| name_backup(file, error);
    schema::refuse_foreign(file).map_err(of_backup)?;
    disk::make_folder(dir)?;
    let lock = FolderLock::take(dir)?;
    let path = dir.join(DATABASE_FILE);
    let (copy, version) = checked_copy(file, &path, revoke_named).map_err(of_backup)?;
    let before = if path.exists() {
        Some(keep_old(dir, &path)?)
    } else {
        None
    };
    let failed = |source| StoreError::io(format!("replacing {}", path.display()), source);
    for rest in ["-wal", "-shm"] {
        // Their content is in what was kept. They do not belong to the new data.
        let _ = fs::remove_file(with_suffix(&path, rest));
    }
    fs::rename(&copy.0, &path).map_err(failed)?;
    sync_name(&path).map_err(failed)?;
    permissions::restrict_to_owner(dir);
    drop(lock);
    Ok(Restored { before, version })
}

/// Says of an error of the database that the backup has it, and not the folder.
fn name_backup(file: &Path, error: StoreError) -> StoreError {
    let problem = match error {
        StoreError::Corrupt { reason } => format!("is damaged or not a database ({reason})"),
        StoreError::Foreign { .. } => "is empty, or a database of another program".to_owned(),
        error => return error,
    };
    StoreError::Refused(format!(
        "{} {problem}. The data of the folder is unchanged; choose another backup",
        file.display()
    ))
}

/// Copies a backup into the folder under a temporary name, and checks the copy.
fn checked_copy(
    file: &Path,
    path: &Path,
    revoke_named: &str,
) -> Result<(PartialFile, i64), StoreError> {
    let copy = partial_copy(&open::read_only(file)?, path)?;
    let connection = Connection::open(&copy.0)?;
    check(&connection, "integrity_check")?;
    let (found, known) = (pragma(&connection, "user_version")?, schema::known());
    if found > known {
        let path = file.to_owned();
        return Err(StoreError::Newer { path, found, known });
    }
    crate::store::keys::revoke_named((&connection).into(), revoke_named, None)?;
    drop(connection);
    let failed = |source| StoreError::io(format!("writing {}", copy.0.display()), source);
    sync(&copy.0).map_err(failed)?;
    Ok((copy, found))
}

/// Gives the data of a folder a second name, so that it stays when the first is given to the backup.
fn keep_old(dir: &Path, path: &Path) -> Result<PathBuf, StoreError> {
    let now = time_text(Timestamp::now());
    let name = free_name(dir, &format!("{DATABASE_FILE}.before-restore-{now}"));
    // Moves the content of the write-ahead log into the file. If this fails, because the data is
    // damaged, the log is kept as well.
    let folded = Connection::open(path).and_then(|connection| {
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
            row.get::<_, i64>(0)
        })
    });
    if !matches!(folded, Ok(0)) && wal::file(path).exists() {
        link(&wal::file(path), &wal::file(&name))?;
    }
    link(path, &name)?;
    Ok(name)
}

/// Returns a path in a folder that is not taken: two restores may fall into the same second.
pub(in crate::store) fn free_name(dir: &Path, name: &str) -> PathBuf {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let names = std::iter::once(name.to_owned()).chain(numbered);
    let mut paths = names.map(|name| dir.join(name));
    let free = paths.find(|path| !path.exists());
    free.unwrap_or_else(|| dir.join(name))
}

/// Copies a file, and waits until the copy is on disk.
pub(in crate::store) fn keep_file(from: &Path, to: &Path) -> Result<(), StoreError> {
    let kept = fs::copy(from, to).and_then(|_| sync(to));
    let kept = kept.and_then(|_| sync_name(to));
    kept.map_err(|source| StoreError::io(format!("keeping a copy as {}", to.display()), source))
}

/// Gives a file a second name; copies it where the file system cannot.
fn link(from: &Path, to: &Path) -> Result<(), StoreError> {
    let linked =
        fs::hard_link(from, to).or_else(|_| fs::copy(from, to).and_then(|_| sync(to)).map(drop));
    linked.map_err(|source| StoreError::io(format!("keeping a copy as {}", to.display()), source))
}
