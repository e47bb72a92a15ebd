use std::sync::Arc;

use lead_workspace_api::LeadQuery;

use super::{COPIES, Changes, ColumnId, Columns, FROM, Snapshot, Table, load_all};
use crate::demo;
use crate::store::search::Search;
use crate::store::versions::record_change_of_other_process;
use crate::store::{Db, doctor};
use crate::store::{Filters, SharedDatabase, Store, StoreError, Tenant, open_shared, workspaces};

/// The number of approved leads by the column in memory, and in SQL.
fn approved(columns: &Columns, db: Db<'_>) -> Result<(i64, i64), StoreError> {
    let tenant = Tenant::default_of(db)?;
    let snapshot = columns.snapshot(db, tenant)?.unwrap();
    let column = snapshot.column(ColumnId("l.approval_status"))?.unwrap();
    let by_column = column.rows_of_value(&"approved".into()).len();
    let sql = "SELECT count(*) FROM leads WHERE approval_status = 'approved'";
    let in_sql = db.sqlite().query_row(sql, [], |row| row.get(0))?;
    Ok((by_column as i64, in_sql))
}

/// A read that began before a change sees the column without it, although a later read has brought
/// the column up to date.
#[tokio::test]
async fn a_column_is_of_the_state_that_the_read_sees() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let tenant = store.read(Tenant::default_of).await.unwrap();
    demo::fill(&store, tenant, 120, 3, demo::EXAMPLE_NOW, |_, _, _| {})
        .await
        .unwrap();
    store.load_columns().await.unwrap();
    let (began, has_begun) = std::sync::mpsc::channel();
    let (go_on, goes_on) = std::sync::mpsc::channel();
    let columns = store.columns();
    let old_read = tokio::spawn({
        let store = store.clone();
        async move {
            let read = move |db: Db<'_>| {
                let before = approved(&columns, db)?;
                began.send(()).unwrap();
                goes_on.recv().unwrap();
                Ok((before, approved(&columns, db)?))
            };
            store.read(read).await
        }
    });
    tokio::task::spawn_blocking(move || has_begun.recv().unwrap())
        .await
        .unwrap();
    let approve = "UPDATE leads SET approval_status = 'approved'";
    store
        .write(move |db| Ok(db.sqlite().execute_batch(approve)?))
        .await
        .unwrap();
    let columns = store.columns();
    let new_read = move |db: Db<'_>| approved(&columns, db);
    assert_eq!(store.read(new_read).await.unwrap(), (120, 120));
    go_on.send(()).unwrap();
    let (before, after) = old_read.await.unwrap().unwrap();
    assert_eq!(before, after);
    assert!(before.0 < 120 && before.0 == before.1, "{before:?}");
}

const NAME: ColumnId = ColumnId("l.name_key");
const SCORE: ColumnId = ColumnId("l.icp_score");

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

/// Reads with the columns of the state that the read sees.
async fn with_columns<T: Send + 'static>(
    store: &Store,
    read: impl FnOnce(&Snapshot<'_>) -> Result<T, StoreError> + Send + 'static,
) -> T {
    let columns = store.columns();
    let read = move |db: Db<'_>| {
        let snapshot = columns.snapshot(db, Tenant(1))?.unwrap();
        read(&snapshot)
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
    let columns = store.columns();
    let both = store.read(move |db| approved(&columns, db));
    let (before, in_sql) = both.await.unwrap();
    assert_eq!(before, in_sql);
    let mut other = open_shared(dir.path()).unwrap();
    let change = other.transaction().unwrap();
    record_change_of_other_process(Db::from(&*change), Tenant(1)).unwrap();
    let approve = "UPDATE leads SET approval_status = 'approved'";
    change.execute_batch(approve).unwrap();
    change.commit().unwrap();
    sql(
        &store,
        "UPDATE leads SET approval_status = 'rejected' WHERE id = 2",
    )
    .await;
    let columns = store.columns();
    let read = move |db: Db<'_>| {
        // The first read has the column loaded again, and is answered in SQL.
        let snapshot = columns.snapshot(db, Tenant(1))?.unwrap();
        assert!(snapshot.column(ColumnId("l.approval_status"))?.is_none());
        approved(&columns, db)
    };
    assert_eq!(store.read(read).await.unwrap(), (119, 119));
}

/// A scoring changes the scores of all leads, and no other column has to be read again.
#[tokio::test]
async fn scores_leave_the_other_columns_as_they_are() {
    let (_dir, store) = loaded().await;
    let before = with_columns(&store, |snapshot| snapshot.column(NAME)).await;
    // More changes than are remembered.
    for _ in 0..420 {
        sql(
            &store,
            "UPDATE leads SET icp_score = 1.5, icp_tier = 'D'; UPDATE leads SET icp_score = 2.5",
        )
        .await;
    }
    let (name, score) = with_columns(&store, |snapshot| {
        Ok((snapshot.column(NAME)?, snapshot.column(SCORE)?))
    })
    .await;
    assert!(Arc::ptr_eq(&before.unwrap(), &name.unwrap()));
    assert!(score.is_none());
}

#[tokio::test]
async fn a_column_that_no_read_uses_is_changed_in_place() {
    let (_dir, store) = loaded().await;
    let place =
        |snapshot: &Snapshot<'_>| Ok(snapshot.column(SCORE)?.map(|c| Arc::as_ptr(&c) as usize));
    let before = with_columns(&store, place).await;
    sql(&store, "UPDATE leads SET icp_score = 1.5 WHERE id = 1").await;
    assert_eq!(with_columns(&store, place).await, before);
    let used = with_columns(&store, |snapshot| snapshot.column(SCORE))
        .await
        .unwrap();
    sql(&store, "UPDATE leads SET icp_score = 2.5 WHERE id = 1").await;
    assert_ne!(with_columns(&store, place).await, before);
    assert_eq!(used.rows_of_value(&1.5.into()).len(), 1);
}

/// Copies that only one read uses are limited in their sum.
#[tokio::test]
async fn a_read_of_an_older_state_uses_sql_when_there_are_many_copies() {
    let (_dir, store) = loaded().await;
    sql(&store, "UPDATE leads SET icp_score = 1.5 WHERE id = 1").await;
    let columns = store.columns();
    let read = move |db: Db<'_>| {
        let now = columns.snapshot(db, Tenant(1))?.unwrap();
        assert!(now.column(SCORE)?.is_some());
        let older = Snapshot::new(&columns, db.sqlite(), Tenant(1), now.version - 1);
        assert!(older.column(SCORE)?.is_some());
        columns.lock().copied += COPIES;
        let another = Snapshot::new(&columns, db.sqlite(), Tenant(1), now.version - 1);
        assert!(another.column(SCORE)?.is_none());
        drop(older);
        assert_eq!(columns.lock().copied, COPIES);
        Ok(())
    };
    store.read(read).await.unwrap();
}

/// The columns of a search do not fit into memory together: it does not wait for them, now and later.
#[tokio::test]
async fn a_search_whose_columns_do_not_fit_uses_sql_at_once() {
    let (_dir, store) = loaded().await;
    let read = |db: Db<'_>| {
        // Without the thread that loads, a read that waits for a column leaves it wanted.
        let columns = Columns::new(Changes::default());
        columns.use_from(0);
        columns.limit_to(6_000);
        load_all(db, &columns)?;
        assert!(columns.lock().bytes <= 6_000);
        let snapshot = columns.snapshot(db, Tenant(1))?.unwrap();
        let found = snapshot.matching(Table::Leads, &Filters::default(), &Search::of(Some("a")))?;
        assert!(found.is_none());
        assert!(columns.lock().wanted.is_empty());
        Ok(())
    };
    store.read(read).await.unwrap();
}

#[tokio::test]
async fn a_workspace_of_many_leads_or_accounts_has_columns() {
    for (table, id) in [("leads", "lead_id"), ("accounts", "account_id")] {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let tenant = store.read(Tenant::default_of).await.unwrap();
        for (rows, expected) in [(1..FROM, false), (FROM..FROM + 1, true)] {
            let add = format!(
                "WITH RECURSIVE n (n) AS
                   (SELECT {} UNION ALL SELECT n + 1 FROM n WHERE n + 1 < {})
                 INSERT INTO {table} (tenant, {id}, created_at) SELECT 1, n, '' FROM n",
                rows.start, rows.end
            );
            store
                .write(move |db| {
                    db.sqlite().execute_batch(&add)?;
                    doctor::recount(db)
                })
                .await
                .unwrap();
            let columns = store.columns();
            let has_columns = move |db: Db<'_>| Ok(columns.snapshot(db, tenant)?.is_some());
            assert_eq!(store.read(has_columns).await.unwrap(), expected, "{table}");
        }
    }
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
        let page = store.query_leads(tenant, Filters::default(), query());
        assert_eq!(page.await.unwrap().decode().data.len(), 10);
    }
    let columns = store.columns();
    let both = columns.lock().bytes;
    let mut database = SharedDatabase::of_folder(dir.path()).unwrap();
    workspaces::begin_deletion(&mut database, other).unwrap();
    store.forget_deleted().await.unwrap();
    let state = columns.lock();
    assert!(state.loaded.keys().all(|(of, _)| *of == Tenant(1)));
    assert!(state.sizes.keys().all(|(of, _)| *of == Tenant(1)));
    let bytes = state.loaded.values().map(|loaded| loaded.column.bytes());
    assert_eq!(state.bytes, bytes.sum::<usize>());
    assert!(state.bytes > 0 && state.bytes < both);
}

/// Nothing is remembered of a workspace that has no column in memory.
#[tokio::test]
async fn sizes_are_those_of_workspaces_in_use() {
    let (_dir, store) = loaded().await;
    let column = with_columns(&store, |snapshot| snapshot.column(NAME)).await;
    let column = column.unwrap();
    let columns = Columns::new(Changes::default());
    columns.limit_to(column.bytes() * 3 / 2);
    let tenants = |columns: &Columns| {
        let state = columns.lock();
        let mut all: Vec<_> = state.sizes.keys().map(|(of, id)| (of.0, id.0)).collect();
        all.sort_unstable();
        all
    };
    columns.keep(Tenant(1), NAME, 1, &column);
    columns.keep(Tenant(1), SCORE, 1, &column);
    // One takes the place of the other, which is remembered.
    assert_eq!(columns.lock().loaded.len(), 1);
    assert_eq!(tenants(&columns), [(1, SCORE.0), (1, NAME.0)]);
    columns.keep(Tenant(2), NAME, 1, &column);
    assert_eq!(tenants(&columns), [(2, NAME.0)]);
}
