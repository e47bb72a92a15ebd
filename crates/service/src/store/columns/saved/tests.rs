use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::{Column, ColumnId, FILE};
use crate::demo;
use crate::store::{DATABASE_FILE, Store, Tenant};

fn in_memory(store: &Store) -> HashMap<ColumnId, Arc<Column>> {
    let columns = store.columns();
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
    demo::fill(&store, tenant, 120, 3, |_, _, _| {})
        .await
        .unwrap();
    store.load_columns().await.unwrap();
    let columns = in_memory(&store);
    assert_eq!(columns.len(), 48);
    drop(store);
    assert!(dir.join(FILE).exists());
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
    std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(in_memory(&store).len(), before.len() - 1);
    assert!(!file.exists());
}

#[tokio::test]
async fn nothing_that_was_deleted_is_saved() {
    let dir = tempfile::tempdir().unwrap();
    saved(dir.path()).await;
    for sql in [
        "UPDATE leads SET name = 'Konstanze Wellenreiter', name_key = 'konstanze wellenreiter' WHERE id = 7",
        "DELETE FROM leads WHERE id = 7",
    ] {
        let store = Store::open(dir.path()).unwrap();
        store.load_columns().await.unwrap();
        store
            .write(move |connection| Ok(connection.execute_batch(sql)?))
            .await
            .unwrap();
        let columns = store.columns();
        let read = move |connection: &rusqlite::Connection| {
            let tenant = Tenant::default_of(connection)?;
            let snapshot = columns.snapshot(connection, tenant)?.unwrap();
            snapshot.column(ColumnId("l.name_key"))
        };
        let name = store.read(read).await.unwrap().unwrap();
        assert!(
            name.dictionary
                .position(&"konstanze wellenreiter".into())
                .is_some()
        );
        drop((store, name));
        let bytes = std::fs::read(dir.path().join(FILE)).unwrap();
        let part = b"konstanze";
        let is_saved = bytes.windows(part.len()).any(|bytes| bytes == part);
        assert_eq!(is_saved, sql.starts_with("UPDATE"), "{sql}");
    }
}
