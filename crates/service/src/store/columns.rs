//! The host of the index: the columns of each workspace in memory, for the reads of lists and facets.
//!
//! A read asks for the columns that it needs, and gets all of them at one version of its workspace. A column
//! that is in memory at an older version gets the rows that changed since ([`Changes`]); one that is not in memory,
//! or behind too many changes, is read whole. A file keeps the columns for the next start ([`saved`]).

mod changes;
mod load;
mod saved;
mod source;

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use lead_workspace_index::{Column, ColumnId};

pub(super) use changes::Changes;
pub(super) use saved::{FILE as SAVED_FILE, Saved, SavedColumns, remove as remove_saved};
pub(super) use source::Source;

use super::db::Db;
use super::{StoreError, Tenant, pages, versions};

/// Memory for all columns, in bytes, with what is remembered of pages and changes. The least recently
/// used columns are dropped.
const BUDGET: usize = (224 << 20) - pages::BUDGET - changes::BYTES;

/// Columns that one scan of a table reads at most: their values are in memory twice until it ends.
const AT_ONCE: usize = 8;

/// The same for columns that no read waits for. A read that needs one of them waits for the others, too.
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

/// Marks columns that one read is reading or changing.
struct Busy<'a> {
    columns: &'a IndexHost,
    keys: Vec<Key>,
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        let mut state = self.columns.lock();
        for key in &self.keys {
            state.busy.remove(key);
        }
        self.columns.0.free.notify_all();
    }
}

/// What a read finds of a column.
enum Found {
    Current(Arc<Column>),
    /// A read that began later has brought it to a later version.
    Ahead,
    Behind(i64),
    Missing,
}

impl Default for IndexHost {
    fn default() -> Self {
        Self::new(Changes::default())
    }
}

impl IndexHost {
    pub(super) fn new(changes: Changes) -> Self {
        Self(Arc::new(Shared {
            changes,
            state: Mutex::default(),
            free: Condvar::new(),
            budget: AtomicUsize::new(BUDGET),
            uses: AtomicU64::new(0),
        }))
    }

    pub(super) fn changes(&self) -> &Changes {
        &self.0.changes
    }

    /// Sets the memory for all columns, in bytes.
    #[cfg(test)]
    pub(super) fn limit_to(&self, bytes: usize) {
        self.0.budget.store(bytes, Ordering::Relaxed);
    }

    pub(super) fn uses(&self) -> u64 {
        self.0.uses.load(Ordering::Relaxed)
    }

    /// Returns columns of one version of a workspace.
    ///
    /// If another read has brought one of them to a later version, the transaction of this read begins again. So
    /// nothing must have been read in it before.
    pub(super) fn read(
        &self,
        db: Db<'_>,
        tenant: Tenant,
        ids: &[ColumnId],
    ) -> Result<lead_workspace_index::Columns, StoreError> {
        loop {
            let read = Read {
                columns: self,
                db,
                tenant,
                version: self.version(db, tenant)?,
            };
            if let Some(found) = read.all(ids)? {
                let uses = ids.len() as u64;
                self.0.uses.fetch_add(uses, Ordering::Relaxed);
                return Ok(found.into_iter().collect());
            }
            db.begin_read_again()?;
        }
    }

    /// Returns the version of a workspace that a read sees, when all changes up to it are known.
    pub(super) fn version(&self, db: Db<'_>, tenant: Tenant) -> Result<i64, StoreError> {
        let version = versions::version(db, tenant)?;
        self.changes().follow(db, tenant, version)?;
        Ok(version)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Returns a column with its version, if it can be brought to the current one without being read whole.
    fn current(
        &self,
        db: Db<'_>,
        tenant: Tenant,
        id: ColumnId,
    ) -> Result<Option<(i64, Arc<Column>)>, StoreError> {
        loop {
            let version = self.version(db, tenant)?;
            let loaded = {
                let state = self.lock();
                state.loaded.get(&(tenant, id)).map(|loaded| loaded.version)
            };
            let is_known = |from| {
                self.changes()
                    .between(tenant, from, version, id.changed_by())
            };
            if loaded.and_then(is_known).is_none() {
                return Ok(None);
            }
            let read = Read {
                columns: self,
                db,
                tenant,
                version,
            };
            if let Some(mut found) = read.all(&[id])? {
                return Ok(found.remove(&id).map(|column| (version, column)));
            }
            db.begin_read_again()?;
        }
    }

    /// Returns a number that changes with the columns and their versions.
    fn fingerprint(&self) -> u64 {
        let state = self.lock();
        let columns = state.loaded.iter();
        let mut columns: Vec<_> = columns
            .map(|((tenant, id), loaded)| (tenant.0, id.name(), loaded.version))
            .collect();
        columns.sort_unstable();
        let mut hasher = DefaultHasher::new();
        columns.hash(&mut hasher);
        hasher.finish()
    }

    /// Returns groups of all columns, each for one scan, those first that a review needs first.
    pub(super) fn groups() -> impl Iterator<Item = &'static [ColumnId]> {
        let tables = ColumnId::ALL.chunk_by(|one, other| load::are_in_one_scan(*one, *other));
        tables.flat_map(|table| table.chunks(AT_ONCE_AHEAD))
    }

    /// Returns whether there is memory to read columns before a read needs them.
    pub(super) fn has_room(&self) -> bool {
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
        while state.bytes > self.0.budget.load(Ordering::Relaxed) && state.loaded.len() > 1 {
            let oldest = state.loaded.iter().min_by_key(|(_, loaded)| loaded.used);
            let Some(key) = oldest.map(|(key, _)| *key) else {
                break;
            };
            state.take(key);
        }
    }

    /// Forgets workspaces.
    pub(super) fn retain(&self, is_kept: impl Fn(Tenant) -> bool) {
        let mut state = self.lock();
        state.loaded.retain(|(of, _), _| is_kept(*of));
        let loaded = state.loaded.values();
        state.bytes = loaded.map(|loaded| loaded.column.bytes()).sum();
        drop(state);
        self.changes().retain(is_kept);
    }
}

impl State {
    fn take(&mut self, key: Key) -> Option<Loaded> {
        let taken = self.loaded.remove(&key)?;
        self.bytes -= taken.column.bytes();
        Some(taken)
    }
}

/// A read of columns at the version of the workspace that its transaction sees.
struct Read<'a> {
    columns: &'a IndexHost,
    db: Db<'a>,
    tenant: Tenant,
    version: i64,
}

impl Read<'_> {
    /// Returns all columns; `None` if one of them is of a later version.
    fn all(&self, ids: &[ColumnId]) -> Result<Option<HashMap<ColumnId, Arc<Column>>>, StoreError> {
        let mut found = HashMap::new();
        for id in ids {
            while !found.contains_key(id) {
                let (in_memory, busy) = self.find(*id, ids, &found);
                match in_memory {
                    Found::Current(column) => _ = found.insert(*id, column),
                    Found::Ahead => return Ok(None),
                    Found::Behind(from) => {
                        let column = self.changed(*id, from)?;
                        found.extend(column.map(|column| (*id, column)));
                    }
                    Found::Missing => found.extend(self.load(&busy.keys)?),
                }
            }
        }
        Ok(Some(found))
    }

    /// Looks for a column, and waits while another read has it. Otherwise, what has to be read or changed is marked: a
    /// missing column with those that the same scan can read.
    fn find(
        &self,
        id: ColumnId,
        ids: &[ColumnId],
        found: &HashMap<ColumnId, Arc<Column>>,
    ) -> (Found, Busy<'_>) {
        let key = (self.tenant, id);
        let free = &self.columns.0.free;
        let state = self.columns.lock();
        let mut state = free
            .wait_while(state, |state| state.busy.contains(&key))
            .unwrap_or_else(PoisonError::into_inner);
        let mut keys = Vec::new();
        let in_memory = self.look_up(&mut state, id);
        match &in_memory {
            Found::Current(_) | Found::Ahead => {}
            Found::Behind(_) => keys.push(key),
            Found::Missing => {
                let mut others: HashSet<ColumnId> = ids.iter().copied().collect();
                others.retain(|other| {
                    load::are_in_one_scan(id, *other)
                        && *other != id
                        && !found.contains_key(other)
                        && !state.busy.contains(&(self.tenant, *other))
                        && matches!(self.look_up(&mut state, *other), Found::Missing)
                });
                let all = std::iter::once(id).chain(others).take(AT_ONCE);
                keys.extend(all.map(|id| (self.tenant, id)));
            }
        }
        state.busy.extend(&keys);
        let columns = self.columns;
        (in_memory, Busy { columns, keys })
    }

    fn look_up(&self, state: &mut State, id: ColumnId) -> Found {
        state.clock += 1;
        let used = state.clock;
        let Some(loaded) = state.loaded.get_mut(&(self.tenant, id)) else {
            return Found::Missing;
        };
        loaded.used = used;
        if loaded.version == self.version {
            return Found::Current(Arc::clone(&loaded.column));
        }
        match self.changed_rows(id, loaded.version) {
            Some(rows) if rows.is_empty() => {
                loaded.version = loaded.version.max(self.version);
                Found::Current(Arc::clone(&loaded.column))
            }
            _ if loaded.version > self.version => Found::Ahead,
            Some(_) => Found::Behind(loaded.version),
            None => Found::Missing,
        }
    }

    /// Returns the rows whose value may differ between a version and that of this read; `None` if that is not known.
    fn changed_rows(&self, id: ColumnId, version: i64) -> Option<HashSet<u32>> {
        let changes = self.columns.changes();
        changes.between(self.tenant, version, self.version, id.changed_by())
    }

    /// Brings a column from an older version to that of this read. If no other read uses it, it is changed in place, so
    /// that a large one is not in memory twice.
    fn changed(&self, id: ColumnId, from: i64) -> Result<Option<Arc<Column>>, StoreError> {
        let Some(rows) = self.changed_rows(id, from) else {
            // They have been forgotten since.
            self.columns.lock().take((self.tenant, id));
            return Ok(None);
        };
        let values = load::values(self.db, self.tenant, id, &rows)?;
        let taken = self.columns.lock().take((self.tenant, id));
        let Some(Loaded { mut column, .. }) = taken else {
            return Ok(None);
        };
        Arc::make_mut(&mut column).change(&rows, &values);
        self.columns.keep((self.tenant, id), self.version, &column);
        Ok(Some(column))
    }

    /// Reads whole columns, in one scan.
    fn load(&self, keys: &[Key]) -> Result<Vec<(ColumnId, Arc<Column>)>, StoreError> {
        let ids: Vec<ColumnId> = keys.iter().map(|(_, id)| *id).collect();
        let columns = load::columns(self.db, self.tenant, &ids)?;
        let columns = columns.into_iter().map(Arc::new);
        let columns: Vec<_> = ids.into_iter().zip(columns).collect();
        for (id, column) in &columns {
            self.columns.keep((self.tenant, *id), self.version, column);
        }
        Ok(columns)
    }
}

#[cfg(test)]
mod tests;
