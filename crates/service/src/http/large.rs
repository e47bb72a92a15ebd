//! Requests with large bodies. As values a body takes up to forty times its size, so few are answered
//! at once, and they are taken apart on threads of their own.

use tokio::runtime::{Builder, Handle, Runtime};

use super::{ApiError, NoPlace, Place, Places};
use crate::store::{StoreError, Tenant};

/// A body of more bytes is large. The chunks that the client sends are not.
pub(super) const LARGE: usize = 8 << 10;

/// Requests with large bodies that are answered at once, in one workspace and in all.
const IN_WORKSPACE: usize = 4;
const IN_ALL: usize = 8;

/// Threads that take bodies apart. The same ones for all: what an allocator keeps of them, it keeps
/// for each thread.
const THREADS: usize = 2;

/// The places and the threads.
pub(crate) struct Large {
    places: Places,
    threads: Option<Runtime>,
}

impl Large {
    pub(super) fn new() -> Self {
        let threads = Builder::new_current_thread()
            .thread_name("bodies")
            .max_blocking_threads(THREADS)
            .build();
        if let Err(error) = &threads {
            tracing::warn!(%error, "no threads of their own for large bodies");
        }
        Self {
            places: Places::new(IN_WORKSPACE, IN_ALL),
            threads: threads.ok(),
        }
    }

    /// Takes a place, if there is one. It is held until the request is answered.
    pub(super) fn enter(&self, tenant: Tenant) -> Result<Place, NoPlace> {
        self.places.enter(tenant)
    }

    /// Takes a body apart.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let threads = self.threads.as_ref().map(Runtime::handle);
        let done = match threads {
            Some(threads) => threads.spawn_blocking(read),
            None => Handle::current().spawn_blocking(read),
        };
        done.await
            .unwrap_or(Err(ApiError::Store(StoreError::Panicked)))
    }
}

impl Drop for Large {
    fn drop(&mut self) {
        if let Some(threads) = self.threads.take() {
            // Dropping it would wait, which is not allowed in async code.
            threads.shutdown_background();
        }
    }
}
