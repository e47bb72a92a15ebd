//! Read-only connections. In WAL mode they run concurrently with the writer and with each other.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use rusqlite::Connection;
use tokio::task;

use super::open;
use crate::lock::lock;
use crate::metrics::{Counted, StoreMetrics};
use crate::store::connection_limit::{ConnectionLimit, ConnectionPermit};
use crate::store::db::CancelOnDrop;
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

/// Minimum number of connections, so that one slow read never blocks all others.
const MIN_CONNECTIONS: usize = 4;

/// SQLite virtual machine steps between two cancellation checks: less than a millisecond.
const STEPS: i32 = 1000;

pub(in crate::store) struct Readers {
    idle: Arc<Mutex<Vec<Connection>>>,
    limit: ConnectionLimit,
    /// Counts the steps of all reads, if a test asked for it.
    steps: OnceLock<Arc<AtomicU64>>,
    metrics: StoreMetrics,
}

impl Readers {
    pub(in crate::store) fn open(path: &Path, metrics: StoreMetrics) -> Result<Self, StoreError> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let connections = (0..cores.max(MIN_CONNECTIONS))
            .map(|_| open::read_only(path))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            limit: ConnectionLimit::new(connections.len(), metrics.readers_waiting.clone()),
            idle: Arc::new(Mutex::new(connections)),
            steps: OnceLock::new(),
            metrics,
        })
    }

    /// Counts the SQLite virtual machine steps of all later reads.
    pub(in crate::store) fn count_steps(&self) -> Arc<AtomicU64> {
        Arc::clone(self.steps.get_or_init(Arc::default))
    }

    /// Runs a read, within the share of the workspace if there is one.
    pub(in crate::store) async fn run<T: Send + 'static>(
        &self,
        tenant: Option<Tenant>,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = self.limit.acquire(tenant).await?;
        let busy = Counted::new(&self.metrics.readers_busy);
        let mut connection = lock(&self.idle).pop().ok_or(StoreError::Closed)?;
        let cancel = CancelOnDrop::default();
        let cancelled = Arc::clone(&cancel.0);
        // SQLite's own interrupt ends one statement; this flag also stops the following ones.
        let cancelled = move || cancelled.has_gone();
        match self.steps.get().map(Arc::clone) {
            None => connection.progress_handler(STEPS, Some(cancelled))?,
            Some(steps) => connection.progress_handler(
                1,
                Some(move || {
                    steps.fetch_add(1, Ordering::Relaxed);
                    cancelled()
                }),
            )?,
        }
        let idle = Arc::clone(&self.idle);
        task::spawn_blocking(move || {
            // Dropped also when `read` panics, which returns the connection to the pool.
            let pooled = ReturnOnDrop {
                connection: Some(connection),
                idle,
                _permit: permit,
                _busy: busy,
            };
            pooled
                .connection
                .as_ref()
                .map_or(Err(StoreError::Closed), |connection| {
                    // One transaction: all statements of a read see the same state.
                    let transaction = connection.unchecked_transaction()?;
                    let result = read(&transaction)?;
                    transaction.commit()?;
                    Ok(result)
                })
        })
        .await
        .unwrap_or(Err(StoreError::Panicked))
    }
}

struct ReturnOnDrop {
    connection: Option<Connection>,
    idle: Arc<Mutex<Vec<Connection>>>,
    // Released after the connection.
    _permit: ConnectionPermit,
    _busy: Counted,
}

impl Drop for ReturnOnDrop {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            lock(&self.idle).push(connection);
        }
    }
}
