//! Read-only connections. WAL lets them read beside the writer and beside each other.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task;

use super::{StoreError, Tenant, open};

/// At least this many, so that one slow read never blocks all others.
const LEAST: usize = 4;

/// Steps of SQLite's machine between two looks at whether the read was given up: less than a
/// millisecond.
const STEPS: i32 = 1000;

pub(super) struct Readers {
    idle: Arc<Mutex<Vec<Connection>>>,
    /// As many permits as there are connections.
    free: Arc<Semaphore>,
    /// A workspace takes half of the connections at the most.
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

    /// Reads for a workspace: it waits for the reads of others only when all connections are taken.
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
        // SQLite's own interrupt ends one statement; this also holds for those that follow it.
        taken.progress_handler(STEPS, Some(move || asked.load(Ordering::Relaxed)))?;
        let idle = Arc::clone(&self.idle);
        task::spawn_blocking(move || {
            // Goes back to the others also when `read` panics.
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

/// Ends the read when its caller goes away before it is done.
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
    // Given back after the connection.
    _permits: (OwnedSemaphorePermit, Option<OwnedSemaphorePermit>),
}

impl Drop for Back {
    fn drop(&mut self) {
        if let Some(connection) = self.taken.take() {
            lock(&self.idle).push(connection);
        }
    }
}
