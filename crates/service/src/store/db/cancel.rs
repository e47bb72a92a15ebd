//! Cancels the read or the copy of a caller that has gone.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use postgres::CancelToken;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::lock::lock;

/// How a connection is encrypted.
pub type Tls = MakeRustlsConnect;

/// Of one read: whether its caller has gone, and how to cancel its statement on PostgreSQL.
#[derive(Default)]
pub struct Cancel {
    has_gone: AtomicBool,
    running: Mutex<Option<(CancelToken, Tls)>>,
}

impl Cancel {
    pub(in crate::store) fn has_gone(&self) -> bool {
        self.has_gone.load(Ordering::Relaxed)
    }

    /// From now on, a statement of this connection can be cancelled.
    pub(in crate::store) fn begin(&self, token: CancelToken, tls: Tls) {
        *self.running() = Some((token, tls));
    }

    /// From now on it cannot, because others may use the connection. Waits for a cancellation that has begun.
    pub(in crate::store) fn end(&self) {
        *self.running() = None;
    }

    fn cancel(&self) {
        if let Some((token, tls)) = &*self.running()
            && let Err(error) = token.cancel_query(tls.clone())
        {
            tracing::debug!(%error, "could not cancel a read");
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<(CancelToken, Tls)>> {
        lock(&self.running)
    }
}

/// The caller of a read has gone when it is dropped.
#[derive(Default)]
pub struct CancelOnDrop(pub Arc<Cancel>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.has_gone.store(true, Ordering::Relaxed);
        if self.0.running().is_some() {
            let cancel = Arc::clone(&self.0);
            // It connects to the server, which blocks. Without a thread, the statement runs to its end.
            let _ = thread::Builder::new().spawn(move || cancel.cancel());
        }
    }
}
