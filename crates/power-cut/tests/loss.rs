//! What a power cut leaves, by the setting of SQLite.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use lead_workspace_power_cut::{Disk, Loss};
use rusqlite::Connection;

/// Commits a row, cuts the power during the next one, and returns how many are left.
fn left(synchronous: &str, loss: Loss) -> i64 {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::new(dir.path()).unwrap();
    let path = dir.path().join("test.db");
    let set_up = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (row)";
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(set_up).unwrap();
    let insert = format!("PRAGMA synchronous = {synchronous}; INSERT INTO rows VALUES (1)");
    connection.execute_batch(&insert).unwrap();
    assert!(!disk.is_off());
    disk.cut_after(1);
    connection.execute_batch(&insert).unwrap_err();
    assert!(disk.is_off());
    drop(connection);
    disk.restore(loss, &mut |_| 0).unwrap();
    let connection = Connection::open(&path).unwrap();
    let count = "SELECT count(*) FROM rows";
    connection.query_row(count, [], |row| row.get(0)).unwrap()
}

#[test]
fn only_a_synced_commit_is_left() {
    assert_eq!(left("FULL", Loss::Everything), 1);
    assert_eq!(left("NORMAL", Loss::Everything), 0);
    assert_eq!(left("OFF", Loss::Everything), 0);
    assert_eq!(left("OFF", Loss::Nothing), 1);
}

#[test]
fn an_operation_that_fails_alone_fails_its_commit_only() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::new(dir.path()).unwrap();
    let connection = Connection::open(dir.path().join("test.db")).unwrap();
    let set_up = "PRAGMA journal_mode = WAL; CREATE TABLE rows (row)";
    connection.execute_batch(set_up).unwrap();
    disk.fail_at(1);
    let insert = "INSERT INTO rows VALUES (1)";
    connection.execute_batch(insert).unwrap_err();
    assert!(!disk.is_off());
    connection.execute_batch(insert).unwrap();
}
