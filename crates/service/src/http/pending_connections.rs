//! Limits the connections that have not sent a request yet, per address. One more closes the
//! oldest. A client that opens a connection to use it sends a request before its connection
//! becomes the oldest.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

use crate::lock::lock;

/// Connections without a request, by address. Clones share them.
#[derive(Clone)]
pub(super) struct PendingConnections {
    by_address: Arc<Mutex<HashMap<IpAddr, VecDeque<Arc<Notify>>>>>,
    max: usize,
}

/// A connection without a request. To be dropped at its first request, or when it closes.
pub(super) struct PendingConnection {
    all: PendingConnections,
    address: IpAddr,
    close: Arc<Notify>,
}

impl PendingConnections {
    /// `max` is the limit per address.
    pub(super) fn new(max: usize) -> Self {
        Self {
            by_address: Arc::default(),
            max,
        }
    }

    /// Adds a connection. The returned `Notify` fires when it has to close for a newer one.
    pub(super) fn add(&self, address: IpAddr) -> (PendingConnection, Arc<Notify>) {
        let close = Arc::new(Notify::new());
        let mut by_address = self.lock();
        let connections = by_address.entry(address).or_default();
        connections.push_back(Arc::clone(&close));
        if connections.len() > self.max
            && let Some(oldest) = connections.pop_front()
        {
            oldest.notify_one();
        }
        drop(by_address);
        let connection = PendingConnection {
            all: self.clone(),
            address,
            close: Arc::clone(&close),
        };
        (connection, close)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<IpAddr, VecDeque<Arc<Notify>>>> {
        lock(&self.by_address)
    }
}

impl Drop for PendingConnection {
    fn drop(&mut self) {
        let mut by_address = self.all.lock();
        if let Some(connections) = by_address.get_mut(&self.address) {
            connections.retain(|close| !Arc::ptr_eq(close, &self.close));
            if connections.is_empty() {
                by_address.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use futures_util::FutureExt;

    use super::PendingConnections;

    #[test]
    fn one_connection_too_many_closes_the_oldest_of_its_address() {
        let pending = PendingConnections::new(2);
        let [here, there]: [IpAddr; 2] = [[10, 0, 0, 1].into(), [10, 0, 0, 2].into()];
        let closes = |close: &tokio::sync::Notify| close.notified().now_or_never().is_some();
        let (first, close_first) = pending.add(here);
        let (second, close_second) = pending.add(here);
        let (_other, close_other) = pending.add(there);
        assert!(!closes(&close_first));
        let (_third, _) = pending.add(here);
        assert!(closes(&close_first) && !closes(&close_second) && !closes(&close_other));
        // A connection that has sent its request is not pending any more.
        drop((first, second));
        let (_fourth, close_fourth) = pending.add(here);
        assert!(!closes(&close_fourth));
        assert_eq!(pending.lock()[&here].len(), 2);
    }
}
