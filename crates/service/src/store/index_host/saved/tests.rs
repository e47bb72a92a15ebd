use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use lead_workspace_api::LeadField;
use lead_workspace_index::ChangeKind;

use super::{Column, ColumnId, FILE, IndexHost, Saved};
use crate::demo;
use crate::store::db::{Db, params};
use crate::store::handle::Store;
use crate::store::sqlite::disk::DATABASE_FILE;
use crate::store::sqlite::schema;
use crate::store::tenant::Tenant;

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
    // A process that is killed before it saves again leaves it to the next.
    assert!(dir.path().join(FILE).exists());
}

#[tokio::test]
async fn columns_of_another_state_are_not_used() {
    for is_in_log in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        saved(dir.path()).await;
        let database = dir.path().join(DATABASE_FILE);
        let other = rusqlite::Connection::open(database).unwrap();
        other
            .execute_batch("UPDATE tenants SET name = 'Renamed'")
            .unwrap();
        // The last connection moves the log into the database.
        let other = is_in_log.then_some(other);
        let store = Store::open(dir.path()).unwrap();
        assert_eq!(in_memory(&store).len(), 0, "{is_in_log}");
        assert!(!dir.path().join(FILE).exists());
        drop(other);
    }
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
        let columns = IndexHost::default();
        let database = dir.path().join(DATABASE_FILE);
        let connection = rusqlite::Connection::open(database).unwrap();
        let schema = schema::known();
        let saved = Saved::find(dir.path(), schema).unwrap();
        saved.take(&columns, (&connection).into());
        assert_eq!(columns.lock().loaded.len(), before.len() - 1);
    }
}

/// Copies a folder as a process leaves it that is killed.
fn killed(dir: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let log = format!("{DATABASE_FILE}-wal");
    for file in [DATABASE_FILE, &log, FILE] {
        std::fs::copy(dir.join(file), copy.path().join(file)).unwrap();
    }
    copy
}

async fn decide_all(store: &Store, status: &'static str) {
    let decide = "UPDATE leads SET approval_status = ?2 WHERE tenant = ?1";
    let change = move |db: Db<'_>| {
        (1..=120).for_each(|lead| db.touch(Tenant(1), ChangeKind::STATUS, lead));
        db.execute(decide, params![1_i64, status])
    };
    store.write_in(Tenant(1), change).await.unwrap();
}

async fn has_status(store: &Store, status: &'static str) -> usize {
    let columns = store.index();
    let read = move |db: Db<'_>| {
        let id = ColumnId::Lead(LeadField::ApprovalStatus);
        let columns = columns.read(db, Tenant(1), &[id])?;
        Ok(columns.get(id).rows_of_value(&status.into()).len())
    };
    store.read(read).await.unwrap()
}

#[tokio::test]
async fn columns_are_brought_up_to_date_after_a_kill() {
    let dir = tempfile::tempdir().unwrap();
    saved(dir.path()).await;
    let store = Store::open(dir.path()).unwrap();
    // What the stop saved, and what the running process saves.
    for (is_saved, status) in [(false, "rejected"), (true, "filtered"), (true, "approved")] {
        if is_saved {
            store.save_columns().await.unwrap();
        }
        decide_all(&store, status).await;
        let killed = killed(dir.path());
        let next = Store::open(killed.path()).unwrap();
        assert_eq!(in_memory(&next).len(), ColumnId::ALL.len(), "{status}");
        assert_eq!(has_status(&next, status).await, 120);
    }
}

#[tokio::test]
async fn the_file_of_another_database_is_not_used() {
    let dir = tempfile::tempdir().unwrap();
    saved(dir.path()).await;
    let store = Store::open(dir.path()).unwrap();
    decide_all(&store, "rejected").await;
    let other = killed(dir.path());
    // From here on, the same versions have other rows.
    decide_all(&store, "approved").await;
    rename(&store).await;
    store.save_columns().await.unwrap();
    let next = Store::open(other.path()).unwrap();
    decide_all(&next, "filtered").await;
    drop(next);
    std::fs::copy(dir.path().join(FILE), other.path().join(FILE)).unwrap();
    let next = Store::open(other.path()).unwrap();
    assert_eq!(in_memory(&next).len(), 0);
    assert_eq!(has_status(&next, "filtered").await, 120);
    assert!(!other.path().join(FILE).exists());
}

async fn rename(store: &Store) {
    let change = |db: Db<'_>| {
        db.touch(Tenant(1), ChangeKind::LEAD, 1);
        let rename = "UPDATE leads SET title = 'Renamed' WHERE tenant = 1 AND id = 1";
        db.execute(rename, &[])
    };
    store.write_in(Tenant(1), change).await.unwrap();
    has_status(store, "rejected").await;
}

#[tokio::test]
async fn columns_are_saved_only_if_those_in_the_file_are_far_behind() {
    let dir = tempfile::tempdir().unwrap();
    saved(dir.path()).await;
    let store = Store::open(dir.path()).unwrap();
    let file = dir.path().join(FILE);
    let read = || std::fs::read(&file).unwrap();
    let before = read();
    decide_all(&store, "rejected").await;
    assert_eq!(has_status(&store, "rejected").await, 120);
    store.save_columns().await.unwrap();
    assert!(read() == before, "120 statuses of 1,000");
    for _ in 0..1000 {
        decide_all(&store, "rejected").await;
    }
    assert_eq!(has_status(&store, "rejected").await, 120);
    store.save_columns().await.unwrap();
    let after_decisions = read();
    assert!(after_decisions != before, "1,001 versions");
    rename(&store).await;
    store.save_columns().await.unwrap();
    let after_names = read();
    assert!(after_names != after_decisions, "a text");
    store.save_columns().await.unwrap();
    assert!(read() == after_names);
    std::fs::remove_file(&file).unwrap();
    store.save_columns().await.unwrap();
    assert!(file.exists());
}

/// A column that no read has used since a change is brought up to date by the stop.
#[tokio::test]
async fn changes_before_the_stop_are_saved() {
    let dir = tempfile::tempdir().unwrap();
    let before = saved(dir.path()).await;
    let store = Store::open(dir.path()).unwrap();
    store.load_columns().await.unwrap();
    decide_all(&store, "filtered").await;
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
                let account = "SELECT account FROM leads WHERE tenant = ?1 AND id = 7";
                let account = db.value(account, params![1_i64])?;
                db.touch(Tenant(1), ChangeKind::ACCOUNT, account);
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

#[cfg(unix)]
#[tokio::test]
async fn a_process_on_a_shared_database_has_a_folder_of_its_own() {
    use crate::store::postgres::Target;

    let database = lead_workspace_test_postgres::Server::shared().empty_database();
    let open = async |database: &lead_workspace_test_postgres::Database, dir: &Path| {
        let (target, dir) = (Target::of_url(&database.url()).unwrap(), dir.to_owned());
        let opening = tokio::task::spawn_blocking(move || Store::open_database(target, Some(&dir)));
        opening.await.unwrap()
    };
    let dirs = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let store = open(&database, dirs[0].path()).await.unwrap();
    let other = open(&database, dirs[1].path()).await.unwrap();
    assert!(store.dir().is_none());
    assert!(open(&database, dirs[0].path()).await.is_err());
    let tenant = store.read(Tenant::default_of).await.unwrap();
    demo::fill(&store, tenant, 120, 3, demo::EXAMPLE_NOW, |_, _, _| {})
        .await
        .unwrap();
    for process in [&store, &other] {
        process.load_columns().await.unwrap();
        process.save_columns().await.unwrap();
    }
    // The process that was stopped brings its columns up to date.
    drop(store);
    decide_all(&other, "rejected").await;
    let next = open(&database, dirs[0].path()).await.unwrap();
    assert_eq!(in_memory(&next).len(), ColumnId::ALL.len());
    assert_eq!(has_status(&next, "rejected").await, 120);
    drop(next);
    // The file is not used for another database.
    let foreign = lead_workspace_test_postgres::Server::shared().empty_database();
    let next = open(&foreign, dirs[0].path()).await.unwrap();
    assert_eq!(in_memory(&next).len(), 0);
    assert!(!dirs[0].path().join(FILE).exists());
}
