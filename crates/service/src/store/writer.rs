//! The one writer: a thread that takes changes in order and commits them in groups.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::StoreError;

/// Changes that wait before a new one has to.
const QUEUE: usize = 1024;

/// A group ends with this many changes, or when it has taken this long: a sync costs milliseconds
/// whatever it carries, but nobody should wait long for others.
const GROUP_CHANGES: usize = 512;
const GROUP_TIME: Duration = Duration::from_millis(20);

/// Runs a change, or passes on why it cannot run, and gives what tells its caller how the commit
/// went. A change that failed has told its caller already and gives nothing.
type Change = Box<dyn FnOnce(Result<&Connection, StoreError>) -> Option<Told> + Send>;
type Told = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

pub(super) struct Writer {
    queue: Option<mpsc::Sender<Change>>,
    thread: Option<JoinHandle<()>>,
    version: Arc<AtomicU64>,
}

impl Writer {
    pub(super) fn start(connection: Connection) -> Result<Self, StoreError> {
        let (queue, changes) = mpsc::channel(QUEUE);
        let version = Arc::new(AtomicU64::new(1));
        let counter = Arc::clone(&version);
        let thread = thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || work(&connection, changes, &counter))
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
            match connection.and_then(|connection| in_savepoint(connection, change)) {
                Ok(value) => Some(Box::new(move |committed: Result<(), StoreError>| {
                    // Nobody waits any more: the change stands all the same.
                    let _ = answer.send(committed.map(|()| value));
                })),
                Err(error) => {
                    let _ = answer.send(Err(error));
                    None
                }
            }
        });
        let queue = self.queue.as_ref().ok_or(StoreError::Closed)?;
        queue.send(change).await.map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)?
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

fn work(connection: &Connection, mut changes: mpsc::Receiver<Change>, version: &AtomicU64) {
    while let Some(first) = changes.blocking_recv() {
        let mut told = Vec::new();
        let committed = commit_group(connection, first, &mut changes, &mut told).map_err(Arc::new);
        version.fetch_add(1, Ordering::Release);
        for tell in told {
            tell(match &committed {
                Ok(()) => Ok(()),
                Err(error) => Err(StoreError::shared(error)),
            });
        }
    }
    // Leaves the folder with one file; a failure costs nothing but a longer next start.
    let _ = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);");
}

fn commit_group(
    connection: &Connection,
    first: Change,
    changes: &mut mpsc::Receiver<Change>,
    told: &mut Vec<Told>,
) -> Result<(), StoreError> {
    if let Err(error) = connection.execute_batch("BEGIN IMMEDIATE") {
        first(Err(error.into()));
        return Ok(());
    }
    let started = Instant::now();
    let mut next = Some(first);
    let mut taken = 0;
    while let Some(change) = next {
        told.extend(change(Ok(connection)));
        taken += 1;
        if connection.is_autocommit() {
            // A full disk can make SQLite roll the whole transaction back by itself.
            return Err(StoreError::Full);
        }
        let more = taken < GROUP_CHANGES && started.elapsed() < GROUP_TIME;
        next = more.then(|| changes.try_recv().ok()).flatten();
    }
    connection.execute_batch("COMMIT").map_err(|error| {
        let _ = connection.execute_batch("ROLLBACK");
        StoreError::from(error)
    })
}

fn in_savepoint<T>(
    connection: &Connection,
    change: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    connection.execute_batch("SAVEPOINT change")?;
    let result =
        catch_unwind(AssertUnwindSafe(|| change(connection))).unwrap_or(Err(StoreError::Panicked));
    if connection.is_autocommit() {
        return Err(result.err().unwrap_or(StoreError::Full));
    }
    if result.is_err() {
        connection.execute_batch("ROLLBACK TO change")?;
    }
    connection.execute_batch("RELEASE change")?;
    result
}
