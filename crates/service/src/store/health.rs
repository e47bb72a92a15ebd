//! Checks whether a data folder works.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::Mutex;
use tokio::{task, time};

use super::writer::Writer;
use super::{StoreError, disk, open, schema};

/// How long a result is cached. The checks need no key, so they must stay cheap.
const CACHE_TIME: Duration = Duration::from_secs(1);

/// Time limit for a read and for a write. A large change takes seconds, and a supervisor should not
/// restart the service because of it.
const DEADLINE: Duration = Duration::from_secs(10);

/// Free space that the folder needs, in bytes: enough for the changes of the time in which an
/// operator can react.
const MIN_FREE: u64 = 64 << 20;

/// The result of one check. It has no details that only the operator may see; the log has the
/// cause.
#[derive(Clone, Copy, Debug, Serialize, PartialEq, Eq)]
pub struct Check {
    pub name: &'static str,
    pub ok: bool,
    /// What does not work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

impl Check {
    pub(crate) const fn passed(name: &'static str) -> Self {
        Self {
            name,
            ok: true,
            reason: None,
        }
    }

    pub(crate) const fn failed(name: &'static str, reason: &'static str) -> Self {
        Self {
            name,
            ok: false,
            reason: Some(reason),
        }
    }
}

/// The last results. Locked during the checks: other callers wait for them.
#[derive(Default)]
pub(super) struct CheckCache(Mutex<Option<(Instant, Vec<Check>)>>);

impl CheckCache {
    pub(super) async fn get(&self, checks: impl Future<Output = Vec<Check>>) -> Vec<Check> {
        let mut last = self.0.lock().await;
        if let Some((_, found)) = last.as_ref().filter(|(at, _)| at.elapsed() < CACHE_TIME) {
            return found.clone();
        }
        let found = checks.await;
        *last = Some((Instant::now(), found.clone()));
        found
    }
}

/// The checks of a data folder: `database`, `writer`, `commit` and `disk_space`.
pub(super) struct Health {
    path: PathBuf,
    last: CheckCache,
}

impl Health {
    pub(super) fn new(path: PathBuf) -> Self {
        let last = CheckCache::default();
        Self { path, last }
    }

    pub(super) async fn check(&self, writer: &Writer) -> Vec<Check> {
        let checks = async {
            let read = check(
                "database",
                "the database cannot be read",
                on_thread(&self.path, read),
            );
            let (database, (writer, commit), disk_space) =
                tokio::join!(read, write(writer), self.disk_space());
            vec![database, writer, commit, disk_space]
        };
        self.last.get(checks).await
    }

    async fn disk_space(&self) -> Check {
        let name = "disk_space";
        let free = |path: &Path| {
            disk::free_bytes(path)
                .map_err(|source| StoreError::io("determining the free disk space", source))
        };
        match in_time(on_thread(&self.path, free)).await {
            Ok(free) if free >= MIN_FREE => Check::passed(name),
            Ok(free) => {
                tracing::error!(free, "the disk is nearly full");
                Check::failed(name, "less than 64 MiB of disk space is free")
            }
            Err(error) => {
                tracing::error!(%error, "the free disk space is unknown");
                Check::failed(name, "the free disk space is unknown")
            }
        }
    }
}

/// Reads with a new connection: it waits for no slow read, has an empty cache, and checks that the
/// file is still in place.
fn read(path: &Path) -> Result<(), StoreError> {
    let connection = open::read_only(path)?;
    let sql = "SELECT count(*) FROM tenants";
    let _: i64 = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(())
}

/// Checks the writer thread and its commits by a real write: a transaction without one would succeed
/// even on a full disk.
async fn write(writer: &Writer) -> (Check, Check) {
    let (thread, commit) = ("writer", "commit");
    match in_time(writer.run(schema::touch)).await {
        Ok(()) => (Check::passed(thread), Check::passed(commit)),
        Err(error) => {
            tracing::error!(%error, "the database cannot be written");
            let ended = matches!(error, StoreError::WriterEnded | StoreError::Closed);
            let thread = if ended {
                Check::failed(thread, "the writer thread has ended")
            } else {
                Check::passed(thread)
            };
            let reason = "the last change could not be written";
            (thread, Check::failed(commit, reason))
        }
    }
}

/// Returns whether something succeeds in time.
pub(super) async fn check(
    name: &'static str,
    reason: &'static str,
    result: impl Future<Output = Result<(), StoreError>>,
) -> Check {
    match in_time(result).await {
        Ok(()) => Check::passed(name),
        Err(error) => {
            tracing::error!(%error, reason);
            Check::failed(name, reason)
        }
    }
}

async fn on_thread<T: Send + 'static>(
    path: &Path,
    check: impl FnOnce(&Path) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let path = path.to_owned();
    let checked = task::spawn_blocking(move || check(&path)).await;
    checked.unwrap_or(Err(StoreError::Panicked))
}

async fn in_time<T>(check: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    let timed_out =
        |_| StoreError::Unexpected(format!("no answer within {} s", DEADLINE.as_secs()));
    time::timeout(DEADLINE, check).await.map_err(timed_out)?
}
