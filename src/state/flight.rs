//! Work under way that nobody waits for any more once its place is gone.

use futures_util::FutureExt;
use futures_util::future::{AbortHandle, Abortable};
use leptos::prelude::untrack;

use super::spawn;

/// Reading under way. Dropping it ends it: a newer question takes its place, or the app goes.
pub struct Flight(AbortHandle);

impl Flight {
    /// Starts the work by itself.
    pub fn start(work: impl Future<Output = ()> + 'static) -> Self {
        let (flight, work) = Self::of(work);
        spawn(work);
        flight
    }

    /// Starts the work at once, up to its first wait: a request is on its way before what is drawn meanwhile. `keep`
    /// gets the flight before that.
    pub fn start_now(work: impl Future<Output = ()> + 'static, keep: impl FnOnce(Self)) {
        let (flight, work) = Self::of(work);
        let mut work = Box::pin(work);
        keep(flight);
        if untrack(|| (&mut work).now_or_never()).is_none() {
            spawn(work);
        }
    }

    fn of(work: impl Future<Output = ()>) -> (Self, impl Future<Output = ()>) {
        let (handle, registration) = AbortHandle::new_pair();
        // Work that was ended has nothing more to say.
        let work = Abortable::new(work, registration).map(|_| ());
        (Self(handle), work)
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.0.abort();
    }
}
