//! Jobs and imports of several processes on one database.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lead_workspace_test_postgres::Database;
use tokio::sync::watch;

use super::{Postgres, open};
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

mod decisions;
mod imports;
mod jobs;

const ONE: Tenant = Tenant(1);

/// A process of the service, as the database sees it.
#[derive(Clone)]
struct Process(Arc<Postgres>);

impl Process {
    async fn on(database: &Database) -> Self {
        Self(open(database).await)
    }

    async fn run<T: Send + 'static>(
        &self,
        change: impl Fn(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        self.0.write(None, change).await.unwrap()
    }
}

/// Sets the clock of the server to this second.
fn set_clock(database: &Database, second: &str) {
    database.sql(&format!(
        "CREATE OR REPLACE FUNCTION server_time() RETURNS text LANGUAGE sql VOLATILE RETURN
           '2040-01-01T00:{second}.000Z' COLLATE \"C\""
    ));
}

/// Runs two changes at the same time: the second begins when the first has done everything but commit, which it does
/// when the second waits for it, or has ended without that.
async fn overlapping<T: Send + 'static, U: Send + 'static>(
    database: &Database,
    first: (
        &Process,
        impl Fn(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ),
    second: (
        &Process,
        impl Fn(Db<'_>) -> Result<U, StoreError> + Send + 'static,
    ),
) -> (T, U) {
    let name = database.sql("SELECT current_database()");
    let waiting = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}' AND wait_event_type = 'Lock'"
    );
    let (begin, begun) = watch::channel(false);
    let (ended, has_ended) = watch::channel(false);
    let (process, change) = first;
    let one = process.run(move |db| {
        let value = change(db)?;
        begin.send_replace(true);
        let deadline = Instant::now() + Duration::from_secs(60);
        // What a transaction sees of other sessions stays the same without this.
        while !*has_ended.borrow() && db.value::<i64>(&waiting, &[])? == 0 {
            db.value::<String>("SELECT pg_stat_clear_snapshot()::text", &[])?;
            assert!(Instant::now() < deadline, "the second change does not end");
        }
        Ok(value)
    });
    let (process, change) = second;
    let two = async {
        let mut begun = begun;
        begun.wait_for(|begun| *begun).await.unwrap();
        let value = process.run(change).await;
        ended.send_replace(true);
        value
    };
    tokio::join!(one, two)
}
