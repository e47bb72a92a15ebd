//! The columns of a workspace as one read sees it.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::{COPIES, Column, ColumnId, Columns, Why, load};
use crate::store::{StoreError, Tenant};

/// Rows that are read again one by one. After more changes, the column is loaded again.
const FEW_CHANGES: usize = 20_000;

/// How long a read waits for columns that are being loaded.
const WAIT: Duration = Duration::from_secs(3);

pub(in crate::store) struct Snapshot<'a> {
    pub(super) columns: Columns,
    pub(super) connection: &'a Connection,
    pub(super) tenant: Tenant,
    pub(super) version: i64,
    /// Until when the read may wait for columns.
    until: Instant,
    /// The columns that the read has asked for.
    asked: RefCell<HashSet<ColumnId>>,
    /// Bytes of the copies that only this read uses.
    copied: Cell<usize>,
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        self.columns.lock().copied -= self.copied.get();
    }
}

/// Marks the column that is being changed: other reads wait for it instead of loading it.
struct Updating<'a>(&'a Columns);

impl Drop for Updating<'_> {
    fn drop(&mut self) {
        self.0.lock().updated = None;
        self.0.0.changed.notify_all();
    }
}

impl<'a> Snapshot<'a> {
    pub(super) fn new(
        columns: &Columns,
        connection: &'a Connection,
        tenant: Tenant,
        version: i64,
    ) -> Self {
        Self {
            columns: columns.clone(),
            connection,
            tenant,
            version,
            until: Instant::now() + WAIT,
            asked: RefCell::default(),
            copied: Cell::default(),
        }
    }

    /// Says which columns the read will need, so that one scan loads those that are missing, and that
    /// the read does not wait for some of them if all together do not fit into memory.
    pub(super) fn ask_for(&self, ids: &[ColumnId]) {
        self.asked.borrow_mut().extend(ids);
        if self.fits() {
            self.columns.want(self.tenant, ids, Why::Read);
        }
    }

    /// Returns a column, and waits for it if it is not in memory yet; `None` if that takes too long, or
    /// the columns of this read do not fit into memory together. Then the read uses SQL.
    pub(in crate::store) fn column(&self, id: ColumnId) -> Result<Option<Arc<Column>>, StoreError> {
        self.ask_for(&[id]);
        let Some((version, column)) = self.loaded(id).or_else(|| self.wait(id)) else {
            return Ok(None);
        };
        self.columns.0.uses.fetch_add(1, Ordering::Relaxed);
        if version == self.version {
            return Ok(Some(column));
        }
        let changed = self.changed_since(version, id);
        if changed.is_some_and(|rows| rows.is_empty()) {
            self.keep(id, &column);
            return Ok(Some(column));
        }
        drop(column);
        self.updated(id)
    }

    /// Returns a column with the changes since it was loaded.
    ///
    /// One read at a time does this: those that wait find the column up to date. The only reference to
    /// a column is changed in place, so that a large one is not in memory twice.
    fn updated(&self, id: ColumnId) -> Result<Option<Arc<Column>>, StoreError> {
        let updates = &self.columns.0.updates;
        let _one = updates.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((version, column)) = self.loaded(id) else {
            return Ok(None);
        };
        let Some(changed) = self.changed_since(version, id) else {
            if version < self.version {
                // Unless the loader has just replaced it.
                drop(self.take(id, version));
                self.columns.want(self.tenant, &[id], Why::Changes);
            }
            return Ok(None);
        };
        if changed.is_empty() {
            return Ok(Some(column));
        }
        if version > self.version && !self.may_copy(column.bytes()) {
            return Ok(None);
        }
        let values = load::values(self.connection, self.tenant, id, &changed)?;
        if version > self.version {
            let mut copy = Column::clone(&column);
            copy.change(&changed, &values);
            return Ok(Some(Arc::new(copy)));
        }
        drop(column);
        let Some((mut column, _updating)) = self.take(id, version) else {
            return Ok(None);
        };
        Arc::make_mut(&mut column).change(&changed, &values);
        self.keep(id, &column);
        Ok(Some(column))
    }

    /// Returns the rows whose value may differ between a version and that of this read; `None` if they
    /// are too many, or not known.
    fn changed_since(&self, version: i64, id: ColumnId) -> Option<HashSet<u32>> {
        let changes = &self.columns.0.changes;
        let changed = changes.between(self.tenant, version, self.version, id.kind());
        changed.filter(|rows| rows.len() <= FEW_CHANGES)
    }

    /// Keeps a column that is now of the version of this read.
    fn keep(&self, id: ColumnId, column: &Arc<Column>) {
        self.columns.keep(self.tenant, id, self.version, column);
    }

    fn loaded(&self, id: ColumnId) -> Option<(i64, Arc<Column>)> {
        let key = (self.tenant, id);
        let changed = &self.columns.0.changed;
        let mut state = changed
            .wait_while(self.columns.lock(), |state| state.updated == Some(key))
            .unwrap_or_else(PoisonError::into_inner);
        state.clock += 1;
        let used = state.clock;
        let loaded = state.loaded.get_mut(&key)?;
        loaded.used = used;
        Some((loaded.version, Arc::clone(&loaded.column)))
    }

    /// Takes a column out of memory to change it, unless the loader has just replaced it.
    fn take(&self, id: ColumnId, version: i64) -> Option<(Arc<Column>, Updating<'_>)> {
        let key = (self.tenant, id);
        let mut state = self.columns.lock();
        state
            .loaded
            .get(&key)
            .filter(|loaded| loaded.version == version)?;
        let column = state.forget(key)?;
        state.updated = Some(key);
        Some((column, Updating(&self.columns)))
    }

    fn wait(&self, id: ColumnId) -> Option<(i64, Arc<Column>)> {
        if !self.fits() {
            return None;
        }
        self.columns.want(self.tenant, &[id], Why::Read);
        let time = self.until.saturating_duration_since(Instant::now());
        let key = (self.tenant, id);
        let is_missing =
            |state: &mut super::State| !state.ended && !state.loaded.contains_key(&key);
        let changed = &self.columns.0.changed;
        let waited = changed.wait_timeout_while(self.columns.lock(), time, is_missing);
        drop(waited);
        self.loaded(id)
    }

    /// Returns whether the columns of this read fit into memory together, as far as their sizes are
    /// known. If not, each would take the place of another, again with every read.
    fn fits(&self) -> bool {
        let state = self.columns.lock();
        let asked = self.asked.borrow();
        let sizes = asked
            .iter()
            .filter_map(|id| state.sizes.get(&(self.tenant, *id)));
        sizes.sum::<usize>() <= self.columns.budget()
    }

    /// Returns whether there is memory for a copy that only this read uses. One is always allowed.
    fn may_copy(&self, bytes: usize) -> bool {
        let mut state = self.columns.lock();
        let fits = state.copied == 0 || state.copied + bytes <= COPIES;
        if fits {
            state.copied += bytes;
            self.copied.set(self.copied.get() + bytes);
        }
        fits
    }
}
