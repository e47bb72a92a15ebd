//! How many imports run at once. Each of them has a thread, a part of the file in memory, and its
//! turns at the one writer.

use std::sync::{Arc, Mutex, PoisonError};

use crate::http::ApiError;
use crate::store::Tenant;

/// In one workspace, so that one key does not take all places.
const IN_WORKSPACE: usize = 4;

/// In all.
const IN_ALL: usize = 16;

/// Seconds after which it is worth another try.
const WAIT: u64 = 10;

/// The workspaces of the imports that run. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct Running(Arc<Mutex<Vec<Tenant>>>);

/// A place among the imports that run, until it is dropped.
pub(super) struct Place {
    running: Running,
    tenant: Tenant,
}

impl Running {
    /// Takes a place, if there is one.
    pub(super) fn enter(&self, tenant: Tenant) -> Result<Place, ApiError> {
        let mut all = self.lock();
        let here = all.iter().filter(|other| **other == tenant).count();
        if here >= IN_WORKSPACE {
            return Err(ApiError::ImportsInWorkspace(here, WAIT));
        }
        if all.len() >= IN_ALL {
            return Err(ApiError::ImportsInAll(all.len(), WAIT));
        }
        all.push(tenant);
        drop(all);
        Ok(Place {
            running: self.clone(),
            tenant,
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Tenant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = self.running.lock();
        if let Some(at) = all.iter().position(|other| *other == self.tenant) {
            all.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{IN_ALL, IN_WORKSPACE, Running};
    use crate::http::ApiError;
    use crate::store::Tenant;

    #[test]
    fn places_end_per_workspace_and_in_all_and_come_back() {
        let running = Running::default();
        let mut places = Vec::new();
        for number in 0..IN_ALL {
            let tenant = Tenant(i64::try_from(number / IN_WORKSPACE).unwrap());
            places.push(running.enter(tenant).unwrap());
        }
        let here = running.enter(Tenant(0)).err().unwrap();
        assert!(matches!(here, ApiError::ImportsInWorkspace(..)), "{here:?}");
        let all = running.enter(Tenant(99)).err().unwrap();
        assert!(matches!(all, ApiError::ImportsInAll(..)), "{all:?}");
        places.swap_remove(0);
        assert!(running.enter(Tenant(0)).is_ok());
    }
}
