//! Moves whose destination fails.

use std::path::Path;

use lead_workspace_test_postgres::Server;
use rusqlite::Connection;

use super::{Place, run};
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::sqlite::disk::DATABASE_FILE;

const TABLES: &str = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    drop(Store::open(dir.path()).unwrap());
    let rows = "INSERT INTO signals VALUES (1, 's', 'Signal'), (1, 't', 'Other');";
    sql(dir.path(), rows);
    dir
}

fn sql(dir: &Path, sql: &str) {
    let connection = Connection::open(dir.join(DATABASE_FILE)).unwrap();
    connection.execute_batch(sql).unwrap();
}

#[test]
fn a_server_that_ends_has_nothing_of_the_move() {
    let server: &'static Server = Box::leak(Box::new(Server::start().unwrap()));
    let (dir, database) = (folder(), server.empty_database());
    let from = Place::Folder(dir.path().into());
    let to = Place::of_text(&database.url()).unwrap();
    for step in ["rows copied", "rows checked"] {
        let mut is_running = true;
        let lost = run(&from, &to, &mut |found, done, total| {
            if is_running && found == step && done == total {
                is_running = false;
                server.restart();
            }
        });
        let error = lost.unwrap_err();
        assert!(
            matches!(error, StoreError::ConnectionLost { .. }),
            "{step}: {error}"
        );
        assert!(!is_running);
        assert_eq!(database.sql(TABLES), "0", "{step}");
    }
    let moved = run(&from, &to, &mut |_, _, _| {}).unwrap();
    assert!(!moved.was_done);
    assert_eq!(database.sql("SELECT count(*) FROM signals"), "2");
}

#[test]
fn rows_that_differ_after_they_were_copied_are_not_kept() {
    let (dir, database) = (folder(), Server::shared().empty_database());
    let from = Place::Folder(dir.path().into());
    let to = Place::of_text(&database.url()).unwrap();
    run(&from, &to, &mut |_, _, _| {}).unwrap();
    database.sql(
        "DELETE FROM signals;
         CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN new.name = 'x' || new.name; RETURN new; END $$;
         CREATE TRIGGER other BEFORE INSERT ON signals FOR EACH ROW EXECUTE FUNCTION other();",
    );
    let error = run(&from, &to, &mut |_, _, _| {}).unwrap_err().to_string();
    assert!(
        error.contains("signals (2 rows, but not the same)") && error.contains("Nothing was kept"),
        "{error}"
    );
    assert_eq!(database.sql("SELECT count(*) FROM signals"), "0");
}
