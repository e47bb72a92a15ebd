//! Limits on concurrent work, per workspace and in total.

use std::sync::{Arc, Mutex, PoisonError};

use crate::store::Tenant;

/// Slots for work that is limited in concurrency. Clones share them.
#[derive(Clone)]
pub(crate) struct Places {
    /// The workspace of each slot in use.
    taken: Arc<Mutex<Vec<Tenant>>>,
    in_workspace: usize,
    in_all: usize,
}

/// A slot in use. Dropping it frees the slot.
pub(crate) struct Place {
    places: Places,
    tenant: Tenant,
}

/// Why no slot is free, with the number of slots in use.
#[derive(Debug, PartialEq, Eq)]
pub enum NoPlace {
    /// The workspace has reached its limit.
    InWorkspace(usize),
    /// The total limit is reached.
    InAll(usize),
}

impl Places {
    pub(crate) fn new(in_workspace: usize, in_all: usize) -> Self {
        Self {
            taken: Arc::default(),
            in_workspace,
            in_all,
        }
    }

    pub(crate) fn enter(&self, tenant: Tenant) -> Result<Place, NoPlace> {
        let mut taken = self.lock();
        let here = taken.iter().filter(|other| **other == tenant).count();
        if here >= self.in_workspace {
            return Err(NoPlace::InWorkspace(here));
        }
        if taken.len() >= self.in_all {
            return Err(NoPlace::InAll(taken.len()));
        }
        taken.push(tenant);
        drop(taken);
        Ok(Place {
            places: self.clone(),
            tenant,
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Tenant>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.lock();
        if let Some(at) = taken.iter().position(|other| *other == self.tenant) {
            taken.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NoPlace, Places};
    use crate::store::Tenant;

    #[test]
    fn places_end_per_workspace_and_in_all_and_come_back() {
        let places = Places::new(4, 16);
        let mut taken = Vec::new();
        for number in 0..16 {
            taken.push(places.enter(Tenant(number / 4)).ok().unwrap());
        }
        let refused = |tenant| places.enter(Tenant(tenant)).err().unwrap();
        assert_eq!(refused(0), NoPlace::InWorkspace(4));
        assert_eq!(refused(99), NoPlace::InAll(16));
        taken.swap_remove(0);
        assert!(places.enter(Tenant(0)).is_ok());
    }
}
