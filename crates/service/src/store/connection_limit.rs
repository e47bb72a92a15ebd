//! Limits how many connections are in use at the same time, in total and by one workspace.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::lock::lock;
use crate::metrics::Counted;
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

pub(super) struct ConnectionLimit {
    all: Arc<Semaphore>,
    /// Each workspace may use at most half of the connections.
    shares: Mutex<HashMap<Tenant, Arc<Semaphore>>>,
    share: usize,
    /// How many wait for a connection.
    waiting: Gauge,
}

/// Permission to use a connection, until it is dropped.
pub(super) struct ConnectionPermit {
    _of_all: OwnedSemaphorePermit,
    _of_workspace: Option<OwnedSemaphorePermit>,
}

impl ConnectionLimit {
    pub(super) fn new(connections: usize, waiting: Gauge) -> Self {
        Self {
            all: Arc::new(Semaphore::new(connections)),
            shares: Mutex::default(),
            share: (connections / 2).max(1),
            waiting,
        }
    }

    /// Waits for a connection. Within its share, a workspace waits for others only if no connection is free.
    pub(super) async fn acquire(
        &self,
        tenant: Option<Tenant>,
    ) -> Result<ConnectionPermit, StoreError> {
        let _waiting = Counted::new(&self.waiting);
        let of_workspace = match tenant.map(|tenant| self.share_of(tenant)) {
            Some(share) => Some(acquired(share).await?),
            None => None,
        };
        Ok(ConnectionPermit {
            _of_all: acquired(Arc::clone(&self.all)).await?,
            _of_workspace: of_workspace,
        })
    }

    fn share_of(&self, tenant: Tenant) -> Arc<Semaphore> {
        let mut shares = lock(&self.shares);
        let share = shares
            .entry(tenant)
            .or_insert_with(|| Arc::new(Semaphore::new(self.share)));
        Arc::clone(share)
    }
}

async fn acquired(semaphore: Arc<Semaphore>) -> Result<OwnedSemaphorePermit, StoreError> {
    let permit = semaphore.acquire_owned().await;
    permit.map_err(|_| StoreError::Closed)
}
