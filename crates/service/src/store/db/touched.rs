//! Which rows a change touches.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use lead_workspace_index::{ChangeKind, TouchedRows};

use crate::store::tenant::Tenant;

/// What a change touches.
#[derive(Default)]
pub struct Touched {
    pub(in crate::store) rows: RefCell<HashMap<Tenant, TouchedRows>>,
    /// Deleted leads: their row numbers and ids.
    pub(in crate::store) deleted: RefCell<HashMap<Tenant, Vec<(u32, String)>>>,
    /// Whether it may touch more than that.
    pub(in crate::store) is_unknown: Cell<bool>,
}

impl Touched {
    pub(in crate::store) fn note(&self, tenant: Tenant, kind: ChangeKind, row: i64) {
        let mut rows = self.rows.borrow_mut();
        rows.entry(tenant).or_default().note(kind, number(row));
    }

    /// Notes a deleted lead, whose id no row has any more.
    pub(super) fn note_deleted(&self, tenant: Tenant, row: i64, lead_id: String) {
        self.note(tenant, ChangeKind::LEAD_ROW, row);
        let mut deleted = self.deleted.borrow_mut();
        let deleted = deleted.entry(tenant).or_default();
        deleted.push((number(row), lead_id));
    }

    pub(super) fn note_anything(&self) {
        self.is_unknown.set(true);
    }
}

/// No column has rows beyond `u32`. For pages and leads, they count as one row.
fn number(row: i64) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}
