//! A database is either used by services or by one command alone.

use lead_workspace_test_postgres::{Database, Server};

use super::{add_signal, database, open, opening, signals};
use crate::store::error::StoreError;
use crate::store::postgres::{Exclusive, Target};

/// Runs what blocks, which a thread of the runtime must not do.
async fn alone<T: Send + 'static>(
    database: &Database,
    run: impl FnOnce(Exclusive) -> T + Send + 'static,
) -> Result<T, StoreError> {
    let target = Target::of_url(&database.url()).unwrap();
    let ran = tokio::task::spawn_blocking(move || Exclusive::open(&target).map(run));
    ran.await.unwrap()
}

#[tokio::test]
async fn a_database_in_use_cannot_be_claimed() {
    let database = database();
    let service = open(&database).await;
    let refused = alone(&database, drop).await.unwrap_err().to_string();
    assert!(
        refused.contains("in use") && refused.contains("1 connections"),
        "{refused}"
    );
    drop(service);
    alone(&database, drop).await.unwrap();
}

#[tokio::test]
async fn no_service_uses_a_database_that_is_claimed() {
    let database = database();
    let url = database.url();
    let claimed = alone(&database, move |claimed| {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let refused = runtime.block_on(opening(&url));
        drop(claimed);
        refused
    });
    let refused = claimed.await.unwrap();
    assert!(refused.contains("being moved"), "{refused}");
    open(&database).await;
}

#[tokio::test]
async fn a_change_makes_the_tables_or_leaves_no_trace() {
    let database = Server::shared().empty_database();
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    let missing = alone(&database, |claimed| claimed.read(signals)).await;
    let missing = missing.unwrap().unwrap_err().to_string();
    assert!(missing.contains("no workspace"), "{missing}");
    let failed = alone(&database, |claimed| {
        claimed.write(|db| add_signal(db, "1").and_then(|_| add_signal(db, "1")))
    });
    assert!(failed.await.unwrap().is_err());
    assert_eq!(database.sql(tables), "0");
    let written = alone(&database, |claimed| claimed.write(|db| add_signal(db, "1")));
    assert_eq!(written.await.unwrap().unwrap(), 1);
    let read = alone(&database, |claimed| claimed.read(signals)).await;
    assert_eq!(read.unwrap().unwrap(), 1);
    let indexes = "SELECT count(*) FROM pg_indexes WHERE indexname = 'leads_by_identity'";
    assert_eq!(database.sql(indexes), "1");
}
