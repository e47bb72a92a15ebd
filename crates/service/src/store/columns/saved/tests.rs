use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use lead_workspace_api::LeadField;
use lead_workspace_index::ChangeKind;

use super::{Column, ColumnId, FILE, IndexHost, Saved};
use crate::demo;
use crate::store::Db;
use crate::store::columns::Changes;
use crate::store::db::params;
use crate::store::{DATABASE_FILE, Store, Tenant};

fn in_memory(store: &Store) -> HashMap<ColumnId, Arc<Column>> {
    let columns = store.index();
    let state = columns.lock();
    let loaded = state.loaded.iter();
    loaded
        .map(|((_, id), loaded)| (*id, Arc::clone(&loaded.column)))
        .collect()
}

/// Fills a folder, and returns the columns that its stop saved.
async fn saved(dir: &Path) -> HashMap<ColumnId, Arc<Column>> {
    let store = Store::open(dir).unwrap();
    let tenant = store.read(Tenant::default_of).await.unwrap();
    demo::fill(&store, tenant, 120, 3, demo::EXAMPLE_NOW, |_, _, _| {})
        .await
        .unwrap();
    store.load_columns().await.unwrap();
    let columns = in_memory(&store);
    assert_eq!(columns.len(), ColumnId::ALL.len());
    drop(store);
    assert!(dir.join(FILE).exists());
    for log in ["-wal", "-shm"] {
        assert!(!dir.join(format!("{DATABASE_FILE}{log}")).exists(), "{log}");
    }
    columns
}

#[tokio::test]
async fn columns_are_the_same_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let before = saved(dir.path()).await;
    let store = Store::open(dir.path()).unwrap();
    assert!(in_memory(&store) == before);
    assert!(!dir.path().join(FILE).exists());
}

#[tokio::test]
async fn columns_of_another_state_are_not_used() {
    let dir = tempfile::tempdir().unwrap();
    saved(dir.path()).await;
    let database = dir.path().join(DATABASE_FILE);
    let other = rusqlite::Connection::open(database).unwrap();
    other
        .execute_batch("UPDATE tenants SET name = 'Renamed'")
        .unwrap();
    drop(other);
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(in_memory(&store).len(), 0);
    assert!(!dir.path().join(FILE).exists());
}

#[tokio::test]
async fn a_damaged_file_is_not_used() {
    let dir = tempfile::tempdir().unwrap();
    let before = saved(dir.path()).await;
    let file = dir.path().join(FILE);
    let bytes = std::fs::read(&file).unwrap();
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    for damaged in [&bytes[..bytes.len() - 1], &changed] {
        // Nothing is written by the open and the stop in between, so the state is the same.
        std::fs::write(&file, damaged).unwrap();
        let columns = IndexHost::new(Changes::default());
        let database = dir.path().join(DATABASE_FILE);
        let connection = rusqlite::Connection::open(database).unwrap();
        Saved::find(dir.path()).unwrap().take(&columns, &connection);
        assert_eq!(columns.lock().loaded.len(), before.len() - 1);
    }
}

/// A column that no read has used since a change is brought up to date by the stop.
#[tokio::test]
async fn changes_before_the_stop_are_saved() {
    let dir = tempfile::tempdir().unwrap();
    let before = saved(dir.path()).await;
    let store = Store::open(dir.path()).unwrap();
    store.load_columns().await.unwrap();
    let decide = "UPDATE leads SET approval_status = 'filtered' WHERE tenant = ?1";
    store
        .write(move |db| {
            (1..=120).for_each(|lead| db.touch(Tenant(1), ChangeKind::STATUS, lead));
            db.execute(decide, params![1_i64])
        })
        .await
        .unwrap();
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    let after = in_memory(&store);
    assert_eq!(after.len(), before.len());
    let status = &after[&ColumnId::Lead(LeadField::ApprovalStatus)];
    assert_eq!(status.rows_of_value(&"filtered".into()).len(), 120);
}

fn has_name(bytes: &[u8]) -> bool {
    let part = b"konstanze";
    bytes.windows(part.len()).any(|bytes| bytes == part)
}

#[tokio::test]
async fn nothing_that_was_deleted_is_saved() {
    let dir = tempfile::tempdir().unwrap();
    saved(dir.path()).await;
    for sql in [
        "UPDATE leads SET name = 'Konstanze Wellenreiter', name_folded = NULL
           WHERE tenant = ?1 AND id = 7",
        "DELETE FROM leads WHERE tenant = ?1 AND id = 7",
    ] {
        let store = Store::open(dir.path()).unwrap();
        store.load_columns().await.unwrap();
        store
            .write(move |db| {
                db.touch(Tenant(1), ChangeKind::ALL, 7);
                db.execute(sql, params![1_i64])
            })
            .await
            .unwrap();
        let columns = store.index();
        let read = move |db: Db<'_>| {
            let tenant = Tenant::default_of(db)?;
            let id = ColumnId::Lead(LeadField::Name);
            Ok(columns.read(db, tenant, &[id])?.get(id).clone())
        };
        let name = store.read(read).await.unwrap().to_bytes();
        assert!(has_name(&name));
        drop(store);
        let bytes = std::fs::read(dir.path().join(FILE)).unwrap();
        assert_eq!(has_name(&bytes), sql.starts_with("UPDATE"), "{sql}");
    }
}
