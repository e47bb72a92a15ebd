//! Moves between a data folder and PostgreSQL. What arrives is compared row by row, without the program's own digests.

mod content;

use std::path::Path;
use std::process::Output;

use lead_workspace_service::Tenant;
use lead_workspace_service::scope::Scope;
use lead_workspace_service::scoring::spawn_worker;
use lead_workspace_service::store::keys::{self, KeyOptions};
use lead_workspace_service::store::{DATABASE_FILE, Db};
use lead_workspace_test_postgres::{Database, Server};
use rusqlite::Connection;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use self::content::{content_of_database, content_of_folder, same};
use crate::common::{Service, done, fill};
use crate::import::fixture;
use crate::program::{self, Running, run, start};
use crate::scoring::score;

fn program(from: &str, to: &str, failpoint: &str) -> Output {
    program::program(&["move", "--from", from, "--to", to])
        .env("LEAD_WORKSPACE_FAILPOINT", failpoint)
        .output()
        .unwrap()
}

fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn text(dir: &Path) -> &str {
    dir.to_str().unwrap()
}

fn open(dir: &Path) -> Connection {
    Connection::open(dir.join(DATABASE_FILE)).unwrap()
}

/// A folder with demo leads, which nothing uses.
async fn demo_folder(leads: u64) -> tempfile::TempDir {
    Service::demo(leads).await.dir
}

/// A folder with two workspaces and at least one row in each table.
async fn folder() -> tempfile::TempDir {
    let service = Service::demo(2500).await;
    let north = service
        .store
        .write(|db| {
            let gone = Tenant::ensure(db, "gone")?;
            let north = Tenant::ensure(db, "north")?;
            let deleted = Tenant::ensure(db, "also-gone")?;
            let connection = db.sqlite();
            connection.execute_batch(
                "DELETE FROM tenants WHERE tenant_id IN ('gone', 'also-gone');
                 UPDATE tenants SET scoring = '{}' WHERE tenant_id = 'north';",
            )?;
            assert!(gone != north && north != deleted);
            let options = KeyOptions {
                name: "Zoë",
                tenant_ids: &["north", "default"],
                scope: Scope::Decide,
                expires_at: Some("2099-01-01T00:00:00.000Z"),
            };
            keys::create_with(db, &options)?;
            Ok(north)
        })
        .await
        .unwrap();
    fill(&service.store, north, 300, 9).await;
    let ids: String = service
        .value("SELECT json_group_array(lead_id) FROM (SELECT lead_id FROM leads WHERE tenant = 1 LIMIT 50)")
        .await;
    let ids: Value = serde_json::from_str(&ids).unwrap();
    let decided = json!({"lead_ids": ids, "approval_status": "approved"});
    assert_eq!(
        service.call("PATCH", "/api/leads", decided).await.status,
        200
    );
    let (stop, stopped) = oneshot::channel::<()>();
    let worker = spawn_worker(service.store.clone(), async {
        let _ = stopped.await;
    });
    score(&service, "/api/leads/score", json!({})).await;
    drop(stop);
    worker.await.unwrap();
    // It waits.
    let waiting = json!({"lead_ids": ids});
    assert_eq!(
        service
            .call("POST", "/api/leads/score", waiting)
            .await
            .status,
        202
    );
    let first = ids[0].as_str().unwrap().to_owned();
    let missing = format!(
        "INSERT INTO nurtures SELECT id, tenant, 'p', 'all', 1, '' FROM leads
         WHERE lead_id = '{first}' ON CONFLICT DO NOTHING;
         INSERT INTO job_targets SELECT 1, max(id), 7 FROM jobs WHERE tenant = 1 ON CONFLICT DO NOTHING;
         UPDATE leads SET icp_score = 1e-300 WHERE lead_id = '{first}';"
    );
    service.sql(&missing).await;
    let Service {
        dir, store, router, ..
    } = service;
    drop((store, router));
    let csv = fixture("leads-500.csv");
    done(&run(&["import", text(&csv)], dir.path()));
    dir
}

/// The counters of numbers that are never used again.
fn counters(dir: &Path) -> Vec<(String, i64)> {
    let folder = open(dir);
    let sql = "SELECT name, seq FROM sqlite_sequence ORDER BY name";
    let mut select = folder.prepare(sql).unwrap();
    let rows = select
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap();
    rows.map(Result::unwrap).collect()
}

/// The lines of the table that the command prints.
fn digests(output: &str) -> Vec<&str> {
    let lines = output.lines();
    lines
        .filter(|line| line.split_whitespace().count() == 3)
        .collect()
}

#[tokio::test]
async fn everything_goes_to_postgresql_and_back() {
    let dir = folder().await;
    let (there, back) = (
        Server::shared().empty_database(),
        tempfile::tempdir().unwrap(),
    );
    let back = back.path().join("a").join("b");
    // Opened once, so that nothing is left to do for the move.
    let moved = done(&program(text(dir.path()), &there.url(), ""));
    let before = content_of_folder(dir.path());
    for (table, rows) in &before {
        assert!(!rows.is_empty(), "the test has no row of {table}");
    }
    assert!(before["leads"].len() > 3000);
    same(
        &content_of_database(&there, before.keys().cloned()),
        &before,
    );
    let returned = done(&program(&there.url(), text(&back), ""));
    same(&content_of_folder(&back), &before);
    assert_eq!(digests(&moved).len(), before.len(), "{moved}");
    assert_eq!(digests(&moved), digests(&returned));
    assert_eq!(counters(&back), counters(dir.path()));
    same(&content_of_folder(dir.path()), &before);

    // The number of a workspace that was deleted is not used again, and others go on after the largest.
    let number = |table: &str, column: &str| -> i64 {
        let sql = format!("SELECT max({column}) FROM {table}");
        open(&back).query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    let tenant =
        "INSERT INTO tenants (tenant_id, name, created_at) VALUES ('n', 'n', '') RETURNING tenant";
    assert_eq!(there.sql(tenant), "5");
    assert_eq!(number("tenants", "tenant"), 3);
    let lead = "INSERT INTO leads (tenant, lead_id, created_at) VALUES (1, 'new', '') RETURNING id";
    assert_eq!(there.sql(lead), (number("leads", "id") + 1).to_string());
    // Complete, with indexes and permissions, for the program of a service.
    done(&run(&["doctor"], &back));
    drop(start(&back, &[]));
}

#[tokio::test]
async fn a_destination_keeps_other_data() {
    let (one, other) = (demo_folder(5).await, demo_folder(7).await);
    let database = Server::shared().empty_database();
    let url = database.url();
    done(&program(text(one.path()), &url, ""));
    let before = content_of_folder(one.path());
    let leads = "SELECT count(*) FROM leads";

    let again = done(&program(text(one.path()), &url, ""));
    assert!(again.contains("complete before"), "{again}");
    let message = refused(&program(text(other.path()), &url, ""));
    assert!(
        message.contains("leads (7 rows in the source, 5 in the destination)")
            && message.contains("Nothing was changed"),
        "{message}"
    );
    assert_eq!(database.sql(leads), "5");

    let again = done(&program(&url, text(one.path()), ""));
    assert!(again.contains("complete before"), "{again}");
    let kept = content_of_folder(other.path());
    let message = refused(&program(&url, text(other.path()), ""));
    assert!(message.contains("has other data"), "{message}");
    same(&content_of_folder(other.path()), &kept);
    same(&content_of_folder(one.path()), &before);

    database.sql("UPDATE leads SET title = 'New' WHERE id = 3");
    let message = refused(&program(&url, text(one.path()), ""));
    assert!(
        message.contains("leads (5 rows, but not the same)"),
        "{message}"
    );
    database
        .sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE theirs (id bigint);");
    let message = refused(&program(text(one.path()), &url, ""));
    assert!(message.contains("another program"), "{message}");
    let message = refused(&program(&url, text(one.path()), ""));
    assert!(
        message.contains("no workspace in the database"),
        "{message}"
    );
}

#[tokio::test]
async fn a_move_that_is_killed_can_be_repeated() {
    let dir = demo_folder(50).await;
    let database = Server::shared().empty_database();
    let back = tempfile::tempdir().unwrap();
    let names = |dir: &Path| -> Vec<_> {
        let entries = std::fs::read_dir(dir).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let killed = |from: &str, to: &str, at: &str| {
        let output = program(from, to, at);
        assert_eq!(output.status.code(), None, "{output:?}");
    };
    for at in ["Move:1", "Move:12", "Move:25"] {
        killed(text(dir.path()), &database.url(), at);
        let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
        assert_eq!(database.sql(tables), "0");
    }
    let moved = done(&program(text(dir.path()), &database.url(), ""));
    assert!(moved.contains("All "), "{moved}");
    for at in ["Move:3", "Move:25", "Index:2", "Index:20"] {
        killed(&database.url(), text(back.path()), at);
        assert!(!back.path().join(DATABASE_FILE).exists());
    }
    done(&program(&database.url(), text(back.path()), ""));
    assert_eq!(names(back.path()), ["lock", DATABASE_FILE]);
    same(
        &content_of_folder(back.path()),
        &content_of_folder(dir.path()),
    );
}

#[tokio::test]
async fn a_source_or_destination_in_use_is_refused() {
    let dir = demo_folder(5).await;
    let database = Server::shared().empty_database();
    let running = start(dir.path(), &[]);
    for (from, to) in [
        (text(dir.path()), &*database.url()),
        (&*moved_database().url(), text(dir.path())),
    ] {
        let message = refused(&program(from, to, ""));
        let process = format!("in use by another process (process {})", running.child.id());
        assert!(message.contains(&process), "{message}");
    }
}

/// A key of the folder is valid in the database. While a service uses that, it cannot be moved.
#[test]
fn a_service_goes_on_in_the_new_place() {
    let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let database = Server::shared().empty_database();
    let url = database.url();
    let first = start(old.path(), &["--demo", "20"]);
    let key = first.key.clone();
    drop(first);
    done(&program(text(old.path()), &url, ""));

    let mut serve = program::program(&["serve", "--port", "0", "--print-key"]);
    serve.args(["--database", &url]);
    let mut service = program::start_by(serve);
    assert_ne!(service.key, key);
    service.key = key;
    let query = json!({"page_size": 1});
    let total =
        |service: &Running| service.call("POST", "/api/leads/query", &query).1["total"].clone();
    assert_eq!(total(&service), 20);
    let message = refused(&program(&url, text(new.path()), ""));
    assert!(
        message.contains("the database is in use") && message.contains("Nothing was changed"),
        "{message}"
    );
    assert!(!new.path().join(DATABASE_FILE).exists());
    drop(service);

    done(&program(&url, text(new.path()), ""));
    assert_eq!(total(&start(new.path(), &[])), 20);
}

/// A database with a workspace.
fn moved_database() -> Database {
    let database = Server::shared().empty_database();
    let dir = tempfile::tempdir().unwrap();
    drop(lead_workspace_service::Store::open(dir.path()).unwrap());
    done(&program(text(dir.path()), &database.url(), ""));
    database
}

#[test]
fn an_error_says_what_is_wrong_and_hides_the_password() {
    let dir = tempfile::tempdir().unwrap();
    drop(lead_workspace_service::Store::open(dir.path()).unwrap());
    let (known, missing) = (text(dir.path()), dir.path().join("none"));
    let server = Server::shared();
    let url = "postgres://u:s3cret@127.0.0.1:1/x";
    for (from, to, words) in [
        (text(&missing), url, "there is no workspace in the folder"),
        (known, url, "cannot be reached"),
        (url, known, "cannot be reached"),
        (known, "postgres://u:s3cret@h/x?y=1", "cannot be read"),
        (known, "mysql://u:s3cret@h/x", "cannot be read"),
        (known, text(&missing), "one of --from and --to"),
        (url, url, "one of --from and --to"),
        (known, &server.url("s-none"), "does not exist"),
    ] {
        let message = refused(&program(from, to, ""));
        assert!(
            message.contains(words) && !message.contains("s3cret"),
            "{message}"
        );
    }
    assert!(!missing.exists());
    let both = ["move", "--from", url, "--to", "x"];
    let mut both = program::program(&both);
    let unused = both.args(["--to-database-file", "y"]).output().unwrap();
    assert!(!String::from_utf8_lossy(&unused.stderr).contains("s3cret"));
}

#[test]
fn the_url_can_be_in_a_file() {
    let dir = tempfile::tempdir().unwrap();
    drop(lead_workspace_service::Store::open(dir.path()).unwrap());
    let database = Server::shared().empty_database();
    let file = dir.path().join("url");
    std::fs::write(&file, database.url()).unwrap();
    let by_file = |arguments: [&str; 4]| {
        let mut command = program::program(&["move"]);
        done(&command.args(arguments).output().unwrap())
    };
    let (dir, file) = (text(dir.path()), text(&file));
    let moved = by_file(["--from", dir, "--to-database-file", file]);
    assert!(moved.contains("are in the database"), "{moved}");
    let again = by_file(["--from-database-file", file, "--to", dir]);
    assert!(again.contains("complete before"), "{again}");
}

#[tokio::test]
async fn a_nul_is_replaced_and_reported() {
    let service = Service::demo(3).await;
    let change = |db: Db<'_>| {
        let sql = "UPDATE leads SET title = 'a' || char(0) || 'b', name = char(0) WHERE id = 2";
        Ok(db.sqlite().execute_batch(sql)?)
    };
    service.store.write(change).await.unwrap();
    let dir = service.dir;
    drop((service.store, service.router));
    let database = Server::shared().empty_database();
    let moved = done(&program(text(dir.path()), &database.url(), ""));
    assert!(moved.contains("2 texts contain a NUL"), "{moved}");
    assert_eq!(
        database.sql("SELECT title, name FROM leads WHERE id = 2"),
        "a\u{fffd}b|\u{fffd}"
    );
    let again = done(&program(text(dir.path()), &database.url(), ""));
    assert!(again.contains("complete before"), "{again}");
}
