//! Opening a folder of an earlier version upgrades it.

use std::path::Path;

use lead_workspace_api::{LeadQuery, custom_field, filter};
use rusqlite::Connection;
use rusqlite::types::Value;

use super::{MIGRATIONS, definitions};
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::jobs::job_queue;
use crate::store::sqlite::disk::DATABASE_FILE;
use crate::store::sqlite::pragmas::pragma;
use crate::store::tenant::Tenant;

/// Databases of every released version, oldest first, as SQL: two workspaces, rows in every table. A
/// version is released with the first commit on main that has it; its file is added with the step after it.
const RELEASED: &[&str] = &[
    include_str!("released/1.sql"),
    include_str!("released/2.sql"),
    include_str!("released/3.sql"),
    include_str!("released/4.sql"),
    include_str!("released/5.sql"),
    include_str!("released/6.sql"),
    include_str!("released/7.sql"),
    include_str!("released/8.sql"),
    include_str!("released/9.sql"),
    include_str!("released/10.sql"),
    include_str!("released/11.sql"),
    include_str!("released/12.sql"),
];

/// Columns that a migration computes anew or removes.
fn is_derived(version: usize, table: &str, column: &str) -> bool {
    let is_new = version == 1 && (column.ends_with("_key") || column == "identity");
    is_new
        || matches!(
            (table, column),
            ("leads", "search_key") | ("accounts", "icp_reasoning" | "lead_count")
        )
}

fn old_folder(sql: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let connection = Connection::open(dir.path().join(DATABASE_FILE)).unwrap();
    connection.execute_batch(sql).unwrap();
    dir
}

fn open(dir: &Path, file: &str) -> Connection {
    let connection = Connection::open(dir.join(file)).unwrap();
    crate::store::sqlite::functions::add(&connection).unwrap();
    connection
}

fn texts(connection: &Connection, sql: &str) -> Vec<String> {
    let mut select = connection.prepare(sql).unwrap();
    let columns = select.column_count();
    let rows = select.query_map([], |row| {
        let cells = (0..columns).map(|column| row.get::<_, Value>(column));
        Ok(format!("{:?}", cells.collect::<Result<Vec<_>, _>>()?))
    });
    rows.unwrap().collect::<Result<_, _>>().unwrap()
}

fn names(connection: &Connection, sql: &str) -> Vec<String> {
    let mut select = connection.prepare(sql).unwrap();
    let rows = select.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

/// The content of each table, in the columns that it has in the older version.
fn content(connection: &Connection, tables: &[(String, String)]) -> Vec<Vec<String>> {
    let select = |(table, columns): &(String, String)| {
        texts(
            connection,
            &format!("SELECT {columns} FROM {table} ORDER BY 1, 2"),
        )
    };
    tables.iter().map(select).collect()
}

fn tables(connection: &Connection, version: usize) -> Vec<(String, String)> {
    let mut tables = names(
        connection,
        "SELECT name FROM sqlite_schema WHERE type = 'table'",
    );
    // Earlier versions had a search index, and kept counts.
    tables.retain(|table| !table.starts_with("leads_search") && table != "status_counts");
    let with_columns = tables.into_iter().map(|table| {
        let sql = format!("SELECT name FROM pragma_table_info('{table}')");
        let mut columns = names(connection, &sql);
        columns.retain(|column| !is_derived(version, &table, column));
        (table, columns.join(", "))
    });
    with_columns.collect()
}

/// Tables, columns, indexes and triggers.
fn schema(dir: &Path) -> Vec<String> {
    let connection = open(dir, DATABASE_FILE);
    let definitions = definitions(&connection).unwrap().into_iter();
    let mut found: Vec<String> = definitions.map(|row| format!("{row:?}")).collect();
    let columns =
        "SELECT t.name, c.* FROM sqlite_schema t JOIN pragma_table_xinfo(t.name) c ORDER BY 1, 2";
    found.extend(texts(&connection, columns));
    found
}

#[test]
fn every_released_version_is_upgraded_to_the_schema_of_a_new_folder() {
    let new = tempfile::tempdir().unwrap();
    drop(Store::open(new.path()).unwrap());
    assert_eq!(RELEASED.len() + 1, MIGRATIONS.len());
    for (at, sql) in RELEASED.iter().enumerate() {
        let version = at + 1;
        let dir = old_folder(sql);
        let old = open(dir.path(), DATABASE_FILE);
        assert_eq!(pragma(&old, "user_version").unwrap(), version as i64);
        let tables = tables(&old, version);
        for (table, _) in &tables {
            let rows = texts(&old, &format!("SELECT * FROM {table}"));
            assert!(!rows.is_empty(), "version {version} has no rows in {table}");
        }
        let before = content(&old, &tables);
        drop(old);

        drop(Store::open(dir.path()).unwrap());
        assert_eq!(schema(dir.path()), schema(new.path()), "version {version}");
        let migrated = open(dir.path(), DATABASE_FILE);
        assert_eq!(content(&migrated, &tables), before, "version {version}");
        for check in ["foreign_key_check", "integrity_check"] {
            let problems = texts(&migrated, &format!("PRAGMA {check}"));
            assert!(
                problems.iter().all(|row| row.contains("\"ok\"")),
                "{problems:?}"
            );
        }

        // The copy that was made before has the old schema and the old rows.
        let copy = open(dir.path(), &format!("{DATABASE_FILE}.v{version}"));
        assert_eq!(pragma(&copy, "user_version").unwrap(), version as i64);
        assert_eq!(content(&copy, &tables), before, "version {version}");
    }
}

#[test]
fn a_new_folder_and_a_current_one_are_not_copied() {
    let dir = tempfile::tempdir().unwrap();
    drop(Store::open(dir.path()).unwrap());
    drop(Store::open(dir.path()).unwrap());
    let mut files: Vec<_> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["lock", DATABASE_FILE]);
}

#[test]
fn without_a_copy_there_is_no_migration() {
    let dir = old_folder(RELEASED[0]);
    // A folder in the place of the copy, so that it cannot be written.
    let copy = dir.path().join(format!("{DATABASE_FILE}.v1"));
    std::fs::create_dir_all(copy.join("full")).unwrap();
    let Err(error) = Store::open(dir.path()) else {
        panic!("the folder was migrated");
    };
    assert!(error.to_string().contains(".v1"), "{error}");
    let old = open(dir.path(), DATABASE_FILE);
    assert_eq!(pragma(&old, "user_version").unwrap(), 1);
}

async fn found(store: &Store, tenant: Tenant, search: &str) -> Vec<String> {
    let query = LeadQuery {
        search: Some(search.into()),
        ..LeadQuery::default()
    };
    let page = store.query_leads(tenant, query).await;
    let ids = page.unwrap().decode().data.into_iter();
    ids.map(|lead| lead.lead_id.unwrap().as_str().to_owned())
        .collect()
}

#[tokio::test]
async fn an_upgraded_folder_can_be_used_like_a_new_one() {
    for sql in RELEASED {
        can_be_used(old_folder(sql).path()).await;
    }
}

#[tokio::test]
async fn texts_are_folded_anew() {
    // The texts that version 9 folds otherwise, and those of version 13.
    for (version, name, folded) in [
        (8, "An\u{200b}na  Other", "anna other"),
        (12, "Anna O’Ther", "anna o'ther"),
    ] {
        let dir = old_folder(RELEASED[version - 1]);
        open(dir.path(), DATABASE_FILE)
            .execute(
                "UPDATE leads SET name = ?1, name_folded = NULL,
                   identity = 'name:' || lower(?1) || char(10) WHERE id = 3",
                [name],
            )
            .unwrap();
        let store = Store::open(dir.path()).unwrap();
        assert_eq!(found(&store, Tenant(2), folded).await, ["anna"]);
        let identity = |db: Db<'_>| -> Result<String, StoreError> {
            let sql = "SELECT identity FROM leads WHERE id = 3";
            Ok(db.sqlite().query_row(sql, [], |row| row.get(0))?)
        };
        let identity = store.read(identity).await.unwrap();
        assert_eq!(identity, format!("name:{folded}\n"));
    }
}

#[tokio::test]
async fn custom_fields_of_older_leads_can_be_queried() {
    for (version, sql) in RELEASED.iter().enumerate() {
        let dir = old_folder(sql);
        let store = Store::open(dir.path()).unwrap();
        let fields = store.lead_fields(Tenant(1)).await.unwrap().fields.unwrap();
        let keys = fields.iter().filter_map(|field| field.key.as_deref());
        let expected = if version < 9 {
            &["a"][..]
        } else {
            &["Deal size", "a"]
        };
        assert_eq!(keys.collect::<Vec<_>>(), expected);
        assert_eq!(
            store.lead_fields(Tenant(2)).await.unwrap().fields,
            Some(Vec::new())
        );
    }
    let dir = old_folder(RELEASED[9]);
    let store = Store::open(dir.path()).unwrap();
    let query = LeadQuery {
        filters: vec![filter(custom_field("Deal size")).gte(50_000)],
        ..LeadQuery::default()
    };
    let page = store.query_leads(Tenant(1), query).await.unwrap().decode();
    assert_eq!(page.total, Some(1));
}

async fn can_be_used(dir: &Path) {
    let store = Store::open(dir).unwrap();
    let (one, two) = (Tenant(1), Tenant(2));

    // Searches find the leads, each in its own workspace, and respect combining marks.
    assert_eq!(found(&store, one, "müller anna").await, ["anna"]);
    assert_eq!(found(&store, two, "anna").await, ["anna"]);
    assert_eq!(found(&store, two, "muller").await, [""; 0]);
    assert_eq!(found(&store, one, "किरण").await, ["kiran"]);
    assert_eq!(found(&store, one, "करण").await, [""; 0]);
    assert_eq!(found(&store, one, "ガラス").await, ["kiran"]);
    let derived = |db: Db<'_>| -> Result<bool, StoreError> {
        let sql = "SELECT (SELECT name_key = fold('ガラス') FROM accounts)
               AND (SELECT identity = 'name:' || fold('किरण') || char(10) || fold('ガラス')
                    FROM leads WHERE id = 2)
               AND (SELECT identity = 'in/anna' FROM leads WHERE id = 1)
               -- Stored only where they are not the text in lower case.
               AND (SELECT name_folded = 'anna muller' FROM leads WHERE id = 1)
               AND (SELECT name_folded IS NULL FROM leads WHERE id = 3)
               AND (SELECT industry_folded IS NULL FROM accounts)";
        Ok(db.sqlite().query_row(sql, [], |row| row.get(0))?)
    };
    assert!(store.read(derived).await.unwrap());

    // Searches follow later changes, and the queued job can be taken.
    store.delete_lead(one, "anna".into(), None).await.unwrap();
    assert_eq!(found(&store, one, "anna").await, [""; 0]);
    assert_eq!(found(&store, two, "anna").await, ["anna"]);
    let reword = "UPDATE leads SET name = 'Berta' WHERE id = 3";
    store
        .write(move |db| Ok(db.sqlite().execute_batch(reword)?))
        .await
        .unwrap();
    assert_eq!(found(&store, two, "anna").await, [""; 0]);
    assert_eq!(found(&store, two, "berta").await, ["anna"]);
    let job = store.write(move |db| job_queue::lease(db, one, 1)).await;
    assert_eq!(job.unwrap().unwrap().job_id, "job");

    // A second opening has nothing left to do.
    drop(store);
    let store = Store::open(dir).unwrap();
    assert_eq!(found(&store, two, "berta").await, ["anna"]);
}
