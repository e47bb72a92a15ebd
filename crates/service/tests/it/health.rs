//! `/health` checks the database and the writer.

use http::StatusCode;
use lead_workspace_service::store::DATABASE_FILE;

use super::common::Service;

#[tokio::test]
async fn a_working_service_is_healthy() {
    let service = Service::empty().await;
    let answer = service.get("/health").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.text, r#"{"status":"ok"}"#);
}

#[tokio::test]
async fn a_service_without_its_database_is_not_healthy() {
    let service = Service::empty().await;
    std::fs::remove_file(service.dir.path().join(DATABASE_FILE)).unwrap();
    let answer = service.get("/health").await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(answer.text, r#"{"detail":"the database cannot be read"}"#);
}

#[tokio::test]
async fn a_service_with_a_damaged_database_is_not_healthy() {
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
    let answer = service.get("/health").await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn a_service_with_a_read_only_database_is_not_healthy() {
    let service = Service::empty().await;
    let change =
        |connection: &rusqlite::Connection| Ok(connection.execute_batch("PRAGMA query_only = ON")?);
    service.store.write(change).await.unwrap_err();
    let answer = service.get("/health").await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(
        answer.text,
        r#"{"detail":"the database cannot be written"}"#
    );
}

/// Slow reads hold every connection that serves reads.
#[tokio::test]
async fn health_does_not_wait_for_slow_reads() {
    let service = Service::empty().await;
    let (began, has_begun) = std::sync::mpsc::channel();
    let slow: Vec<_> = (0..200)
        .map(|_| {
            let (store, began) = (service.store.clone(), began.clone());
            tokio::spawn(async move {
                let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                               SELECT max(i) FROM n";
                let read = move |connection: &rusqlite::Connection| {
                    let _ = began.send(());
                    Ok(connection.query_row(endless, [], |row| row.get::<_, i64>(0))?)
                };
                store.read(read).await
            })
        })
        .collect();
    tokio::task::spawn_blocking(move || has_begun.recv().unwrap())
        .await
        .unwrap();
    assert_eq!(service.get("/health").await.status, StatusCode::OK);
    slow.iter().for_each(tokio::task::JoinHandle::abort);
}
