//! The schema and its migrations.
//!
//! There are no planner statistics (ANALYZE), on purpose: so statements get the same plan in a test as in
//! a folder with a million leads.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::failpoint::Failpoint;
use crate::store::custom_keys;
use crate::store::error::StoreError;
use crate::store::sqlite::pragmas::{APPLICATION_ID, pragma};

mod migration_copy;

/// The steps from an empty file to the newest schema; version N is the first N of them. New ones are
/// added at the end. A released step must never change.
const MIGRATIONS: &[&str] = &[
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
    include_str!("schema/5.sql"),
    include_str!("schema/6.sql"),
    include_str!("schema/7.sql"),
    include_str!("schema/8.sql"),
    include_str!("schema/9.sql"),
    include_str!("schema/10.sql"),
    include_str!("schema/11.sql"),
    include_str!("schema/12.sql"),
    include_str!("schema/13.sql"),
];

/// The first version with the table `custom_keys`.
const WITH_CUSTOM_KEYS: usize = 11;

const INDEXES: &str = include_str!("schema/indexes.sql");

/// The newest version.
pub(in crate::store) fn known() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Migrates the database to the newest schema, all or nothing. Keeps a copy of an older one before.
pub(in crate::store) fn migrate(
    connection: &mut Connection,
    path: &Path,
) -> Result<(), StoreError> {
    let known = known();
    if pragma(connection, "application_id")? == APPLICATION_ID {
        migration_copy::make(connection, path, known)?;
    }
    // A step that replaces a table must not delete the rows that refer to it. Cannot be changed inside of
    // the transaction.
    connection.pragma_update(None, "foreign_keys", false)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = pragma(&transaction, "user_version")?;
    let application: i64 = pragma(&transaction, "application_id")?;
    let tables: i64 =
        transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let path = path.to_owned();
    if application != APPLICATION_ID && tables > 0 {
        return Err(StoreError::Foreign { path });
    }
    if found > known {
        return Err(StoreError::Newer { path, found, known });
    }
    let done = usize::try_from(found).unwrap_or(0);
    if (1..known).contains(&found) {
        tracing::info!(
            "migrating {} from version {found} to {known}; this takes minutes for a large folder",
            path.display()
        );
    }
    for step in MIGRATIONS.iter().skip(done) {
        transaction.execute_batch(step)?;
        Failpoint::Migration.reach();
    }
    if done < WITH_CUSTOM_KEYS {
        custom_keys::add_existing((&*transaction).into())?;
    }
    transaction.execute_batch(&format!(
        "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {known};"
    ))?;
    // Also repairs a bulk load that was interrupted between dropping and rebuilding the indexes.
    create_indexes(&transaction)?;
    transaction.commit()?;
    Ok(connection.pragma_update(None, "foreign_keys", true)?)
}

/// Rejects a database of another program before anything is written.
///
/// Reads the first page of the file directly, because SQLite could leave extra files next to it. A
/// foreign database whose content is still only in the write-ahead log is found by [`migrate`].
pub(in crate::store) fn refuse_foreign(path: &Path) -> Result<(), StoreError> {
    let mut page = [0; 105];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut page));
    match read {
        Ok(()) => {}
        // A new database has its tables before it gets this name.
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
            return Err(StoreError::Corrupt {
                reason: format!("{} is empty or cut off", path.display()),
            });
        }
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            return Err(StoreError::io(format!("opening {}", path.display()), error));
        }
    }
    // Offsets in the database header and in the header of the page that lists the tables.
    let application = i64::from(u32::from_be_bytes([page[68], page[69], page[70], page[71]]));
    let inner_page = page[100] == 5;
    let tables = u16::from_be_bytes([page[103], page[104]]);
    let is_database = page.starts_with(b"SQLite format 3\0");
    if is_database && application != APPLICATION_ID && (inner_page || tables > 0) {
        return Err(StoreError::Foreign {
            path: path.to_owned(),
        });
    }
    Ok(())
}

/// Returns whether a database has the newest schema.
pub(in crate::store) fn is_current(path: &Path) -> Result<bool, StoreError> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let application: i64 = pragma(&connection, "application_id")?;
    let found: i64 = pragma(&connection, "user_version")?;
    Ok(application == APPLICATION_ID && usize::try_from(found) == Ok(MIGRATIONS.len()))
}

/// Writes a value that the database already has: one page goes to the log, and no read sees a
/// change.
pub(in crate::store) fn touch(connection: &Connection) -> Result<(), StoreError> {
    let version = MIGRATIONS.len();
    Ok(connection.execute_batch(&format!("PRAGMA user_version = {version}"))?)
}

/// Returns kind and SQL of each table, index and trigger, by name. The SQL is without comments, which
/// differ between databases that were created at different times.
pub(in crate::store) fn definitions(
    connection: &Connection,
) -> rusqlite::Result<BTreeMap<String, (String, String)>> {
    let sql = "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL";
    let mut select = connection.prepare(sql)?;
    let rows = select.query_map([], |row| {
        let sql: String = row.get(2)?;
        let lines = sql
            .lines()
            .map(|line| line.split("--").next().unwrap_or_default());
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        Ok((row.get(0)?, (row.get(1)?, words.join(" "))))
    })?;
    rows.collect()
}

/// Creates the indexes that serve queries, if they are missing.
pub fn create_indexes(connection: &Connection) -> Result<(), StoreError> {
    for statement in index_statements() {
        connection.execute_batch(&statement)?;
        Failpoint::Index.reach();
    }
    Ok(())
}

/// Drops the indexes that serve queries, because updating them would dominate a bulk load.
///
/// [`create_indexes`] creates them again, as does the next opening of the folder.
pub fn drop_indexes(connection: &Connection) -> Result<(), StoreError> {
    for name in index_names() {
        connection.execute_batch(&format!("DROP INDEX IF EXISTS {name}"))?;
    }
    Ok(())
}

/// Returns the statements of [`create_indexes`] one by one, for a load that reports progress and
/// does not want all of them in one transaction.
pub(crate) fn index_statements() -> Vec<String> {
    // Remove whole-line comments first: they may contain a semicolon. No statement contains a
    // comment.
    let lines = INDEXES.lines().filter(|line| !line.starts_with("--"));
    let text = lines.collect::<Vec<_>>().join("\n");
    let statements = text
        .split(';')
        .map(str::trim)
        .filter(|text| !text.is_empty());
    statements.map(str::to_owned).collect()
}

fn index_names() -> impl Iterator<Item = &'static str> {
    INDEXES.split(';').filter_map(|statement| {
        let (_, rest) = statement.split_once("IF NOT EXISTS")?;
        rest.split_whitespace().next()
    })
}

#[cfg(test)]
mod upgrade_tests;

#[cfg(test)]
mod tests {
    use super::{INDEXES, create_indexes, drop_indexes, index_names, migrate};
    use rusqlite::Connection;
    use std::path::Path;

    fn count(connection: &Connection) -> i64 {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL";
        connection.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn indexes_can_be_created_one_by_one() {
        let mut connection = Connection::open_in_memory().unwrap();
        crate::store::sqlite::functions::add(&connection).unwrap();
        migrate(&mut connection, Path::new("test")).unwrap();
        let all = count(&connection);
        drop_indexes(&connection).unwrap();
        let dropped = all - count(&connection);
        let statements = super::index_statements();
        assert_eq!(statements.len(), usize::try_from(dropped).unwrap());
        for statement in statements {
            connection.execute_batch(&statement).unwrap();
        }
        assert_eq!(count(&connection), all);
    }

    /// Also after a bulk load, which builds the indexes anew.
    #[test]
    fn the_rows_of_a_workspace_are_read_in_their_order() {
        let mut connection = Connection::open_in_memory().unwrap();
        crate::store::sqlite::functions::add(&connection).unwrap();
        migrate(&mut connection, Path::new("memory")).unwrap();
        for _ in 0..2 {
            for (sql, index) in [
                (
                    "SELECT id, title_key FROM leads WHERE tenant = ?1",
                    "leads_by_tenant",
                ),
                (
                    "SELECT id, staff_rank FROM accounts WHERE tenant = ?1",
                    "accounts_by_tenant",
                ),
                (
                    "SELECT lead, signal_id FROM intents WHERE tenant = ?1",
                    "intents_by_tenant",
                ),
            ] {
                let sql = format!("EXPLAIN QUERY PLAN {sql}");
                let plan: String = connection
                    .query_row(&sql, [1], |row| row.get("detail"))
                    .unwrap();
                assert!(plan.contains(index), "{plan}");
            }
            drop_indexes(&connection).unwrap();
            create_indexes(&connection).unwrap();
        }
    }

    #[test]
    fn indexes_can_be_dropped_and_recreated() {
        let mut connection = Connection::open_in_memory().unwrap();
        crate::store::sqlite::functions::add(&connection).unwrap();
        migrate(&mut connection, Path::new("memory")).unwrap();
        let all = count(&connection);
        assert_eq!(INDEXES.matches("CREATE ").count(), index_names().count());
        drop_indexes(&connection).unwrap();
        assert_eq!(count(&connection), all - index_names().count() as i64);
        create_indexes(&connection).unwrap();
        assert_eq!(count(&connection), all);
    }
}
