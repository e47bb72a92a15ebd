//! Follows the changes of a workspace for all its streams.

use std::sync::atomic::{AtomicI64, Ordering};
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

/// The shortest time between two reads. What changes meanwhile is told together.
const GAP: Duration = Duration::from_millis(100);

pub(super) struct Follower {
    store: Store,
    tenant: Tenant,
    events: broadcast::Sender<Bytes>,
    /// The version up to which everything was told. Locked while it advances.
    told: Mutex<i64>,
    /// A copy of it that can be read without waiting.
    position: AtomicI64,
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
            told: Mutex::new(version),
            position: AtomicI64::new(version),
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
        let mut told = self.told.lock().await;
        if *told < version {
            self.advance(&mut told).await?;
        }
        Ok((self.events.subscribe(), *told))
    }

    /// Wakes the follower if it has not told of this version yet.
    pub(super) fn expect(&self, version: i64) {
        if self.position.load(Ordering::Relaxed) != version {
            self.signal.notify_one();
        }
    }

    /// Returns whether there are streams, or one is about to be opened.
    pub(super) fn is_used(this: &Arc<Self>) -> bool {
        this.events.receiver_count() > 0 || Arc::strong_count(this) > 1
    }

    /// Tells everything up to the present version.
    async fn advance(&self, told: &mut i64) -> Result<(), StoreError> {
        loop {
            let read = self.store.changes_after(self.tenant, *told).await?;
            for step in &read.steps {
                *told = step.version;
                self.position.store(*told, Ordering::Relaxed);
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
        let mut told = follower.told.lock().await;
        match follower.advance(&mut told).await {
            // The watch of the keys ends the streams.
            Ok(()) | Err(StoreError::WorkspaceDeleted) => {}
            Err(error) => tracing::warn!(%error, "could not read what has changed"),
        }
        drop(told);
        drop(follower);
        sleep(GAP).await;
    }
}
