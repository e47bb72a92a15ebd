//! Repairs what the examination found.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, TransactionBehavior};

use super::{
    APPLICATION_ID, Check, DATABASE_FILE, Finding, FolderLock, StoreError, database, files,
    functions, jobs, rows,
};
use crate::store::handle::Store;
use crate::store::index_host::remove_saved;
use crate::store::maintenance::backup::files::time_text;
use crate::store::maintenance::backup::restore::{free_name, keep_file};
use crate::store::permissions;
use crate::store::sqlite::schema;

/// Repairs what the findings say, under the lock of the folder.
///
/// # Errors
/// When a process uses the folder, or a step failed. The changes of rows are one transaction.
pub(super) fn repair(
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
        empty_log(&connection, dir)?;
    }
    let checks = [Check::Integrity, Check::SchemaObjects, Check::ForeignKeys];
    let repairs_rows = checks.into_iter().any(is_found);
    if repairs_rows && copy.is_none() {
        *copy = Some(keep_copy(&connection, dir, &path)?);
    }
    if is_found(Check::ApplicationId) {
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    repair_rows(connection, &is_found)?;
    remove_saved(dir)?;
    drop(lock);
    // Migrates, creates missing indexes, and ends interrupted imports.
    drop(Store::open(dir)?);
    Ok(())
}

/// Moves the write-ahead log into the database file. Waits for other readers as long as the connection's
/// busy timeout.
fn empty_log(connection: &Connection, dir: &Path) -> Result<(), StoreError> {
    let busy: bool =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if busy {
        // A copy of the file alone would lack the newest changes.
        return Err(StoreError::Refused(format!(
            "another program, such as a backup, is reading the database in {}. Its content was not \
             changed. Wait until that program has ended, then run doctor --fix again",
            dir.display()
        )));
    }
    Ok(())
}

/// Keeps the file as it is, even if it is damaged: a copy by SQLite would fail or leave something out.
fn keep_copy(connection: &Connection, dir: &Path, path: &Path) -> Result<PathBuf, StoreError> {
    empty_log(connection, dir)?;
    let now = time_text(jiff::Timestamp::now());
    let copy = free_name(dir, &format!("{DATABASE_FILE}.before-fix-{now}"));
    keep_file(path, &copy)?;
    Ok(copy)
}

fn repair_rows(
    mut connection: Connection,
    is_found: &impl Fn(Check) -> bool,
) -> Result<(), StoreError> {
    // The repair itself removes rows whose parents are missing.
    connection.pragma_update(None, "foreign_keys", false)?;
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // First, because statements below may use a damaged index.
    if is_found(Check::Integrity) {
        change.execute_batch("REINDEX")?;
    }
    if is_found(Check::SchemaObjects) {
        repair_objects(&change)?;
    }
    if is_found(Check::ForeignKeys) {
        rows::repair_foreign_keys(&change)?;
    }
    if is_found(Check::Jobs) {
        change.execute_batch(jobs::QUEUE_ORPHANS)?;
    }
    Ok(change.commit()?)
}

/// Creates indexes as in a new database.
fn repair_objects(connection: &Connection) -> Result<(), StoreError> {
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rusqlite::Connection;

    use super::keep_copy;
    use crate::store::handle::Store;
    use crate::store::sqlite::disk::DATABASE_FILE;

    #[tokio::test]
    async fn no_copy_is_kept_without_the_newest_changes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(DATABASE_FILE);
        let store = Store::open(dir.path()).unwrap();
        let connection = Connection::open(&path).unwrap();
        connection.busy_timeout(Duration::ZERO).unwrap();
        let reader = Connection::open(&path).unwrap();
        reader
            .execute_batch("BEGIN; SELECT count(*) FROM leads")
            .unwrap();
        let add = "INSERT INTO leads (tenant, lead_id, created_at) VALUES (1, 'l', '')";
        let added = store.write(move |db| Ok(db.sqlite().execute_batch(add)?));
        added.await.unwrap();
        let refused = keep_copy(&connection, dir.path(), &path).unwrap_err();
        assert!(refused.to_string().contains("is reading"), "{refused}");
        reader.execute_batch("COMMIT").unwrap();
        let copy = keep_copy(&connection, dir.path(), &path).unwrap();
        let leads: i64 = Connection::open(copy)
            .unwrap()
            .query_row("SELECT count(*) FROM leads", [], |row| row.get(0))
            .unwrap();
        assert_eq!(leads, 1);
    }
}
