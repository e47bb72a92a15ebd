//! Read-only connections. In WAL mode they run concurrently with the writer and with each other.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task;

use super::{StoreError, Tenant, open};

/// Minimum number of connections, so that one slow read never blocks all others.
const LEAST: usize = 4;

/// SQLite virtual machine steps between two cancellation checks: less than a millisecond.
const STEPS: i32 = 1000;

pub(super) struct Readers {
    idle: Arc<Mutex<Vec<Connection>>>,
    /// As many permits as there are connections.
    free: Arc<Semaphore>,
    /// Each workspace may use at most half of the connections.
    shares: Mutex<HashMap<Tenant, Arc<Semaphore>>>,
    share: usize,
}

impl Readers {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let connections = (0..cores.max(LEAST))
            .map(|_| open::read_only(path))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            shares: Mutex::default(),
            share: connections.len() / 2,
            free: Arc::new(Semaphore::new(connections.len())),
            idle: Arc::new(Mutex::new(connections)),
        })
    }

    /// Runs a read within the workspace's share: it waits for other workspaces only if no
    /// connection is free.
    pub(super) async fn run_in<T: Send + 'static>(
        &self,
        tenant: Tenant,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let share = Arc::clone(
            lock(&self.shares)
                .entry(tenant)
                .or_insert_with(|| Arc::new(Semaphore::new(self.share))),
        );
        let permit = share.acquire_owned().await;
        let permit = permit.map_err(|_| StoreError::Closed)?;
        self.run_with(Some(permit), read).await
    }

    pub(super) async fn run<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.run_with(None, read).await
    }

    async fn run_with<T: Send + 'static>(
        &self,
        share: Option<OwnedSemaphorePermit>,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = Arc::clone(&self.free).acquire_owned().await;
        let permit = permit.map_err(|_| StoreError::Closed)?;
        let mut taken = lock(&self.idle).pop().ok_or(StoreError::Closed)?;
        let given_up = GivenUp::default();
        let asked = Arc::clone(&given_up.0);
        // SQLite's own interrupt ends one statement; this flag also stops the following ones.
        taken.progress_handler(STEPS, Some(move || asked.load(Ordering::Relaxed)))?;
        let idle = Arc::clone(&self.idle);
        task::spawn_blocking(move || {
            // Dropped also when `read` panics, which returns the connection to the pool.
            let back = Back {
                taken: Some(taken),
                idle,
                _permits: (permit, share),
            };
            back.taken
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

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Cancels the read when the caller drops its future.
#[derive(Default)]
struct GivenUp(Arc<AtomicBool>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct Back {
    taken: Option<Connection>,
    idle: Arc<Mutex<Vec<Connection>>>,
    // Released after the connection.
    _permits: (OwnedSemaphorePermit, Option<OwnedSemaphorePermit>),
}

impl Drop for Back {
    fn drop(&mut self) {
        if let Some(connection) = self.taken.take() {
            lock(&self.idle).push(connection);
        }
    }
}
