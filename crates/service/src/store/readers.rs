//! Read-only connections. WAL lets them read beside the writer and beside each other.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rusqlite::{Connection, InterruptHandle};
use tokio::sync::Semaphore;
use tokio::task;

use super::{StoreError, open};

/// At least this many, so that one slow read never blocks all others.
const LEAST: usize = 4;

pub(super) struct Readers {
    idle: Arc<Mutex<Vec<Connection>>>,
    /// As many permits as there are connections.
    free: Arc<Semaphore>,
}

impl Readers {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let connections = (0..cores.max(LEAST))
            .map(|_| open::read_only(path))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            free: Arc::new(Semaphore::new(connections.len())),
            idle: Arc::new(Mutex::new(connections)),
        })
    }

    pub(super) async fn run<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = Arc::clone(&self.free).acquire_owned().await;
        let permit = permit.map_err(|_| StoreError::Closed)?;
        let taken = lock(&self.idle).pop().ok_or(StoreError::Closed)?;
        let interrupt = Arc::new(Mutex::new(Some(taken.get_interrupt_handle())));
        let _given_up = GivenUp(Arc::clone(&interrupt));
        let idle = Arc::clone(&self.idle);
        task::spawn_blocking(move || {
            // Goes back to the others also when `read` panics.
            let back = Back {
                taken: Some(taken),
                idle,
                interrupt,
                _permit: permit,
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

/// Interrupts the read when its caller goes away before it is done.
struct GivenUp(Arc<Mutex<Option<InterruptHandle>>>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        // Held while interrupting: the connection cannot have gone on to another read.
        if let Some(handle) = lock(&self.0).as_ref() {
            handle.interrupt();
        }
    }
}

struct Back {
    taken: Option<Connection>,
    idle: Arc<Mutex<Vec<Connection>>>,
    interrupt: Arc<Mutex<Option<InterruptHandle>>>,
    _permit: tokio::sync::OwnedSemaphorePermit,
}

impl Drop for Back {
    fn drop(&mut self) {
        lock(&self.interrupt).take();
        if let Some(connection) = self.taken.take() {
            lock(&self.idle).push(connection);
        }
    }
}
