//! Follows the changes of a workspace for all its streams.

use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{Mutex, Notify, broadcast};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::event;
use crate::store::{Store, StoreError, Tenant};

/// Events that a stream may be behind. A slower one is dropped.
pub(super) const QUEUE: usize = 64;

/// The shortest time between two reads. What changes meanwhile is one event.
const GAP: Duration = Duration::from_millis(100);

pub(super) struct Follower {
    store: Store,
    tenant: Tenant,
    events: broadcast::Sender<Bytes>,
    /// The version up to which the events were sent. Locked while it advances.
    sent: Mutex<i64>,
    signal: Arc<Notify>,
    task: OnceLock<JoinHandle<()>>,
}

impl Follower {
    /// Follows a workspace from a version on.
    pub(super) fn start(store: Store, tenant: Tenant, version: i64) -> Arc<Self> {
        let follower = Arc::new(Self {
            signal: store.follow(tenant),
            store,
            tenant,
            events: broadcast::channel(QUEUE).0,
            sent: Mutex::new(version),
            task: OnceLock::new(),
        });
        let signal = Arc::clone(&follower.signal);
        let task = tokio::spawn(run(Arc::downgrade(&follower), signal));
        // It is set once.
        let _ = follower.task.set(task);
        follower
    }

    /// Returns the events after a version, which is returned with them. It is not earlier than `version`.
    pub(super) async fn subscribe(
        &self,
        version: i64,
    ) -> Result<(broadcast::Receiver<Bytes>, i64), StoreError> {
        let mut sent = self.sent.lock().await;
        if *sent < version {
            self.advance(&mut sent).await?;
        }
        Ok((self.events.subscribe(), *sent))
    }

    /// Wakes the follower if it has not sent the events up to this version yet.
    pub(super) fn expect(&self, version: i64) {
        // While it advances, it may have read an earlier version.
        if !self.sent.try_lock().is_ok_and(|sent| *sent == version) {
            self.signal.notify_one();
        }
    }

    /// Returns whether there are streams, or one is about to be opened.
    pub(super) fn is_used(this: &Arc<Self>) -> bool {
        this.events.receiver_count() > 0 || Arc::strong_count(this) > 1
    }

    /// Sends the events up to the present version.
    async fn advance(&self, sent: &mut i64) -> Result<(), StoreError> {
        loop {
            let read = self.store.changes_after(self.tenant, *sent).await?;
            for step in &read.steps {
                *sent = step.version;
                if let Some(event) = event::of(step) {
                    // Fails if there is no stream.
                    let _ = self.events.send(event);
                }
            }
            if read.is_all {
                return Ok(());
            }
        }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        if let Some(task) = self.task.get() {
            task.abort();
        }
    }
}

async fn run(follower: Weak<Follower>, signal: Arc<Notify>) {
    loop {
        signal.notified().await;
        let Some(follower) = follower.upgrade() else {
            return;
        };
        let mut sent = follower.sent.lock().await;
        match follower.advance(&mut sent).await {
            // The watch of the keys ends the streams.
            Ok(()) | Err(StoreError::WorkspaceDeleted) => {}
            Err(error) => tracing::warn!(%error, "could not read what has changed"),
        }
        drop(sent);
        drop(follower);
        sleep(GAP).await;
    }
}
