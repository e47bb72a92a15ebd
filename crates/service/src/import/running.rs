//! Limits how many imports run at the same time. Each of them uses a thread, memory for a part of
//! the file, and the only writer.

use crate::http::{ApiError, NoPlace, Places};
use crate::store::Tenant;

pub(super) use crate::http::Place;

/// Limit per workspace, so that one key does not take all slots.
const IN_WORKSPACE: usize = 4;

/// Limit in total.
const IN_ALL: usize = 16;

/// Seconds for `Retry-After`.
const WAIT: u64 = 10;

/// Slots for running imports. Clones share them.
#[derive(Clone)]
pub(crate) struct Running(Places);

impl Default for Running {
    fn default() -> Self {
        Self(Places::new(IN_WORKSPACE, IN_ALL))
    }
}

impl Running {
    pub(super) fn enter(&self, tenant: Tenant) -> Result<Place, ApiError> {
        self.0.enter(tenant).map_err(|none| match none {
            NoPlace::InWorkspace(count) => ApiError::ImportsInWorkspace(count, WAIT),
            NoPlace::InAll(count) => ApiError::ImportsInAll(count, WAIT),
        })
    }
}
