//! The host of the index: the columns of each workspace in memory, for the reads of lists and facets.
//!
//! A read asks for the columns that it needs, and gets all of them at one version of its workspace. A column
//! that is in memory at an older version gets the rows that changed since ([`Changes`]); one that is not in memory,
//! or behind too many changes, is read whole. A file keeps the columns for the next start ([`saved`]).

mod changes;
pub(super) mod feed;
mod load;
mod read;
mod saved;
mod source;
pub(super) mod versions;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use lead_workspace_index::{Column, ColumnId};

pub(super) use changes::{BYTES as BYTES_OF_CHANGES, Changes};
pub(super) use saved::{FILE as SAVED_FILE, Saved, SavedColumns, SavedFor, remove as remove_saved};
pub(super) use source::Source;

use crate::lock::lock;
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

/// Memory for the index of a process by default, in bytes, with the changes and the rows of pages that it remembers.
pub const BYTES: usize = 224 << 20;

/// Columns that one scan reads at most before a read needs them. A read that needs one of them waits for the others, too.
const AT_ONCE_AHEAD: usize = 4;

/// The columns in memory, of all workspaces. Clones share them.
#[derive(Clone)]
pub struct IndexHost(Arc<Shared>);

struct Shared {
    changes: Changes,
    state: Mutex<State>,
    /// Notified when a column is no longer being read or changed.
    free: Condvar,
    budget: AtomicUsize,
    /// How often a read has used a column.
    uses: AtomicU64,
}

type Key = (Tenant, ColumnId);

#[derive(Default)]
struct State {
    loaded: HashMap<Key, Loaded>,
    /// The columns that a read is reading or changing. Others wait for them.
    busy: HashSet<Key>,
    bytes: usize,
    /// Counts uses, to find the least recently used column.
    clock: u64,
}

struct Loaded {
    version: i64,
    column: Arc<Column>,
    used: u64,
}

impl Default for IndexHost {
    fn default() -> Self {
        Self::new(BYTES)
    }
}

impl IndexHost {
    /// `bytes` is the memory for all columns. The least recently used ones are dropped.
    pub(in crate::store) fn new(bytes: usize) -> Self {
        Self(Arc::new(Shared {
            changes: Changes::default(),
            state: Mutex::default(),
            free: Condvar::new(),
            budget: AtomicUsize::new(bytes),
            uses: AtomicU64::new(0),
        }))
    }

    pub(in crate::store) fn changes(&self) -> &Changes {
        &self.0.changes
    }

    /// Sets the memory for all columns, in bytes.
    pub(in crate::store) fn limit_to(&self, bytes: usize) {
        self.0.budget.store(bytes, Ordering::Relaxed);
        self.lock().drop_beyond(bytes);
    }

    pub(in crate::store) fn uses(&self) -> u64 {
        self.0.uses.load(Ordering::Relaxed)
    }

    /// Returns the version of a workspace that a read sees, when all changes up to it are known.
    pub(in crate::store) fn version(&self, db: Db<'_>, tenant: Tenant) -> Result<i64, StoreError> {
        let version = versions::version(db, tenant)?;
        self.changes().follow(db, tenant, version)?;
        Ok(version)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.0.state)
    }

    /// Returns the columns in memory, the least recently used first.
    fn by_use(&self) -> Vec<Key> {
        let state = self.lock();
        let mut keys: Vec<(u64, Key)> = state
            .loaded
            .iter()
            .map(|(key, loaded)| (loaded.used, *key))
            .collect();
        keys.sort_unstable_by_key(|(used, _)| *used);
        keys.into_iter().map(|(_, key)| key).collect()
    }

    /// Returns the columns in memory, with the latest known version of their workspace.
    fn latest(&self) -> HashMap<Key, i64> {
        let latest = |tenant| self.changes().latest(tenant).unwrap_or_default();
        let keys = self.by_use().into_iter();
        keys.map(|key| (key, latest(key.0))).collect()
    }

    /// Returns groups of all columns, each for one scan, those first that a review needs first.
    pub(in crate::store) fn groups() -> impl Iterator<Item = &'static [ColumnId]> {
        let tables = ColumnId::ALL.chunk_by(|one, other| load::are_in_one_scan(*one, *other));
        tables.flat_map(|table| table.chunks(AT_ONCE_AHEAD))
    }

    /// Returns whether there is memory to read columns before a read needs them.
    pub(in crate::store) fn has_room(&self) -> bool {
        self.lock().bytes < self.0.budget.load(Ordering::Relaxed) / 8 * 7
    }

    /// Keeps a column, unless a newer one is there.
    fn keep(&self, key: Key, version: i64, column: &Arc<Column>) {
        let mut state = self.lock();
        state.clock += 1;
        let used = state.clock;
        let old = state.loaded.get(&key);
        if old.is_some_and(|old| old.version > version) {
            return;
        }
        let old = old.map_or(0, |old| old.column.bytes());
        state.bytes = state.bytes - old + column.bytes();
        let column = Arc::clone(column);
        let loaded = Loaded {
            version,
            column,
            used,
        };
        state.loaded.insert(key, loaded);
        state.drop_beyond(self.0.budget.load(Ordering::Relaxed));
    }

    /// Forgets workspaces.
    pub(in crate::store) fn retain(&self, is_kept: impl Fn(Tenant) -> bool) {
        let mut state = self.lock();
        state.loaded.retain(|(of, _), _| is_kept(*of));
        let loaded = state.loaded.values();
        state.bytes = loaded.map(|loaded| loaded.column.bytes()).sum();
        drop(state);
        self.changes().retain(is_kept);
    }
}

impl State {
    /// Drops the least recently used columns, but for the last one.
    fn drop_beyond(&mut self, bytes: usize) {
        while self.bytes > bytes && self.loaded.len() > 1 {
            let oldest = self.loaded.iter().min_by_key(|(_, loaded)| loaded.used);
            let Some(key) = oldest.map(|(key, _)| *key) else {
                break;
            };
            self.take(key);
        }
    }

    fn take(&mut self, key: Key) -> Option<Loaded> {
        let taken = self.loaded.remove(&key)?;
        self.bytes -= taken.column.bytes();
        Some(taken)
    }
}

#[cfg(test)]
mod tests;
