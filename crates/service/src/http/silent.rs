//! Connections that have not sent a request yet. Their number per address is limited; one more
//! closes the oldest. A client that opens a connection to use it sends a request before its
//! connection becomes the oldest.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

/// Silent connections by address. Clones share them.
#[derive(Clone)]
pub(super) struct Silent {
    by_address: Arc<Mutex<HashMap<IpAddr, VecDeque<Arc<Notify>>>>>,
    most: usize,
}

/// A connection that has not sent a request. Dropping it ends the counting.
pub(super) struct Counted {
    silent: Silent,
    address: IpAddr,
    end: Arc<Notify>,
}

impl Silent {
    /// `most` is the limit per address.
    pub(super) fn new(most: usize) -> Self {
        Self {
            by_address: Arc::default(),
            most,
        }
    }

    /// Counts a connection. The returned `Notify` fires when it has to close for a newer one.
    pub(super) fn count(&self, address: IpAddr) -> (Counted, Arc<Notify>) {
        let end = Arc::new(Notify::new());
        let mut by_address = self.lock();
        let connections = by_address.entry(address).or_default();
        connections.push_back(Arc::clone(&end));
        if connections.len() > self.most
            && let Some(oldest) = connections.pop_front()
        {
            oldest.notify_one();
        }
        drop(by_address);
        let counted = Counted {
            silent: self.clone(),
            address,
            end: Arc::clone(&end),
        };
        (counted, end)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<IpAddr, VecDeque<Arc<Notify>>>> {
        self.by_address
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut by_address = self.silent.lock();
        if let Some(connections) = by_address.get_mut(&self.address) {
            connections.retain(|end| !Arc::ptr_eq(end, &self.end));
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

    use super::Silent;

    #[test]
    fn one_too_many_ends_the_oldest_of_its_address() {
        let silent = Silent::new(2);
        let [here, there]: [IpAddr; 2] = [[10, 0, 0, 1].into(), [10, 0, 0, 2].into()];
        let ended = |end: &tokio::sync::Notify| end.notified().now_or_never().is_some();
        let (first, end_of_first) = silent.count(here);
        let (second, end_of_second) = silent.count(here);
        let (_other, end_of_other) = silent.count(there);
        assert!(!ended(&end_of_first));
        let (_third, _) = silent.count(here);
        assert!(ended(&end_of_first) && !ended(&end_of_second) && !ended(&end_of_other));
        // A connection that has sent its request frees a slot.
        drop((first, second));
        let (_fourth, end_of_fourth) = silent.count(here);
        assert!(!ended(&end_of_fourth));
        assert_eq!(silent.lock()[&here].len(), 2);
    }
}
