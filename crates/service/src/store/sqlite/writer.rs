//! The single writer: a thread that runs changes in order and commits them in groups.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};
use tokio::{runtime, time};

use super::wal::{self, WriteAheadLog};
use crate::failpoint::Failpoint;
use crate::metrics::StoreMetrics;
use crate::store::error::StoreError;

/// Queue capacity; further callers wait.
const QUEUE: usize = 1024;

/// A group ends after this many changes or this much time: a sync takes milliseconds regardless of
/// its size, but no change should wait long for others.
pub(in crate::store) const GROUP_CHANGES: u32 = 512;
const GROUP_TIME: Duration = Duration::from_millis(20);

/// Runs a change, or fails it with the given error, and returns the outcome.
type Change = Box<dyn FnOnce(Result<&Connection, StoreError>) -> ChangeOutcome + Send>;

/// Reports the result of the commit to the caller.
type CommitReply = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

enum ChangeOutcome {
    /// The change is in the transaction; its caller waits for the commit.
    Applied(CommitReply),
    /// The change failed without effects, and its caller has the error; or its caller has gone.
    Failed,
    /// The change failed and rolled back the whole transaction; its caller has the error, the other
    /// callers of the group do not.
    RolledBack(Arc<StoreError>),
}

/// Tells a change whether others wait for it. It does not keep the writer alive.
pub(crate) struct WriteQueue(Option<mpsc::WeakSender<Change>>);

impl WriteQueue {
    /// Where changes do not wait for each other.
    pub(in crate::store) const fn none() -> Self {
        Self(None)
    }

    pub(crate) fn is_empty(&self) -> bool {
        let queue = self.0.as_ref().and_then(mpsc::WeakSender::upgrade);
        queue.is_none_or(|queue| waiting(&queue) == 0)
    }
}

fn waiting(queue: &mpsc::Sender<Change>) -> usize {
    queue.max_capacity() - queue.capacity()
}

pub(in crate::store) struct Writer {
    queue: Option<mpsc::Sender<Change>>,
    thread: Option<JoinHandle<()>>,
    version: Arc<AtomicU64>,
}

impl Writer {
    pub(in crate::store) fn start(
        connection: Connection,
        mut wal: WriteAheadLog,
        metrics: StoreMetrics,
    ) -> Result<Self, StoreError> {
        let (queue, changes) = mpsc::channel(QUEUE);
        let version = Arc::new(AtomicU64::new(1));
        let counter = Arc::clone(&version);
        let thread = thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || work(&connection, changes, &counter, &mut wal, &metrics))
            .map_err(|source| StoreError::io("starting the writer thread", source))?;
        Ok(Self {
            queue: Some(queue),
            thread: Some(thread),
            version,
        })
    }

    /// Returns how many changes wait for the thread.
    pub(in crate::store) fn queued(&self) -> usize {
        self.queue.as_ref().map_or(0, waiting)
    }

    pub(in crate::store) fn queue(&self) -> WriteQueue {
        WriteQueue(self.queue.as_ref().map(mpsc::Sender::downgrade))
    }

    pub(in crate::store) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    pub(in crate::store) async fn run<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, receiver) = oneshot::channel();
        let change: Change = Box::new(move |connection| {
            // The caller has gone, with its permit: otherwise the queue could grow beyond the limits on requests.
            if sender.is_closed() {
                return ChangeOutcome::Failed;
            }
            let applied = connection
                .map_err(|error| (error, false))
                .and_then(|connection| {
                    let applied = in_savepoint(connection, change);
                    applied.map_err(|error| (error, connection.is_autocommit()))
                });
            match applied {
                Ok(value) => {
                    ChangeOutcome::Applied(Box::new(move |committed: Result<(), StoreError>| {
                        // The caller may no longer wait; the change is committed anyway.
                        let _ = sender.send(committed.map(|()| value));
                    }))
                }
                Err((error, false)) => {
                    let _ = sender.send(Err(error));
                    ChangeOutcome::Failed
                }
                Err((error, true)) => {
                    let error = Arc::new(error);
                    let _ = sender.send(Err(StoreError::shared(&error)));
                    ChangeOutcome::RolledBack(error)
                }
            }
        });
        let queue = self.queue.as_ref().ok_or(StoreError::Closed)?;
        // The thread receives as long as the writer exists, so a send error means that it has
        // ended.
        queue
            .send(change)
            .await
            .map_err(|_| StoreError::WriterEnded)?;
        receiver.await.map_err(|_| StoreError::WriterEnded)?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // Changes run inside catch_unwind; a panic elsewhere in the thread has already been
            // printed.
            let _ = thread.join();
        }
    }
}

fn work(
    connection: &Connection,
    mut changes: mpsc::Receiver<Change>,
    version: &AtomicU64,
    wal: &mut WriteAheadLog,
    metrics: &StoreMetrics,
) {
    // Only for the timer. Without it, the log is truncated between changes and at the end.
    let clock = runtime::Builder::new_current_thread().enable_time().build();
    loop {
        let first = match (wal.idle_wait(), &clock) {
            (Some(wait), Ok(clock)) => {
                match clock.block_on(async { time::timeout(wait, changes.recv()).await }) {
                    Ok(first) => first,
                    Err(_) => {
                        wal.shorten_when_idle(connection);
                        continue;
                    }
                }
            }
            _ => changes.blocking_recv(),
        };
        let Some(first) = first else { break };
        let mut replies = Vec::new();
        let committed = commit_group(connection, first, &mut changes, &mut replies, metrics);
        if committed.is_err() {
            metrics.failed_commits.inc();
        }
        version.fetch_add(1, Ordering::Release);
        for reply in replies {
            reply(match &committed {
                Ok(()) => Ok(()),
                Err(error) => Err(StoreError::shared(error)),
            });
        }
        wal.shorten_if_long(connection);
    }
    // Leaves a single file in the folder; a failure only makes the next start slower.
    let _ = wal::truncate(connection);
}

fn commit_group(
    connection: &Connection,
    first: Change,
    changes: &mut mpsc::Receiver<Change>,
    replies: &mut Vec<CommitReply>,
    metrics: &StoreMetrics,
) -> Result<(), Arc<StoreError>> {
    if let Err(error) = connection.execute_batch("BEGIN IMMEDIATE") {
        first(Err(error.into()));
        metrics.failed_commits.inc();
        return Ok(());
    }
    Failpoint::Begin.reach();
    let started = Instant::now();
    let mut next = Some(first);
    let mut count = 0;
    while let Some(change) = next {
        match change(Ok(connection)) {
            ChangeOutcome::Applied(reply) => replies.push(reply),
            ChangeOutcome::Failed => {}
            ChangeOutcome::RolledBack(error) => return Err(error),
        }
        Failpoint::Change.reach();
        count += 1;
        let more = count < GROUP_CHANGES && started.elapsed() < GROUP_TIME;
        next = more.then(|| changes.try_recv().ok()).flatten();
    }
    metrics.group_changes.observe(f64::from(count));
    Failpoint::BeforeCommit.reach();
    let started = Instant::now();
    let committed = connection.execute_batch("COMMIT").map_err(|error| {
        let _ = connection.execute_batch("ROLLBACK");
        Arc::new(error.into())
    });
    metrics
        .commit_seconds
        .observe(started.elapsed().as_secs_f64());
    Failpoint::AfterCommit.reach();
    committed
}

/// Runs a change so that a failure leaves no effects.
///
/// If SQLite has rolled back the whole transaction, or nothing else is possible, there is no open
/// transaction afterwards.
fn in_savepoint<T>(
    connection: &Connection,
    change: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    connection.prepare_cached("SAVEPOINT change")?.execute([])?;
    let result =
        catch_unwind(AssertUnwindSafe(|| change(connection))).unwrap_or(Err(StoreError::Panicked));
    if connection.is_autocommit() {
        // A change that ends its transaction and reports success is a bug.
        return Err(result.err().unwrap_or(StoreError::Panicked));
    }
    let ended = match &result {
        Ok(_) => connection
            .prepare_cached("RELEASE change")
            .and_then(|mut release| release.execute([]))
            .map(drop),
        Err(_) => connection.execute_batch("ROLLBACK TO change; RELEASE change"),
    };
    if let Err(error) = ended {
        // The effects of this change can no longer be separated from those of others in the group.
        let _ = connection.execute_batch("ROLLBACK");
        return Err(result.err().unwrap_or_else(|| error.into()));
    }
    result
}

#[cfg(test)]
mod tests;
