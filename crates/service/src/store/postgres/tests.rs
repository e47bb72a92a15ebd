//! Reads and writes on a real server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use lead_workspace_test_postgres::{Database, Server};
use tokio::sync::Barrier;

use super::{Pool, Postgres, READS, Target, run};
use crate::metrics::StoreMetrics;
use crate::store::db::{Db, List, Value, params};
use crate::store::error::StoreError;

mod citus;
mod exclusive;
mod leases;
mod pooler;
mod processes;
mod schema;

/// Makes the tables in the template.
fn prepare(url: &str) {
    let target = Target::of_url(url).unwrap();
    // The caller may be in a runtime, which must not block.
    let migrated = std::thread::spawn(|| Pool::open(target).map(drop));
    migrated.join().unwrap().unwrap();
}

fn database() -> Database {
    Server::shared().database(prepare)
}

async fn open(database: &Database) -> Arc<Postgres> {
    Arc::new(opened(&database.url()).await.unwrap())
}

async fn opened(url: &str) -> Result<Postgres, StoreError> {
    let target = Target::of_url(url).unwrap();
    run(|| Postgres::open(target, StoreMetrics::new())).await
}

async fn opening(url: &str) -> String {
    opened(url).await.map(drop).unwrap_err().to_string()
}

fn add_signal(db: Db<'_>, id: &str) -> Result<u64, StoreError> {
    let sql = "INSERT INTO signals (tenant, signal_id, name) VALUES (1, ?1, ?1)";
    db.execute(sql, params![id])
}

fn signals(db: Db<'_>) -> Result<i64, StoreError> {
    db.value("SELECT count(*) FROM signals WHERE tenant = 1", &[])
}

#[tokio::test]
async fn values_of_all_types_are_the_same_when_they_come_back() {
    let database = database();
    let postgres = open(&database).await;
    let read = postgres.read(None, |db| {
        let sql = "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 1 = 1 AS truth";
        let bytes: &[u8] = &[0, 255];
        let none: Option<i64> = None;
        let params = params![i64::MAX, 0.1, "ä", bytes, true, none, Value::Null];
        db.one(sql, params, |row| {
            assert_eq!(row.get::<i64>(0)?, i64::MAX);
            assert_eq!(row.get::<f64>(1)?.to_bits(), 0.1_f64.to_bits());
            assert_eq!(row.get::<String>(2)?, "ä");
            assert_eq!(row.get::<Vec<u8>>(3)?, [0, 255]);
            assert!(row.get::<bool>(4)?);
            assert_eq!(row.get::<Option<i64>>(5)?, None);
            assert_eq!(row.get::<Value>(6)?, Value::Null);
            assert!(row.get::<bool>("truth")?);
            assert!(row.get::<i64>("lie").is_err() && row.get::<i64>(8).is_err());
            assert!(row.get::<i64>(2).is_err());
            Ok(())
        })
    });
    read.await.unwrap();
}

#[tokio::test]
async fn lists_are_read_as_rows() {
    let database = database();
    let postgres = open(&database).await;
    let read = postgres.read(None, |db| {
        let sql = "SELECT page.value FROM json_each(?1) page";
        let integers = List::integers(vec![3, 1]);
        let read: Vec<i64> = db.rows(sql, params![integers], |row| row.get(0))?;
        assert_eq!(read, [3, 1]);
        let texts = List::texts(vec!["a\"b".into(), "\0".into()]);
        let read: Vec<String> = db.rows(sql, params![texts], |row| row.get(0))?;
        assert_eq!(read, ["a\"b", "\u{fffd}"]);
        let reals = List::reals(vec![0.5]);
        let read: Vec<f64> = db.rows(sql, params![reals], |row| row.get(0))?;
        assert_eq!(read, [0.5]);
        let none = List::integers(Vec::new());
        assert!(!db.exists(sql, params![none])?);
        Ok(())
    });
    read.await.unwrap();
}

#[tokio::test]
async fn a_statement_can_run_while_rows_of_another_are_read() {
    let database = database();
    let postgres = open(&database).await;
    let read = postgres.read(None, |db| {
        let sql = "SELECT value FROM json_each(?1)";
        let numbers = List::integers(vec![1, 2]);
        db.rows(sql, params![numbers], |row| {
            db.value::<i64>("SELECT ?1 + 1", params![row.get::<i64>(0)?])
        })
    });
    let read: Vec<i64> = read.await.unwrap();
    assert_eq!(read, [2, 3]);
}

#[tokio::test]
async fn a_failed_change_leaves_no_trace() {
    let database = database();
    let postgres = open(&database).await;
    let failed = postgres.write(None, |db| {
        add_signal(db, "kept")?;
        add_signal(db, "kept")
    });
    let error = failed.await.unwrap_err().to_string();
    assert!(
        error.contains("duplicate key") && error.contains("not saved"),
        "{error}"
    );
    let panicked = postgres.write(None, |db| {
        add_signal(db, "kept")?;
        assert_eq!(signals(db)?, 2);
        Ok(())
    });
    assert!(matches!(panicked.await, Err(StoreError::Panicked)));
    assert_eq!(postgres.read(None, signals).await.unwrap(), 0);
    let changed = postgres.write(None, |db| add_signal(db, "kept")).await;
    assert_eq!(changed.unwrap(), 1);
    assert_eq!(postgres.read(None, signals).await.unwrap(), 1);
}

#[tokio::test]
async fn a_change_that_goes_on_after_an_error_fails() {
    let database = database();
    let postgres = open(&database).await;
    let failed = postgres.write(None, |db| {
        add_signal(db, "twice")?;
        let _ = add_signal(db, "twice");
        Ok(())
    });
    let error = failed.await.unwrap_err().to_string();
    assert!(error.contains("a statement failed"), "{error}");
    assert_eq!(postgres.read(None, signals).await.unwrap(), 0);
}

#[tokio::test]
async fn a_read_sees_one_state() {
    let database = database();
    let postgres = open(&database).await;
    let (before, reader) = (Arc::new(std::sync::Barrier::new(2)), Arc::clone(&postgres));
    let after = Arc::clone(&before);
    let read = tokio::spawn(async move {
        let read = move |db: Db<'_>| {
            let first = signals(db)?;
            after.wait();
            after.wait();
            Ok((first, signals(db)?))
        };
        reader.read(None, read).await
    });
    let wait = |barrier: &Arc<std::sync::Barrier>| {
        let barrier = Arc::clone(barrier);
        tokio::task::spawn_blocking(move || _ = barrier.wait())
    };
    wait(&before).await.unwrap();
    postgres
        .write(None, |db| add_signal(db, "new"))
        .await
        .unwrap();
    wait(&before).await.unwrap();
    assert_eq!(read.await.unwrap().unwrap(), (0, 0));
    assert_eq!(postgres.read(None, signals).await.unwrap(), 1);
}

#[tokio::test]
async fn a_read_cannot_write() {
    let database = database();
    let postgres = open(&database).await;
    let refused = postgres.read(None, |db| add_signal(db, "x")).await;
    assert!(matches!(refused, Err(StoreError::ReadOnlyServer { .. })));
}

/// Two changes lock two rows in opposite orders.
#[tokio::test]
async fn a_change_that_is_in_a_deadlock_is_run_again() {
    let database = database();
    let postgres = open(&database).await;
    for id in ["one", "two"] {
        postgres
            .write(None, move |db| add_signal(db, id))
            .await
            .unwrap();
    }
    let both = Arc::new(std::sync::Barrier::new(2));
    let attempts = Arc::new(AtomicU32::new(0));
    let change = |ids: [&'static str; 2]| {
        let (both, attempts) = (Arc::clone(&both), Arc::clone(&attempts));
        postgres.write(None, move |db| {
            let sql = "UPDATE signals SET name = name || '+' WHERE tenant = 1 AND signal_id = ?1";
            db.execute(sql, params![ids[0]])?;
            if attempts.fetch_add(1, Ordering::SeqCst) < 2 {
                both.wait();
            }
            db.execute(sql, params![ids[1]])
        })
    };
    let (one, other) = tokio::join!(change(["one", "two"]), change(["two", "one"]));
    assert_eq!((one.unwrap(), other.unwrap()), (1, 1));
    assert_eq!(attempts.load(Ordering::SeqCst), 3);
    let names = database.sql("SELECT name FROM signals ORDER BY signal_id");
    assert_eq!(names, "one++\ntwo++");
}

#[tokio::test]
async fn a_change_that_always_conflicts_fails_after_some_attempts() {
    let database = database();
    let postgres = open(&database).await;
    let attempts = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&attempts);
    let change = postgres.write(None, move |db| {
        counted.fetch_add(1, Ordering::SeqCst);
        let sql = "DO $$ BEGIN RAISE SQLSTATE '40001'; END $$";
        db.execute(sql, &[])
    });
    assert!(matches!(change.await, Err(StoreError::Conflict)));
    assert_eq!(attempts.load(Ordering::SeqCst), 8);
}

#[tokio::test]
async fn a_read_is_cancelled_when_its_caller_goes() {
    let database = database();
    let postgres = open(&database).await;
    let sleeping = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'";
    let begun = Arc::new(Barrier::new(2));
    let reading = Arc::clone(&begun);
    let read = tokio::spawn({
        let postgres = Arc::clone(&postgres);
        async move {
            tokio::join!(
                postgres.read(None, |db| db
                    .value::<String>("SELECT pg_sleep(600)::text", &[])),
                reading.wait()
            )
            .0
        }
    });
    begun.wait().await;
    while database.sql(sleeping) != "1" {
        tokio::task::yield_now().await;
    }
    read.abort();
    while database.sql(sleeping) != "0" {
        tokio::task::yield_now().await;
    }
    assert_eq!(postgres.read(None, signals).await.unwrap(), 0);
}

#[tokio::test]
async fn lost_connections_are_replaced() {
    let server: &'static Server = Box::leak(Box::new(Server::start().unwrap()));
    let database = server.database(prepare);
    let postgres = open(&database).await;
    let add = |id: &'static str| postgres.write(None, move |db| add_signal(db, id));
    tokio::join!(add("1"), add("2"), add("3")).0.unwrap();
    server.restart();
    for id in ["4", "5", "6"] {
        add(id).await.unwrap();
    }
    assert_eq!(postgres.read(None, signals).await.unwrap(), 6);
    // In the middle of a change, which is run again.
    let has_restarted = AtomicBool::new(false);
    let again = postgres.write(None, move |db| {
        let signals = add_signal(db, "7")?;
        if !has_restarted.swap(true, Ordering::SeqCst) {
            server.restart();
        }
        add_signal(db, "8").map(|more| signals + more)
    });
    assert_eq!(again.await.unwrap(), 2);
    // At its end.
    let lost = postgres.write(None, |db| {
        add_signal(db, "9")?;
        server.restart();
        Ok(())
    });
    let error = lost.await.unwrap_err();
    assert!(matches!(error, StoreError::CommitUnknown { .. }), "{error}");
    assert_eq!(postgres.read(None, signals).await.unwrap(), 8);
}

#[tokio::test]
async fn more_reads_than_connections_wait() {
    let database = database();
    let postgres = open(&database).await;
    let reads = (0..32).map(|_| postgres.read(None, signals));
    for read in futures_util::future::join_all(reads).await {
        assert_eq!(read.unwrap(), 0);
    }
    let name = database.sql("SELECT current_database()");
    let open = format!(
        "SELECT count(*) <= {READS} FROM pg_stat_activity WHERE datname = '{name}' AND pid <> pg_backend_pid()"
    );
    assert_eq!(database.sql(&open), "t");
}

#[tokio::test]
async fn an_error_says_what_to_do_and_hides_the_password() {
    let server = Server::shared();
    let missing = opening(&server.url("nothing")).await;
    assert!(
        missing.contains("does not exist") && missing.contains("Create it"),
        "{missing}"
    );
    let unreachable = opening("postgres://u:s3cret@127.0.0.1:1/x").await;
    assert!(unreachable.contains("cannot be reached"), "{unreachable}");
    let database = server.empty_database();
    let other = database.url().replace("test@", "nobody:s3cret@");
    let refused = opening(&other).await;
    assert!(
        refused.contains("refuses access") && refused.contains("nobody"),
        "{refused}"
    );
    let encrypted = opening(&format!("{}?sslmode=require", database.url())).await;
    assert!(encrypted.contains("cannot be reached"), "{encrypted}");
    let mut texts = vec![missing, unreachable, refused, encrypted];
    for url in [
        "s3cret",
        "http://u:s3cret@host/x",
        "postgres://u:p@ss@host/x?s3cret=1",
        "postgres://u:p@host/x?sslmode=s3cret",
        "postgres:///x",
        "",
    ] {
        texts.push(Target::of_url(url).map(drop).unwrap_err().to_string());
    }
    let target = Target::of_url("postgres://u:s3cret@host/x?sslmode=disable").unwrap();
    texts.push(format!("{target:?}"));
    for text in texts {
        assert!(!text.contains("s3cret"), "{text}");
    }
}

#[tokio::test]
async fn the_url_can_be_in_a_file() {
    let database = database();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("url");
    std::fs::write(&file, format!("{}\n", database.url())).unwrap();
    let target = Target::of_file(&file).unwrap();
    let postgres = run(|| Postgres::open(target, StoreMetrics::new())).await;
    assert_eq!(postgres.unwrap().read(None, signals).await.unwrap(), 0);
    let missing = Target::of_file(&dir.path().join("none")).map(drop);
    assert!(missing.unwrap_err().to_string().contains("none"));
}
