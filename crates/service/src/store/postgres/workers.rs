//! With Citus: the worker with the rows of each workspace. Reads of one workspace are sent to it directly, so that the
//! coordinator neither plans their statements nor forwards their rows.
//!
//! Every server can answer for every workspace. So a worker that no longer has the rows, because shards were moved, is only
//! slower. If a worker cannot be reached from here, the coordinator answers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::pool::{Begun, Pool};
use super::{Target, distribution, node_lost};
use crate::lock::lock;
use crate::store::db::{Cancel, Db};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

/// How long the worker of a workspace is cached, and how long one that could not be reached is not tried again.
const RETRY_AFTER: Duration = Duration::from_secs(10);

pub(super) struct Workers {
    target: Target,
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    /// When the worker of a workspace was looked up, and which it is; `None` if its rows are on the coordinator.
    of_workspaces: HashMap<Tenant, (Instant, Option<Arc<Worker>>)>,
    by_address: HashMap<(String, u16), Arc<Worker>>,
}

/// A server other than the coordinator, with rows of workspaces.
pub(super) struct Worker {
    pool: Pool,
    failed: Mutex<Option<Instant>>,
}

impl Workers {
    pub fn new(target: Target) -> Self {
        Self {
            target,
            found: Mutex::default(),
        }
    }

    /// Returns the worker with the rows of a workspace; `None` if they are on the coordinator.
    pub fn of(&self, coordinator: &Pool, tenant: Tenant) -> Option<Arc<Worker>> {
        if let Some((asked, worker)) = lock(&self.found).of_workspaces.get(&tenant)
            && asked.elapsed() < RETRY_AFTER
        {
            return worker.clone();
        }
        let asked = Instant::now();
        // If the coordinator fails, so does the read itself, which reports the error.
        let worker: Result<_, StoreError> =
            coordinator.read(&Arc::default(), |db| distribution::worker_of(db, tenant));
        let mut found = lock(&self.found);
        let worker = worker.ok()?.map(|(host, port)| {
            let target = self.target.at(&host, port);
            let server = found.by_address.entry((host, port));
            Arc::clone(server.or_insert_with(|| {
                Arc::new(Worker {
                    pool: Pool::of(target),
                    failed: Mutex::default(),
                })
            }))
        });
        found.of_workspaces.insert(tenant, (asked, worker.clone()));
        worker
    }
}

impl Worker {
    /// Begins a read there, unless the server cannot be reached.
    pub fn begin_read<T>(
        &self,
        cancel: &Arc<Cancel>,
        cached: impl FnOnce(Db<'_>) -> Result<Option<T>, StoreError>,
    ) -> Option<Begun<'_, T>> {
        let failed = *lock(&self.failed);
        if failed.is_some_and(|at| at.elapsed() < RETRY_AFTER) {
            return None;
        }
        match self.pool.begin_read(cancel, cached) {
            Ok(begun) => Some(begun),
            // Its caller has left.
            Err(StoreError::Interrupted) => None,
            Err(error) => {
                *lock(&self.failed) = Some(Instant::now());
                node_lost::log(
                    &error.to_string(),
                    "a server of the database cannot be reached from here, so its workspaces are read by the coordinator",
                );
                None
            }
        }
    }
}
