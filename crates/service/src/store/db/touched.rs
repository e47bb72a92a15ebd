//! Which rows a change touches.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use lead_workspace_index::{ChangeKind, TouchedRows};

use crate::store::tenant::Tenant;

/// What a change touches.
#[derive(Default)]
pub struct Touched {
    pub(in crate::store) rows: RefCell<HashMap<Tenant, TouchedRows>>,
    /// Whether it may touch more than that.
    pub(in crate::store) is_unknown: Cell<bool>,
}

impl Touched {
    pub(in crate::store) fn note(&self, tenant: Tenant, kind: ChangeKind, row: i64) {
        // No column has rows beyond `u32`. For pages and leads, they count as one row.
        let row = u32::try_from(row).unwrap_or(u32::MAX);
        self.rows
            .borrow_mut()
            .entry(tenant)
            .or_default()
            .note(kind, row);
    }

    pub(super) fn note_anything(&self) {
        self.is_unknown.set(true);
    }
}
