//! Copies of a database: consistent, and complete before they get their name.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension};

use super::disk::{make_private, sync, sync_name, with_suffix};
use super::functions;
use super::pragmas::{APPLICATION_ID, pragma};
use crate::failpoint::Failpoint;
use crate::store::error::StoreError;

/// Ending of the name of a copy that is not complete.
pub(in crate::store) const PARTIAL: &str = ".partial";

/// Returns the size of the content of a database, in bytes.
pub(in crate::store) fn database_bytes(connection: &Connection) -> rusqlite::Result<u64> {
    let pages = pragma(connection, "page_count")? - pragma(connection, "freelist_count")?;
    let bytes = pages.saturating_mul(pragma(connection, "page_size")?);
    Ok(bytes.unsigned_abs())
}

/// A file that is removed again unless it is complete.
pub(in crate::store) struct PartialFile(pub(in crate::store) PathBuf);

impl Drop for PartialFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Copies a database to a file, and replaces the file only when the copy is complete, checked and on
/// disk. Returns its size in bytes.
pub(in crate::store) fn copy_to(connection: &Connection, file: &Path) -> Result<u64, StoreError> {
    let failed = |source| StoreError::io(format!("writing {}", file.display()), source);
    let partial = partial_copy(connection, file)?;
    let bytes = sync(&partial.0).map_err(failed)?;
    Failpoint::Backup.reach();
    fs::rename(&partial.0, file).map_err(failed)?;
    sync_name(file).map_err(failed)?;
    Ok(bytes)
}

/// Copies a database to a file with a temporary name in the folder of `file`, and checks the copy.
pub(in crate::store) fn partial_copy(
    connection: &Connection,
    file: &Path,
) -> Result<PartialFile, StoreError> {
    let failed = |source| StoreError::io(format!("writing {}", file.display()), source);
    // SQLite would take a name that begins with "file:" for a URI.
    let path = std::path::absolute(file).map_err(failed)?;
    let suffix = format!("-{}{PARTIAL}", std::process::id());
    let partial = PartialFile(with_suffix(&path, &suffix));
    // Left behind by a process with the same id that was killed.
    let _ = fs::remove_file(&partial.0);
    make_private(&partial.0)?;
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
pub(in crate::store) fn check(
    connection: &Connection,
    pragma_name: &str,
) -> Result<(), StoreError> {
    if pragma(connection, "application_id")? != APPLICATION_ID {
        let path = connection.path().unwrap_or_default().into();
        return Err(StoreError::Foreign { path });
    }
    functions::add(connection)?;
    let sql = format!("PRAGMA {pragma_name}(1)");
    let problem: Option<String> = connection
        .query_row(&sql, [], |row| row.get(0))
        .optional()?;
    match problem {
        Some(problem) if problem != "ok" => Err(StoreError::Corrupt { reason: problem }),
        _ => Ok(()),
    }
}
