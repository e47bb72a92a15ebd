//! How many imports run at once. Each of them has a thread, a part of the file in memory, and its
//! turns at the one writer.

use crate::http::{ApiError, NoPlace, Places};
use crate::store::Tenant;

pub(super) use crate::http::Place;

/// In one workspace, so that one key does not take all places.
const IN_WORKSPACE: usize = 4;

/// In all.
const IN_ALL: usize = 16;

/// Seconds after which it is worth another try.
const WAIT: u64 = 10;

/// The imports that run. Clones share it.
#[derive(Clone)]
pub(crate) struct Running(Places);

impl Default for Running {
    fn default() -> Self {
        Self(Places::new(IN_WORKSPACE, IN_ALL))
    }
}

impl Running {
    /// Takes a place, if there is one.
    pub(super) fn enter(&self, tenant: Tenant) -> Result<Place, ApiError> {
        self.0.enter(tenant).map_err(|none| match none {
            NoPlace::InWorkspace(count) => ApiError::ImportsInWorkspace(count, WAIT),
            NoPlace::InAll(count) => ApiError::ImportsInAll(count, WAIT),
        })
    }
}
