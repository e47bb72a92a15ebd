//! Mending.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, TransactionBehavior};

use super::{
    APPLICATION_ID, Check, DATABASE_FILE, Finding, FolderLock, StoreError, database, files,
    functions, jobs, rows,
};
use crate::store::backup::files::time_text;
use crate::store::backup::restore::{free_name, keep_file};
use crate::store::{Store, permissions, schema};

/// Mends what the findings say, under the lock of the folder.
///
/// # Errors
/// When a process uses the folder, or a step failed. The changes of rows are one transaction.
pub(super) fn mend(
    dir: &Path,
    findings: &[Finding],
    copy: &mut Option<PathBuf>,
) -> Result<(), StoreError> {
    let is_found = |check| {
        let mut fixable = findings.iter().filter(|finding| finding.fixable);
        fixable.any(|finding| finding.check == check)
    };
    let path = dir.join(DATABASE_FILE);
    if is_found(Check::Permissions) {
        permissions::give_owner_access(dir);
        permissions::restrict_to_owner(dir);
    }
    let lock = FolderLock::take(dir)?;
    if is_found(Check::PartialFiles) {
        for file in files::partial_files(dir) {
            fs::remove_file(&file)
                .map_err(|source| StoreError::io(format!("deleting {}", file.display()), source))?;
        }
    }
    let connection = Connection::open(&path)?;
    functions::add(&connection)?;
    if is_found(Check::WriteAheadLog) || is_found(Check::Integrity) {
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    }
    let checks = [
        Check::Integrity,
        Check::SchemaObjects,
        Check::ForeignKeys,
        Check::Counters,
    ];
    let mends_rows = checks.into_iter().any(is_found);
    if mends_rows && copy.is_none() {
        *copy = Some(keep_copy(&connection, dir, &path)?);
    }
    if is_found(Check::ApplicationId) {
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    mend_rows(connection, &is_found)?;
    drop(lock);
    // Migrates, creates missing indexes, and ends interrupted imports.
    drop(Store::open(dir)?);
    Ok(())
}

/// Keeps the file as it is, even if it is damaged: a copy by SQLite would fail or leave something out.
fn keep_copy(connection: &Connection, dir: &Path, path: &Path) -> Result<PathBuf, StoreError> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    let now = time_text(jiff::Timestamp::now());
    let copy = free_name(dir, &format!("{DATABASE_FILE}.before-fix-{now}"));
    keep_file(path, &copy)?;
    Ok(copy)
}

fn mend_rows(
    mut connection: Connection,
    is_found: &impl Fn(Check) -> bool,
) -> Result<(), StoreError> {
    // The mending itself removes rows whose parents are missing.
    connection.pragma_update(None, "foreign_keys", false)?;
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // First, because statements below may use a damaged index.
    if is_found(Check::Integrity) {
        change.execute_batch("REINDEX")?;
    }
    if is_found(Check::SchemaObjects) {
        mend_objects(&change)?;
    }
    if is_found(Check::ForeignKeys) {
        rows::mend_foreign_keys(&change)?;
    }
    if is_found(Check::Counters) {
        for counter in rows::COUNTERS {
            change.execute_batch(counter.mend)?;
        }
    }
    if is_found(Check::Jobs) {
        change.execute_batch(jobs::QUEUE_ORPHANS)?;
    }
    Ok(change.commit()?)
}

/// Creates indexes and triggers as in a new database.
fn mend_objects(connection: &Connection) -> Result<(), StoreError> {
    let found = schema::definitions(connection)?;
    for (name, (kind, sql)) in schema::definitions(&database::fresh()?)? {
        let known = found.get(&name);
        if kind == "table" || known.is_some_and(|(_, found)| *found == sql) {
            continue;
        }
        if known.is_some() {
            connection.execute_batch(&format!("DROP {kind} {name}"))?;
        }
        connection.execute_batch(&sql)?;
    }
    Ok(())
}
