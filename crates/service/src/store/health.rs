//! Health check of a data folder.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::sync::Mutex;
use tokio::{task, time};

use super::writer::Writer;
use super::{StoreError, open, schema};

/// How long a result is cached. The check needs no key, so it must stay cheap.
const CACHE_TIME: Duration = Duration::from_secs(1);

/// Time limit for the folder and for the writer. A large change takes seconds, and a supervisor
/// should not restart the service because of it.
const DEADLINE: Duration = Duration::from_secs(10);

/// Which part of a data folder does not work. It has no details that only the operator may see; the
/// log has the cause.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Unhealthy {
    #[error("the database cannot be read")]
    Reading,
    #[error("the database cannot be written")]
    Writing,
}

pub(super) struct Health {
    path: PathBuf,
    /// Locked during a check: other callers wait for its result.
    last: Mutex<Option<(Instant, Result<(), Unhealthy>)>>,
}

impl Health {
    pub(super) fn new(path: PathBuf) -> Self {
        let last = Mutex::new(None);
        Self { path, last }
    }

    pub(super) async fn check(&self, writer: &Writer) -> Result<(), Unhealthy> {
        let mut last = self.last.lock().await;
        if let Some((_, found)) = last.filter(|(at, _)| at.elapsed() < CACHE_TIME) {
            return found;
        }
        let found = match in_time(self.read()).await {
            Err(error) => {
                tracing::error!(%error, "the database cannot be read");
                Err(Unhealthy::Reading)
            }
            // A real write: a transaction without one would succeed even on a full disk.
            Ok(()) => in_time(writer.run(schema::touch)).await.map_err(|error| {
                tracing::error!(%error, "the database cannot be written");
                Unhealthy::Writing
            }),
        };
        *last = Some((Instant::now(), found));
        found
    }

    /// Reads with a new connection: it waits for no slow read, has an empty cache, and checks that
    /// the file is still in place.
    async fn read(&self) -> Result<(), StoreError> {
        let path = self.path.clone();
        let read = task::spawn_blocking(move || {
            let connection = open::read_only(&path)?;
            let sql = "SELECT count(*) FROM tenants";
            let _: i64 = connection.query_row(sql, [], |row| row.get(0))?;
            Ok(())
        });
        read.await.unwrap_or(Err(StoreError::Panicked))
    }
}

async fn in_time(check: impl Future<Output = Result<(), StoreError>>) -> Result<(), StoreError> {
    let timed_out =
        |_| StoreError::Unexpected(format!("no answer within {} s", DEADLINE.as_secs()));
    time::timeout(DEADLINE, check).await.map_err(timed_out)?
}
