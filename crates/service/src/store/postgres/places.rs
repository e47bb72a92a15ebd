//! With Citus: the server with the rows of each workspace. A read of one workspace goes there, so that no other server plans
//! its statements and passes on its rows.
//!
//! Every server answers for every workspace. So one that is not the right one any more, after shards were moved, is slower,
//! and not wrong; and where a server cannot be reached from here, the coordinator is asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::pool::{Begun, Pool};
use super::{Target, distribution, node_lost};
use crate::store::db::{Cancel, Db};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

/// How long the place of a workspace is believed, and how long a server is not tried again that could not be reached.
const AGAIN_AFTER: Duration = Duration::from_secs(10);

pub(super) struct Places {
    target: Target,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// When the place of a workspace was looked up, and where it is. None is the coordinator.
    places: HashMap<Tenant, (Instant, Option<Arc<Place>>)>,
    servers: HashMap<(String, u16), Arc<Place>>,
}

/// A server with rows of workspaces.
pub(super) struct Place {
    pool: Pool,
    failed: Mutex<Option<Instant>>,
}

impl Places {
    pub fn new(target: Target) -> Self {
        Self {
            target,
            known: Mutex::default(),
        }
    }

    /// Returns the server with the rows of a workspace, if it is not the coordinator.
    pub fn of(&self, coordinator: &Pool, tenant: Tenant) -> Option<Arc<Place>> {
        if let Some((asked, place)) = lock(&self.known).places.get(&tenant)
            && asked.elapsed() < AGAIN_AFTER
        {
            return place.clone();
        }
        let asked = Instant::now();
        // What is wrong with the coordinator, the read itself will tell.
        let place: Result<_, StoreError> =
            coordinator.read(&Arc::default(), |db| distribution::place_of(db, tenant));
        let mut known = lock(&self.known);
        let place = place.ok()?.map(|(host, port)| {
            let target = self.target.at(&host, port);
            let server = known.servers.entry((host, port));
            Arc::clone(server.or_insert_with(|| {
                Arc::new(Place {
                    pool: Pool::of(target),
                    failed: Mutex::default(),
                })
            }))
        });
        known.places.insert(tenant, (asked, place.clone()));
        place
    }
}

impl Place {
    /// Begins a read there, unless the server cannot be reached.
    pub fn begin_read<T>(
        &self,
        cancel: &Arc<Cancel>,
        known: impl FnOnce(Db<'_>) -> Result<Option<T>, StoreError>,
    ) -> Option<Begun<'_, T>> {
        let failed = *lock(&self.failed);
        if failed.is_some_and(|at| at.elapsed() < AGAIN_AFTER) {
            return None;
        }
        match self.pool.begin_read(cancel, known) {
            Ok(begun) => Some(begun),
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
