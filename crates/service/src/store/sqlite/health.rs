//! Checks whether a data folder works.

use std::path::{Path, PathBuf};

use tokio::task;

use super::writer::Writer;
use super::{disk, open, schema};
use crate::store::error::StoreError;
use crate::store::health::{Check, CheckCache, check, in_time};

/// Free space that the folder needs, in bytes: enough for the changes of the time in which an
/// operator can react.
const MIN_FREE: u64 = 64 << 20;

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

async fn on_thread<T: Send + 'static>(
    path: &Path,
    check: impl FnOnce(&Path) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let path = path.to_owned();
    let checked = task::spawn_blocking(move || check(&path)).await;
    checked.unwrap_or(Err(StoreError::Panicked))
}
