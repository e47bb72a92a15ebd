use rusqlite::Connection;

use super::{ColumnId, Columns};
use crate::demo;
use crate::store::{Store, StoreError, Tenant};

/// The number of approved leads by the column in memory, and in SQL.
fn approved(columns: &Columns, connection: &Connection) -> Result<(i64, i64), StoreError> {
    let tenant = Tenant::default_of(connection)?;
    let snapshot = columns.snapshot(connection, tenant)?.unwrap();
    let column = snapshot.column(ColumnId("l.approval_status"))?.unwrap();
    let by_column = column.rows_of_value(&"approved".into()).len();
    let sql = "SELECT count(*) FROM leads WHERE approval_status = 'approved'";
    let in_sql = connection.query_row(sql, [], |row| row.get(0))?;
    Ok((by_column as i64, in_sql))
}

/// A read that began before a change sees the column without it, although a later read has brought
/// the column up to date.
#[tokio::test]
async fn a_column_is_of_the_state_that_the_read_sees() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let tenant = store.read(Tenant::default_of).await.unwrap();
    demo::fill(&store, tenant, 120, 3, |_, _, _| {})
        .await
        .unwrap();
    store.load_columns().await.unwrap();
    let (began, has_begun) = std::sync::mpsc::channel();
    let (go_on, goes_on) = std::sync::mpsc::channel();
    let columns = store.columns();
    let old_read = tokio::spawn({
        let store = store.clone();
        async move {
            let read = move |connection: &Connection| {
                let before = approved(&columns, connection)?;
                began.send(()).unwrap();
                goes_on.recv().unwrap();
                Ok((before, approved(&columns, connection)?))
            };
            store.read(read).await
        }
    });
    tokio::task::spawn_blocking(move || has_begun.recv().unwrap())
        .await
        .unwrap();
    let approve = "UPDATE leads SET approval_status = 'approved'";
    store
        .write(move |connection| Ok(connection.execute_batch(approve)?))
        .await
        .unwrap();
    let columns = store.columns();
    let new_read = move |connection: &Connection| approved(&columns, connection);
    assert_eq!(store.read(new_read).await.unwrap(), (120, 120));
    go_on.send(()).unwrap();
    let (before, after) = old_read.await.unwrap().unwrap();
    assert_eq!(before, after);
    assert!(before.0 < 120 && before.0 == before.1, "{before:?}");
}
