//! Tests of the writer: groups, rollbacks, and a writer thread that has ended.

use std::sync::mpsc::{Sender, channel};

use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::handle::Store;

fn add(db: Db<'_>, name: &str) -> Result<(), StoreError> {
    let sql = "INSERT INTO tenants (tenant_id, name, created_at) VALUES (?1, '', '')";
    Ok(db.sqlite().execute(sql, [name]).map(drop)?)
}

fn open() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    (dir, store)
}

/// Blocks the writer until it gets a message, so that the following changes share a group.
fn hold_up(store: &Store) -> Sender<()> {
    let (go_on, goes_on) = channel();
    let store = store.clone();
    tokio::spawn(async move {
        let wait = move |_: Db<'_>| {
            goes_on.recv().unwrap();
            Ok(())
        };
        store.write(wait).await
    });
    go_on
}

/// Runs a successful change and the given one in the same group, and returns both results.
async fn grouped(
    store: &Store,
    change: impl Fn(Db<'_>) -> Result<(), StoreError> + Send + 'static,
) -> (Result<(), StoreError>, Result<(), StoreError>) {
    let go_on = hold_up(store);
    let (first, second) = (store.clone(), store.clone());
    let neighbor = tokio::spawn(async move {
        let neighbor = |db: Db<'_>| add(db, "neighbor");
        first.write(neighbor).await
    });
    let failed = tokio::spawn(async move { second.write(change).await });
    // All three tasks run up to their first await, so their changes are queued.
    tokio::task::yield_now().await;
    go_on.send(()).unwrap();
    (neighbor.await.unwrap(), failed.await.unwrap())
}

async fn names(store: &Store) -> Vec<String> {
    let read = |db: Db<'_>| {
        let mut select = db
            .sqlite()
            .prepare("SELECT tenant_id FROM tenants ORDER BY tenant")?;
        let rows = select.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    };
    store.read(read).await.unwrap()
}

#[tokio::test]
async fn all_writes_of_a_rolled_back_group_get_the_cause() {
    let (_dir, store) = open();
    let (neighbor, failed) = grouped(&store, |db| {
        let sql = "INSERT OR ROLLBACK INTO tenants (tenant, tenant_id, name, created_at)
                   VALUES (1, 'default', '', '')";
        Ok(db.sqlite().execute(sql, []).map(drop)?)
    })
    .await;
    for message in [neighbor, failed] {
        let message = message.unwrap_err().to_string();
        assert!(message.contains("UNIQUE constraint failed"), "{message}");
        assert!(message.contains("not saved"), "{message}");
    }
    assert_eq!(names(&store).await, ["default"]);
    store.write(|db| add(db, "after")).await.unwrap();
}

#[tokio::test]
async fn a_failed_rollback_of_one_write_fails_its_group() {
    let (_dir, store) = open();
    let (neighbor, failed) = grouped(&store, |db| {
        add(db, "half")?;
        // Releases the savepoint, so there is nothing to roll back to.
        db.sqlite().execute_batch("RELEASE change")?;
        Err(StoreError::Unexpected("on purpose".into()))
    })
    .await;
    for message in [neighbor, failed] {
        let message = message.unwrap_err().to_string();
        assert!(message.contains("on purpose"), "{message}");
    }
    assert_eq!(names(&store).await, ["default"]);
}

/// Panics on the writer's thread, outside of any change.
struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("on purpose");
    }
}

#[tokio::test]
async fn a_change_whose_caller_has_gone_is_not_begun() {
    let (_dir, store) = open();
    let go_on = hold_up(&store);
    let abandoned = tokio::spawn({
        let store = store.clone();
        async move { store.write(|db| add(db, "abandoned")).await }
    });
    tokio::task::yield_now().await;
    abandoned.abort();
    let _ = abandoned.await;
    go_on.send(()).unwrap();
    store.write(|db| add(db, "next")).await.unwrap();
    let names = names(&store).await;
    assert!(names.iter().any(|name| name == "next"), "{names:?}");
    assert!(names.iter().all(|name| name != "abandoned"), "{names:?}");
}

#[tokio::test]
async fn a_stopped_writer_is_reported_by_writes_and_health() {
    let (_dir, store) = open();
    assert!(store.health().await.iter().all(|check| check.ok));
    let ((go_on, goes_on), (begun, begins)) = (channel(), channel());
    let abandoned = tokio::spawn({
        let store = store.clone();
        let change = move |_: Db<'_>| {
            begun.send(()).unwrap();
            goes_on.recv().unwrap();
            Ok(PanicsWhenDropped)
        };
        async move { store.write(change).await.map(std::mem::forget) }
    });
    tokio::task::yield_now().await;
    begins.recv().unwrap();
    abandoned.abort();
    let _ = abandoned.await;
    go_on.send(()).unwrap();
    let message = loop {
        match store.write(|_| Ok(())).await {
            Ok(()) => tokio::task::yield_now().await,
            Err(error) => break error,
        }
    };
    assert!(matches!(message, StoreError::WriterEnded), "{message}");
    while store.health().await.iter().all(|check| check.ok) {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
