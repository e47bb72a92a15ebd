//! The tables in the database, and their migrations.

use std::collections::HashSet;
use std::thread;
use std::time::Duration;

use crate::store::db::{Db, On, Session, params};
use crate::store::error::StoreError;
use crate::store::{custom_keys, tenants};

use super::distribution;

/// The steps from an empty database to the newest schema; version N is the first N of them. New ones are added at the end. A
/// released step must never change.
const MIGRATIONS: &[&str] = &[
    include_str!("tables.sql"),        // 1
    include_str!("vacuum.sql"),        // 2
    include_str!("fold.sql"),          // 3
    include_str!("changes.sql"),       // 4
    include_str!("custom_keys.sql"),   // 5
    include_str!("change_stream.sql"), // 6
    include_str!("punctuation.sql"),   // 7
];

/// The first version with the table `custom_keys`.
const WITH_CUSTOM_KEYS: i64 = 5;

/// The newest version.
pub(in crate::store) fn known() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

const INDEXES: &str = include_str!("indexes.sql");

/// Held by the process that migrates or builds indexes ("LdWs"), by a transaction of a connection of its own: indexes are
/// built outside of transactions, and behind a pooler a connection keeps no lock.
pub(super) const LOCK: i64 = 0x4C64_5773;

/// How long a process waits between two looks at the lock.
const RETRY: Duration = Duration::from_millis(100);

/// Migrates to the newest schema, all or nothing. Then builds the indexes that are missing, one by one, while others may
/// write. Several processes may do this at the same time. `lock` is another connection.
pub(super) fn migrate(session: &Session, lock: &Session) -> Result<(), StoreError> {
    let begin = |lock: &Session| lock.begin("BEGIN");
    in_transaction(lock, || migrate_and(session, lock, begin, |_| Ok(())))
}

/// Like [`migrate`], with a change in the same transaction as the tables. `lock` has a transaction that `begin` began; the
/// last one holds the lock when this ends.
pub(super) fn migrate_and<T>(
    session: &Session,
    lock: &Session,
    begin: impl Fn(&Session) -> Result<(), StoreError>,
    change: impl FnOnce(Db<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let db = Db::from(session);
    while !lock.try_lock("pg_try_advisory_xact_lock", LOCK)? {
        // The builder of an index waits for the ends of the transactions that it meets in a statement. It may be the one that
        // has the lock.
        lock.batch("ROLLBACK")?;
        thread::sleep(RETRY);
        begin(lock)?;
    }
    let value = in_transaction(session, || migrate_tables(db).and_then(|()| change(db)))?;
    build_indexes(db)?;
    Ok(value)
}

/// Changes nothing, but is written as a change is.
pub(super) fn touch(db: Db<'_>) -> Result<(), StoreError> {
    db.execute("UPDATE schema_version SET version = version", &[])
        .map(drop)
}

fn in_transaction<T>(
    session: &Session,
    run: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    session.begin("BEGIN")?;
    let done = run().and_then(|value| session.commit().map(|()| value));
    if done.is_err() {
        // Without a connection, the server rolls back.
        let _ = session.batch("ROLLBACK");
    }
    done
}

/// Returns whether a database has the tables.
pub(super) fn exists(db: Db<'_>) -> Result<bool, StoreError> {
    db.value("SELECT to_regclass('schema_version') IS NOT NULL", &[])
}

fn migrate_tables(db: Db<'_>) -> Result<(), StoreError> {
    let On::Postgres(session) = db.on else {
        return Ok(());
    };
    distribution::on_one_connection(db)?;
    let known = known();
    let found = version(db)?;
    if found > known {
        return Err(StoreError::Refused(format!(
            "the database was written by a newer version of lead-workspace (schema {found}, this version \
             supports {known}). Nothing was changed. Update lead-workspace, or choose another database"
        )));
    }
    let steps = MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or(0));
    for statement in steps.flat_map(|step| statements_of(step)) {
        session.batch(&statement)?;
    }
    if found < WITH_CUSTOM_KEYS {
        // Processes of an older version add leads without their keys.
        session.batch("LOCK TABLE leads IN SHARE ROW EXCLUSIVE MODE")?;
        custom_keys::add_existing(db)?;
    }
    if distribution::is_distributed(db)? {
        // What the steps have added.
        distribution::complete(db)?;
    }
    db.execute("UPDATE schema_version SET version = ?1", params![known])?;
    tenants::ensure_default(db)
}

/// Splits a step: Citus sends what belongs to several servers on as it is written, and together with others that fails.
fn statements_of(step: &str) -> Vec<String> {
    let lines = step
        .lines()
        .filter(|line| !line.trim_start().starts_with("--"));
    let text: Vec<&str> = lines.collect();
    let text = text.join("\n") + "\n";
    let statements = text
        .split(";\n")
        .map(|statement| statement.trim().to_owned());
    statements
        .filter(|statement| !statement.is_empty())
        .collect()
}

/// Returns the version of the tables, or 0 if there are none.
fn version(db: Db<'_>) -> Result<i64, StoreError> {
    let sql = "SELECT to_regclass('schema_version') IS NOT NULL,
                 (SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()),
                 current_setting('server_encoding') = 'UTF8' AND lower('É' COLLATE \"default\") = 'é'";
    let (has_version, tables, knows_letters): (bool, i64, bool) =
        db.one(sql, &[], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    if has_version {
        return db.value("SELECT version FROM schema_version", &[]);
    }
    if tables > 0 {
        return Err(StoreError::Refused(
            "the database has tables of another program. Nothing was changed. Choose an empty database".into(),
        ));
    }
    if !knows_letters {
        return Err(StoreError::Refused(
            "the database does not know the letters of all languages. Nothing was changed. Create another with \
             ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0"
                .into(),
        ));
    }
    Ok(0)
}

fn build_indexes(db: Db<'_>) -> Result<(), StoreError> {
    let On::Postgres(session) = db.on else {
        return Ok(());
    };
    // Those that were interrupted. They are not used, but kept up to date.
    let invalid =
        "SELECT quote_ident(c.relname) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                   WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace";
    let invalid: Vec<String> = db.rows(invalid, &[], |row| row.get(0))?;
    for name in invalid {
        session.batch(&format!("DROP INDEX CONCURRENTLY {name}"))?;
    }
    let known = "SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema()";
    let known: HashSet<String> = db.rows(known, &[], |row| row.get(0))?;
    for (name, index) in statements(INDEXES) {
        // Not by IF NOT EXISTS: Citus then marks one that exists as invalid.
        if !known.contains(name) {
            session.batch(&index)?;
        }
    }
    Ok(())
}

/// The statements of a file, which have one line each, for a database that is in use; each with the name of its index.
fn statements(file: &str) -> impl Iterator<Item = (&str, String)> {
    let lines = file
        .lines()
        .filter_map(|line| line.strip_prefix("CREATE INDEX "));
    lines.map(|rest| {
        let name = rest.split(' ').next().unwrap_or_default();
        (name, format!("CREATE INDEX CONCURRENTLY {rest}"))
    })
}
