use std::sync::Arc;

use lead_workspace_api::{LeadField, LeadQuery};
use lead_workspace_index::ChangeKind;

use super::{ColumnId, IndexHost};
use crate::demo;
use crate::store::db::{Db, params};
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::index_host::versions::record_change;
use crate::store::maintenance::workspaces;
use crate::store::shared_database::SharedDatabase;
use crate::store::sqlite::open::open_shared;
use crate::store::tenant::Tenant;

const STATUS: ColumnId = ColumnId::Lead(LeadField::ApprovalStatus);
const NAME: ColumnId = ColumnId::Lead(LeadField::Name);
const SCORE: ColumnId = ColumnId::Lead(LeadField::IcpScore);

/// The number of approved leads by the column in memory, and in SQL.
fn approved(host: &IndexHost, db: Db<'_>) -> Result<(i64, i64), StoreError> {
    let read = host.read(db, Tenant(1), &[STATUS])?;
    let by_column = read.get(STATUS).rows_of_value(&"approved".into()).len();
    let sql = "SELECT count(*) FROM leads WHERE approval_status = 'approved'";
    let in_sql = db.sqlite().query_row(sql, [], |row| row.get(0))?;
    Ok((by_column as i64, in_sql))
}

/// A store with demo leads whose columns are in memory.
async fn loaded() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let tenant = store.read(Tenant::default_of).await.unwrap();
    demo::fill(&store, tenant, 120, 3, demo::EXAMPLE_NOW, |_, _, _| {})
        .await
        .unwrap();
    store.load_columns().await.unwrap();
    (dir, store)
}

async fn sql(store: &Store, sql: &'static str) {
    let change = move |db: Db<'_>| Ok(db.sqlite().execute_batch(sql)?);
    store.write_in(Tenant(1), change).await.unwrap();
}

/// Gives leads a score, as a scoring does.
async fn score(store: &Store, leads: std::ops::RangeInclusive<i64>, score: f64) {
    let change = move |db: Db<'_>| {
        for lead in leads.clone() {
            let sql = "UPDATE leads SET icp_score = ?2 WHERE tenant = 1 AND id = ?1";
            db.execute(sql, params![lead, score])?;
            db.touch(Tenant(1), ChangeKind::SCORE, lead);
        }
        Ok(())
    };
    store.write_in(Tenant(1), change).await.unwrap();
}

/// Returns where a column is in memory after a read of it.
async fn place(store: &Store, id: ColumnId) -> usize {
    let columns = store.index();
    let read = move |db: Db<'_>| {
        columns.read(db, Tenant(1), &[id])?;
        let state = columns.lock();
        Ok(Arc::as_ptr(&state.loaded[&(Tenant(1), id)].column) as usize)
    };
    store.read(read).await.unwrap()
}

/// A command next to the service changes leads between two changes of the service.
#[tokio::test]
async fn a_change_by_another_process_is_seen() {
    let (dir, store) = loaded().await;
    sql(
        &store,
        "UPDATE leads SET approval_status = 'filtered' WHERE id = 1",
    )
    .await;
    let columns = store.index();
    let both = store.read(move |db| approved(&columns, db));
    let (before, in_sql) = both.await.unwrap();
    assert_eq!(before, in_sql);
    let mut other = open_shared(dir.path()).unwrap();
    let change = other.transaction().unwrap();
    record_change(Db::from(&*change), Some(Tenant(1))).unwrap();
    let approve = "UPDATE leads SET approval_status = 'approved'";
    change.execute_batch(approve).unwrap();
    change.commit().unwrap();
    sql(
        &store,
        "UPDATE leads SET approval_status = 'rejected' WHERE id = 2",
    )
    .await;
    let columns = store.index();
    let read = store.read(move |db| approved(&columns, db));
    assert_eq!(read.await.unwrap(), (119, 119));
}

/// A scoring changes the scores of all leads, and no other column has to be read again.
#[tokio::test]
async fn scores_leave_the_other_columns_as_they_are() {
    let (_dir, store) = loaded().await;
    let before = [place(&store, NAME).await, place(&store, SCORE).await];
    // More changes than are remembered.
    for round in 0..900 {
        score(&store, 1..=120, f64::from(round)).await;
    }
    let after = [place(&store, NAME).await, place(&store, SCORE).await];
    assert_eq!(before[0], after[0]);
    assert_ne!(before[1], after[1]);
    let columns = store.index();
    let read = move |db: Db<'_>| columns.read(db, Tenant(1), &[SCORE]);
    let scores = store.read(read).await.unwrap();
    assert_eq!(scores.get(SCORE).rows_of_value(&899.0.into()).len(), 120);
}

/// A column that another read uses is copied; any other is changed in place.
#[tokio::test]
async fn a_column_that_no_read_uses_is_changed_in_place() {
    let (_dir, store) = loaded().await;
    let before = place(&store, SCORE).await;
    score(&store, 1..=1, 1.5).await;
    assert_eq!(place(&store, SCORE).await, before);
    let columns = store.index();
    let read = move |db: Db<'_>| columns.read(db, Tenant(1), &[SCORE]);
    let used = store.read(read).await.unwrap();
    score(&store, 1..=1, 2.5).await;
    assert_ne!(place(&store, SCORE).await, before);
    assert_eq!(used.get(SCORE).rows_of_value(&1.5.into()).len(), 1);
}

/// Two reads need the same columns, and one of them began before a change.
#[tokio::test]
async fn a_read_of_an_older_state_begins_again() {
    let (_dir, store) = loaded().await;
    let (began, has_begun) = std::sync::mpsc::channel();
    let (go_on, goes_on) = std::sync::mpsc::channel();
    let columns = store.index();
    let old_read = tokio::spawn({
        let store = store.clone();
        async move {
            let read = move |db: Db<'_>| {
                // The transaction sees the state of its first statement.
                Tenant::default_of(db)?;
                began.send(()).unwrap();
                goes_on.recv().unwrap();
                approved(&columns, db)
            };
            store.read(read).await
        }
    });
    tokio::task::spawn_blocking(move || has_begun.recv().unwrap())
        .await
        .unwrap();
    sql(&store, "UPDATE leads SET approval_status = 'approved'").await;
    let columns = store.index();
    let new_read = store.read(move |db| approved(&columns, db));
    assert_eq!(new_read.await.unwrap(), (120, 120));
    go_on.send(()).unwrap();
    assert_eq!(old_read.await.unwrap().unwrap(), (120, 120));
}

/// A read gets all of its columns, also if they do not fit into the memory for columns together.
#[tokio::test]
async fn columns_that_do_not_fit_are_read_for_each_read() {
    let (_dir, store) = loaded().await;
    let read = |db: Db<'_>| {
        let columns = IndexHost::default();
        columns.limit_to(6_000);
        for _ in 0..2 {
            let all = columns.read(db, Tenant(1), &ColumnId::ALL)?;
            assert_eq!(all.get(NAME).counts(None).iter().sum::<u32>(), 120);
            assert!(columns.lock().bytes <= 6_000);
        }
        Ok(())
    };
    store.read(read).await.unwrap();
}

#[tokio::test]
async fn a_lower_limit_drops_columns() {
    let (_dir, store) = loaded().await;
    let host = store.index();
    let all = host.lock().bytes;
    host.limit_to(all / 2);
    assert!(host.lock().bytes <= all / 2 && !host.lock().loaded.is_empty());
    store.limit_index(0);
    assert_eq!(host.lock().loaded.len(), 1);
    let (by_column, in_sql) = store.read(move |db| approved(&host, db)).await.unwrap();
    assert_eq!(by_column, in_sql);
}

/// The columns of a deleted workspace take no memory, and those of others stay.
#[tokio::test]
async fn a_deleted_workspace_is_forgotten() {
    let (dir, store) = loaded().await;
    let other = store.write(|db| Tenant::ensure(db, "other")).await.unwrap();
    demo::fill(&store, other, 40, 3, demo::EXAMPLE_NOW, |_, _, _| {})
        .await
        .unwrap();
    store.load_columns().await.unwrap();
    let query = || LeadQuery {
        page_size: 10,
        ..LeadQuery::default()
    };
    for tenant in [Tenant(1), other] {
        let page = store.query_leads(tenant, query());
        assert_eq!(page.await.unwrap().decode().data.len(), 10);
    }
    let columns = store.index();
    let both = columns.lock().bytes;
    let mut database = SharedDatabase::of_folder(dir.path()).unwrap();
    workspaces::begin_deletion(&mut database, other).unwrap();
    store.forget_deleted().await.unwrap();
    let state = columns.lock();
    assert!(state.loaded.keys().all(|(of, _)| *of == Tenant(1)));
    let bytes = state.loaded.values().map(|loaded| loaded.column.bytes());
    assert_eq!(state.bytes, bytes.sum::<usize>());
    assert!(state.bytes > 0 && state.bytes < both);
}

/// A workspace that a command has deleted for good has no version any more.
#[tokio::test]
async fn a_read_in_a_deleted_workspace_ends() {
    let (dir, store) = loaded().await;
    let other = store.write(|db| Tenant::ensure(db, "other")).await.unwrap();
    let host = store.index();
    let read = move |db: Db<'_>| host.read(db, other, &[STATUS]).map(drop);
    // Its changes are known from the first one on.
    store.read(read.clone()).await.unwrap();
    demo::fill(&store, other, 40, 3, demo::EXAMPLE_NOW, |_, _, _| {})
        .await
        .unwrap();
    store.read(read.clone()).await.unwrap();
    let mut database = SharedDatabase::of_folder(dir.path()).unwrap();
    workspaces::begin_deletion(&mut database, other).unwrap();
    workspaces::finish_deletion(&mut database, other).unwrap();
    let error = store.read(read).await.unwrap_err();
    assert!(matches!(error, StoreError::WorkspaceDeleted), "{error}");
    // Nor is anything of it saved.
    store.save_columns().await.unwrap();
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    let host = store.index();
    assert!(host.lock().loaded.keys().all(|(of, _)| *of == Tenant(1)));
}
