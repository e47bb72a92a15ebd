//! The tables, indexes and functions in a database.

use std::thread;
use std::time::{Duration, Instant};

use lead_workspace_test_postgres::Server;
use rusqlite::Connection;

use super::super::schema::LOCK;
use super::{Pool, Target, database, open, opened, opening};
use crate::store::sqlite::{functions, schema};

#[tokio::test]
async fn the_columns_are_those_of_a_data_folder() {
    let mut folder = Connection::open_in_memory().unwrap();
    functions::add(&folder).unwrap();
    schema::migrate(&mut folder, "memory".as_ref()).unwrap();
    let sql =
        "SELECT t.name || '.' || c.name FROM sqlite_schema t JOIN pragma_table_xinfo(t.name) c
               WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY 1";
    let mut select = folder.prepare(sql).unwrap();
    let expected = select.query_map([], |row| row.get(0)).unwrap();
    let expected: Vec<String> = expected.collect::<Result<_, _>>().unwrap();
    let columns = "SELECT table_name || '.' || column_name FROM information_schema.columns
                   WHERE table_schema = current_schema() AND table_name NOT IN ('schema_version', 'rate_limits')
                   ORDER BY (table_name || '.' || column_name) COLLATE \"C\"";
    let columns = database().sql(columns);
    assert_eq!(columns.lines().collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn databases_of_others_are_refused() {
    let server = Server::shared();
    let foreign = server.empty_database();
    foreign.sql("CREATE TABLE theirs (id bigint)");
    let error = opening(&foreign.url()).await;
    assert!(error.contains("another program"), "{error}");
    let newer = database();
    newer.sql("UPDATE schema_version SET version = 99");
    let error = opening(&newer.url()).await;
    assert!(
        error.contains("schema 99") && error.contains("Update"),
        "{error}"
    );
    assert_eq!(newer.sql("SELECT version FROM schema_version"), "99");
}

#[tokio::test]
async fn several_processes_migrate_at_the_same_time() {
    let database = Server::shared().empty_database();
    let url = database.url();
    let open = || opened(&url);
    let opened = tokio::join!(open(), open(), open(), open());
    for opened in [opened.0, opened.1, opened.2, opened.3] {
        opened.unwrap();
    }
    assert_eq!(database.sql("SELECT count(*) FROM tenants"), "1");
}

/// The process that migrates builds indexes, which waits for transactions that were open meanwhile.
#[test]
fn a_process_that_waits_for_another_to_migrate_has_no_transaction() {
    let database = Server::shared().empty_database();
    let target = Target::of_url(&database.url()).unwrap();
    let other = target.connect().unwrap();
    other.begin("BEGIN").unwrap();
    assert!(other.try_lock("pg_try_advisory_xact_lock", LOCK).unwrap());
    let waiting = thread::spawn(|| Pool::open(target).map(drop));
    let without = "SELECT count(*) FROM pg_stat_activity
                   WHERE datname = current_database() AND state = 'idle' AND query = 'ROLLBACK'";
    let start = Instant::now();
    while database.sql(without) == "0" {
        assert!(start.elapsed() < Duration::from_secs(20));
    }
    other.commit().unwrap();
    waiting.join().unwrap().unwrap();
}

#[tokio::test]
async fn an_index_that_is_missing_or_broken_is_built() {
    let database = database();
    let names =
        "SELECT count(*), bool_and(indisvalid) FROM pg_index JOIN pg_class ON oid = indexrelid
                 WHERE relname LIKE '%_by_%'";
    let all = database.sql(names);
    assert!(all.ends_with("|t"), "{all}");
    database.sql("DROP INDEX leads_by_identity");
    database.sql(
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'leads_by_email'::regclass",
    );
    assert_ne!(database.sql(names), all);
    drop(open(&database).await);
    assert_eq!(database.sql(names), all);
}

#[tokio::test]
async fn an_older_database_is_migrated() {
    let database = database();
    let state = "SELECT version, array_to_string(reloptions, ',')
                 FROM schema_version, pg_class WHERE oid = 'leads'::regclass";
    let newest = database.sql(state);
    database.sql(
        "ALTER TABLE leads RESET (autovacuum_vacuum_scale_factor);
         DROP TABLE changes, saved_columns, custom_keys;
         ALTER TABLE accounts ADD lead_count bigint; CREATE TABLE status_counts (tenant bigint);
         CREATE INDEX leads_by_name ON leads (tenant, name_key, id);
         UPDATE schema_version SET version = 1",
    );
    assert_eq!(database.sql(state), "1|");
    // A name that fold() left as it was.
    database.sql(
        "INSERT INTO leads (tenant, lead_id, name, custom_data, created_at)
         SELECT tenant, 'lead', U&'An\\200Bna  O\\2019Ther 10\\207B9', '{\"Size\": 1, \"Deal\": \"a\"}', '2026-01-01T00:00:00.000Z'
         FROM tenants",
    );
    drop(open(&database).await);
    assert_eq!(
        database.sql("SELECT name_key FROM leads"),
        "anna o'ther 10-9"
    );
    assert_eq!(database.sql(state), newest);
    let keys = "SELECT string_agg(number || key, ' ' ORDER BY number) FROM custom_keys";
    assert_eq!(database.sql(keys), "1Deal 2Size");
    let old = "SELECT count(*) FROM pg_class WHERE relname IN ('leads_by_name', 'status_counts')";
    assert_eq!(database.sql(old), "0");
    assert_eq!(newest, "7|autovacuum_vacuum_scale_factor=0.02");
}
