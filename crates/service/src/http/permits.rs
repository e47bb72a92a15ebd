//! Permits that limit concurrent work, per workspace and in total.

use std::sync::{Arc, Mutex};

use crate::lock::lock;
use crate::store::Tenant;

/// A concurrency limit. Clones share it.
#[derive(Clone)]
pub(crate) struct Permits {
    /// The workspace of each permit in use.
    in_use: Arc<Mutex<Vec<Tenant>>>,
    per_workspace: usize,
    total: usize,
}

/// Permission to do the work. Dropping it returns the permit.
pub(crate) struct Permit {
    permits: Permits,
    tenant: Tenant,
}

/// Which limit is reached, with the number of permits in use.
#[derive(Debug, PartialEq, Eq)]
pub enum NoPermit {
    /// That of the workspace.
    Workspace(usize),
    /// That of all workspaces together.
    Total(usize),
}

impl Permits {
    pub(crate) fn new(per_workspace: usize, total: usize) -> Self {
        Self {
            in_use: Arc::default(),
            per_workspace,
            total,
        }
    }

    pub(crate) fn acquire(&self, tenant: Tenant) -> Result<Permit, NoPermit> {
        let mut in_use = self.lock();
        let here = in_use.iter().filter(|other| **other == tenant).count();
        if here >= self.per_workspace {
            return Err(NoPermit::Workspace(here));
        }
        if in_use.len() >= self.total {
            return Err(NoPermit::Total(in_use.len()));
        }
        in_use.push(tenant);
        drop(in_use);
        Ok(Permit {
            permits: self.clone(),
            tenant,
        })
    }

    /// Number of permits in use.
    pub(crate) fn in_use(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Tenant>> {
        lock(&self.in_use)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut in_use = self.permits.lock();
        if let Some(at) = in_use.iter().position(|other| *other == self.tenant) {
            in_use.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NoPermit, Permits};
    use crate::store::Tenant;

    #[test]
    fn permits_are_limited_per_workspace_and_in_total_and_return_on_drop() {
        let permits = Permits::new(4, 16);
        let mut acquired = Vec::new();
        for number in 0..16 {
            acquired.push(permits.acquire(Tenant(number / 4)).ok().unwrap());
        }
        let refused = |tenant| permits.acquire(Tenant(tenant)).err().unwrap();
        assert_eq!(refused(0), NoPermit::Workspace(4));
        assert_eq!(refused(99), NoPermit::Total(16));
        acquired.swap_remove(0);
        assert!(permits.acquire(Tenant(0)).is_ok());
    }
}
