//! Work for threads that may block, whose type and whose result's type are erased.
//!
//! Rust compiles the code that runs a closure once for each closure. With that of tasks, connections and transactions
//! for every read and change of the store, it would be a sixth of the program.

use std::any::Any;

use tokio::runtime::Handle;

use crate::store::StoreError;

/// A result.
pub type Erased = Box<dyn Any + Send>;

/// Returns a result as what it was.
pub fn restore<T: 'static>(result: Erased) -> Result<T, StoreError> {
    // Another type is a bug in the caller.
    let restored = result.downcast().map_err(|_| StoreError::Panicked)?;
    Ok(*restored)
}

/// Runs something that blocks, on a thread for it. It goes on if the future is dropped.
pub async fn run_blocking<T: Send + 'static>(
    threads: &Handle,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    let work: Box<dyn FnOnce() -> Erased + Send> = Box::new(move || Box::new(work()));
    let done = threads.spawn_blocking(work).await;
    restore(done.map_err(|_| StoreError::Panicked)?)
}
