//! Requests with large bodies. A parsed body takes up to forty times its size in memory, so few are
//! served at the same time, and they are parsed on separate threads.

use tokio::runtime::{Builder, Handle, Runtime};

use super::permits::{Permit, Permits};
use super::{ApiError, NoPermit};
use crate::erased::run_blocking;
use crate::store::Tenant;

/// Bodies with more bytes than this are large. The chunks that our client sends are smaller.
pub(super) const LARGE_BODY: usize = 8 << 10;

/// Requests with large bodies served at the same time, in one workspace and in all.
const PER_WORKSPACE: usize = 4;
const TOTAL: usize = 8;

/// Threads that parse bodies. They are reused, because allocators keep freed memory per thread.
const THREADS: usize = 2;

pub(crate) struct LargeBodies {
    permits: Permits,
    threads: Option<Runtime>,
}

impl LargeBodies {
    pub(super) fn new() -> Self {
        let threads = Builder::new_current_thread()
            .thread_name("large-bodies")
            .max_blocking_threads(THREADS)
            .build();
        if let Err(error) = &threads {
            tracing::warn!(%error, "could not start the threads for large bodies; parsing them on shared threads");
        }
        Self {
            permits: Permits::new(PER_WORKSPACE, TOTAL),
            threads: threads.ok(),
        }
    }

    /// Acquires a permit, to be held until the request is answered.
    pub(super) fn acquire(&self, tenant: Tenant) -> Result<Permit, NoPermit> {
        self.permits.acquire(tenant)
    }

    /// Runs `parse` on a thread for bodies, or on one of the current runtime if there are none.
    pub(super) async fn parse<T: Send + 'static>(
        &self,
        parse: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let own = self.threads.as_ref().map(Runtime::handle);
        let threads = own.cloned().unwrap_or_else(Handle::current);
        let parsed = run_blocking(&threads, parse).await;
        parsed.map_err(ApiError::Store)?
    }
}

impl Drop for LargeBodies {
    fn drop(&mut self) {
        if let Some(threads) = self.threads.take() {
            // Dropping it would block, which is not allowed in async code.
            threads.shutdown_background();
        }
    }
}
