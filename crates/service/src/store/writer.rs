//! The one writer: a thread that takes changes in order and commits them in groups.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};
use tokio::{runtime, time};

use super::StoreError;
use super::log::Log;

/// Changes that wait before a new one has to.
const QUEUE: usize = 1024;

/// A group ends with this many changes, or when it has taken this long: a sync costs milliseconds
/// whatever it carries, but nobody should wait long for others.
const GROUP_CHANGES: usize = 512;
const GROUP_TIME: Duration = Duration::from_millis(20);

/// Runs a change, or passes on why it cannot run, and gives how that went.
type Change = Box<dyn FnOnce(Result<&Connection, StoreError>) -> Outcome + Send>;

/// Tells the caller of a change how the commit went.
type Tell = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

enum Outcome {
    /// The change stands in the transaction; its caller waits for the commit.
    Made(Tell),
    /// The change failed and left nothing; its caller knows.
    Failed,
    /// The change failed and took the whole transaction with it; its caller knows, the others of the
    /// group do not.
    RolledBack(Arc<StoreError>),
}

pub(super) struct Writer {
    queue: Option<mpsc::Sender<Change>>,
    thread: Option<JoinHandle<()>>,
    version: Arc<AtomicU64>,
}

impl Writer {
    pub(super) fn start(connection: Connection, mut log: Log) -> Result<Self, StoreError> {
        let (queue, changes) = mpsc::channel(QUEUE);
        let version = Arc::new(AtomicU64::new(1));
        let counter = Arc::clone(&version);
        let thread = thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || work(&connection, changes, &counter, &mut log))
            .map_err(|source| StoreError::io("starting the writer thread", source))?;
        Ok(Self {
            queue: Some(queue),
            thread: Some(thread),
            version,
        })
    }

    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    pub(super) async fn run<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let change: Change = Box::new(move |connection| {
            let made = connection
                .map_err(|error| (error, false))
                .and_then(|connection| {
                    let made = in_savepoint(connection, change);
                    made.map_err(|error| (error, connection.is_autocommit()))
                });
            match made {
                Ok(value) => Outcome::Made(Box::new(move |committed: Result<(), StoreError>| {
                    // Nobody waits any more: the change stands all the same.
                    let _ = answer.send(committed.map(|()| value));
                })),
                Err((error, false)) => {
                    let _ = answer.send(Err(error));
                    Outcome::Failed
                }
                Err((error, true)) => {
                    let error = Arc::new(error);
                    let _ = answer.send(Err(StoreError::shared(&error)));
                    Outcome::RolledBack(error)
                }
            }
        });
        let queue = self.queue.as_ref().ok_or(StoreError::Closed)?;
        // The queue is open as long as there is a writer: else the thread has ended.
        queue
            .send(change)
            .await
            .map_err(|_| StoreError::WriterEnded)?;
        answered.await.map_err(|_| StoreError::WriterEnded)?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // Changes run inside catch_unwind; a panic elsewhere in the thread is already printed.
            let _ = thread.join();
        }
    }
}

fn work(
    connection: &Connection,
    mut changes: mpsc::Receiver<Change>,
    version: &AtomicU64,
    log: &mut Log,
) {
    // Only for its clock. Without one the log is shortened between changes and at the end.
    let clock = runtime::Builder::new_current_thread().enable_time().build();
    loop {
        let first = match (log.idle_wait(), &clock) {
            (Some(wait), Ok(clock)) => {
                match clock.block_on(async { time::timeout(wait, changes.recv()).await }) {
                    Ok(first) => first,
                    Err(_) => {
                        log.shorten_when_idle(connection);
                        continue;
                    }
                }
            }
            _ => changes.blocking_recv(),
        };
        let Some(first) = first else { break };
        let mut tells = Vec::new();
        let committed = commit_group(connection, first, &mut changes, &mut tells);
        version.fetch_add(1, Ordering::Release);
        for tell in tells {
            tell(match &committed {
                Ok(()) => Ok(()),
                Err(error) => Err(StoreError::shared(error)),
            });
        }
        log.shorten_if_long(connection);
    }
    // Leaves the folder with one file; a failure costs nothing but a longer next start.
    let _ = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);");
}

fn commit_group(
    connection: &Connection,
    first: Change,
    changes: &mut mpsc::Receiver<Change>,
    tells: &mut Vec<Tell>,
) -> Result<(), Arc<StoreError>> {
    if let Err(error) = connection.execute_batch("BEGIN IMMEDIATE") {
        first(Err(error.into()));
        return Ok(());
    }
    let started = Instant::now();
    let mut next = Some(first);
    let mut taken = 0;
    while let Some(change) = next {
        match change(Ok(connection)) {
            Outcome::Made(tell) => tells.push(tell),
            Outcome::Failed => {}
            Outcome::RolledBack(error) => return Err(error),
        }
        taken += 1;
        let more = taken < GROUP_CHANGES && started.elapsed() < GROUP_TIME;
        next = more.then(|| changes.try_recv().ok()).flatten();
    }
    connection.execute_batch("COMMIT").map_err(|error| {
        let _ = connection.execute_batch("ROLLBACK");
        Arc::new(error.into())
    })
}

/// Runs a change so that nothing is left of it when it fails. Where SQLite has rolled the whole
/// transaction back, or only that is possible any more, there is no transaction afterwards.
fn in_savepoint<T>(
    connection: &Connection,
    change: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    connection.execute_batch("SAVEPOINT change")?;
    let result =
        catch_unwind(AssertUnwindSafe(|| change(connection))).unwrap_or(Err(StoreError::Panicked));
    if connection.is_autocommit() {
        // No change ends the transaction it is in and calls that a success: a fault of ours.
        return Err(result.err().unwrap_or(StoreError::Panicked));
    }
    let end = match &result {
        Ok(_) => "RELEASE change",
        Err(_) => "ROLLBACK TO change; RELEASE change",
    };
    if let Err(error) = connection.execute_batch(end) {
        // What the change has left cannot be told from what its neighbours did.
        let _ = connection.execute_batch("ROLLBACK");
        return Err(result.err().unwrap_or_else(|| error.into()));
    }
    result
}

#[cfg(test)]
mod tests;
