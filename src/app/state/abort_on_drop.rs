//! Asynchronous work that is cancelled when its result is no longer needed.

use futures_util::FutureExt;
use futures_util::future::{AbortHandle, Abortable};
use leptos::prelude::untrack;

use super::spawn;

/// Work in flight, usually a request. Dropping it cancels the work: when newer work replaces it, or the app is
/// removed.
pub struct AbortOnDrop(AbortHandle);

impl AbortOnDrop {
    /// Spawns the work.
    pub fn start(work: impl Future<Output = ()> + 'static) -> Self {
        let (task, work) = Self::new(work);
        spawn(work);
        task
    }

    /// Runs the work at once up to its first wait, so that a request leaves before rendering goes on. `keep`
    /// receives the flight before that.
    pub fn start_now(work: impl Future<Output = ()> + 'static, keep: impl FnOnce(Self)) {
        let (task, work) = Self::new(work);
        let mut work = Box::pin(work);
        keep(task);
        if untrack(|| (&mut work).now_or_never()).is_none() {
            spawn(work);
        }
    }

    fn new(work: impl Future<Output = ()>) -> (Self, impl Future<Output = ()>) {
        let (handle, registration) = AbortHandle::new_pair();
        // The result of cancelled work is ignored.
        let work = Abortable::new(work, registration).map(|_| ());
        (Self(handle), work)
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
