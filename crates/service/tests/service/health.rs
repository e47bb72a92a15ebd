//! The probes: `/livez` and `/readyz`, with a check for each part.

use http::StatusCode;
use lead_workspace_service::store::DATABASE_FILE;
use lead_workspace_service::store::Db;
use serde_json::{Value, json};

use super::common::{Answer, Service};

/// The reason of a check; empty if it passed.
fn reason(answer: &Answer, name: &str) -> String {
    let body = answer.json();
    let checks = body["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["name"] == name);
    let check = check.unwrap_or_else(|| panic!("{name}: {body}"));
    assert_eq!(check["ok"].as_bool().unwrap(), check["reason"].is_null());
    check["reason"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_working_service_is_ready() {
    let service = Service::empty().await;
    // `/health` is the older name.
    for path in ["/readyz", "/health"] {
        let answer = service.get(path).await;
        assert_eq!(answer.status, StatusCode::OK);
        let passed = |name| json!({"name": name, "ok": true});
        let checks = ["database", "writer", "commit", "disk_space", "running"].map(passed);
        assert_eq!(answer.json(), json!({"status": "ready", "checks": checks}));
    }
    let answer = service.get("/livez").await;
    assert_eq!(
        (answer.status, answer.json()),
        (StatusCode::OK, json!({"status": "ok"}))
    );
}

#[tokio::test]
async fn a_service_without_its_database_is_not_ready() {
    let service = Service::empty().await;
    std::fs::remove_file(service.dir.path().join(DATABASE_FILE)).unwrap();
    let answer = service.get("/readyz").await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.headers.contains_key("retry-after"));
    assert_eq!(answer.json()["status"], "not ready");
    assert_eq!(reason(&answer, "database"), "the database cannot be read");
    // It still lives: a restart would not help.
    assert_eq!(service.get("/livez").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_service_with_a_damaged_database_is_not_ready() {
    let service = Service::empty().await;
    let path = service.dir.path().join(DATABASE_FILE);
    // Moves the whole log into the database file, so that reads use the file.
    service.sql("PRAGMA user_version").await;
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    let length = std::fs::metadata(&path).unwrap().len();
    std::fs::write(&path, vec![b'x'; usize::try_from(length).unwrap()]).unwrap();
    let answer = service.get("/readyz").await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(reason(&answer, "database"), "the database cannot be read");
}

#[tokio::test]
async fn a_service_that_cannot_write_is_not_ready() {
    let service = Service::empty().await;
    let change = |db: Db<'_>| Ok(db.sqlite().execute_batch("PRAGMA query_only = ON")?);
    service.store.write(change).await.unwrap_err();
    let answer = service.get("/readyz").await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(
        reason(&answer, "commit"),
        "the last change could not be written"
    );
    for passed in ["database", "writer", "disk_space", "running"] {
        assert_eq!(reason(&answer, passed), "", "{passed}");
    }
}

/// Slow reads hold every connection that serves reads.
#[tokio::test]
async fn probes_do_not_wait_for_slow_reads() {
    let service = Service::empty().await;
    let (began, has_begun) = std::sync::mpsc::channel();
    let slow: Vec<_> = (0..200)
        .map(|_| {
            let (store, began) = (service.store.clone(), began.clone());
            tokio::spawn(async move {
                let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                               SELECT max(i) FROM n";
                let read = move |db: Db<'_>| {
                    let _ = began.send(());
                    Ok(db
                        .sqlite()
                        .query_row(endless, [], |row| row.get::<_, i64>(0))?)
                };
                store.read(read).await
            })
        })
        .collect();
    tokio::task::spawn_blocking(move || has_begun.recv().unwrap())
        .await
        .unwrap();
    assert_eq!(service.get("/readyz").await.status, StatusCode::OK);
    slow.iter().for_each(tokio::task::JoinHandle::abort);
}

/// A request in flight keeps the program from ending, which makes the time of the stop long enough
/// to look at.
#[cfg(unix)]
#[test]
fn a_stopping_service_is_not_ready_before_it_refuses_connections() {
    use std::io::Write;

    use crate::metrics::metrics_address;
    use crate::program::{Running, start, terminate};

    let ready = |running: &Running| running.call("GET", "/readyz", &Value::Null);
    let dir = tempfile::tempdir().unwrap();
    let mut running = start(
        dir.path(),
        &["--metrics", "127.0.0.1:0", "--stop-delay", "300"],
    );
    let api = running.address.clone();
    let probes = metrics_address(dir.path());
    let mut in_flight = std::net::TcpStream::connect(&api).unwrap();
    write!(
        in_flight,
        "POST /api/leads/query HTTP/1.1\r\nhost: localhost\r\n"
    )
    .unwrap();
    assert_eq!(ready(&running).0, 200);
    terminate(&running.child);
    for address in [api, probes] {
        running.address = address;
        let mut answer = ready(&running);
        // The signal takes a moment.
        while answer.0 == 200 {
            answer = ready(&running);
        }
        let (status, body) = answer;
        assert_eq!(status, 503);
        let stopping = json!({"name": "running", "ok": false, "reason": "the service is stopping"});
        let checks = body["checks"].as_array().unwrap();
        assert!(checks.contains(&stopping), "{body}");
    }
}
