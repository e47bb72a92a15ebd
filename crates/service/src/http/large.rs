//! Requests with large bodies. A parsed body takes up to forty times its size in memory, so few are
//! served at the same time, and they are parsed on separate threads.

use tokio::runtime::{Builder, Handle, Runtime};

use super::{ApiError, NoPlace, Place, Places};
use crate::store::{StoreError, Tenant};

/// Bodies with more bytes than this are large. The chunks that our client sends are smaller.
pub(super) const LARGE: usize = 8 << 10;

/// Requests with large bodies served at the same time, in one workspace and in all.
const IN_WORKSPACE: usize = 4;
const IN_ALL: usize = 8;

/// Threads that parse bodies. They are reused, because allocators keep freed memory per thread.
const THREADS: usize = 2;

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

    /// Takes a slot, to be held until the request is answered.
    pub(super) fn enter(&self, tenant: Tenant) -> Result<Place, NoPlace> {
        self.places.enter(tenant)
    }

    /// Runs `read` on a thread for bodies, or on one of the current runtime if there are none.
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
            // Dropping it would block, which is not allowed in async code.
            threads.shutdown_background();
        }
    }
}
