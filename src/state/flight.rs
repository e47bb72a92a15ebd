//! Work under way that nobody waits for any more once its place is gone.

use futures_util::future::{AbortHandle, Abortable};

use super::spawn;

/// Reading under way. Dropping it ends it: a newer question takes its place, or the app goes.
pub struct Flight(AbortHandle);

impl Flight {
    /// Starts the work by itself.
    pub fn start(work: impl Future<Output = ()> + 'static) -> Self {
        let (handle, registration) = AbortHandle::new_pair();
        spawn(async move {
            // Work that was ended has nothing more to say.
            let _ = Abortable::new(work, registration).await;
        });
        Self(handle)
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.0.abort();
    }
}
