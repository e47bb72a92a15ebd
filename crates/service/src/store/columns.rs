//! Columns of large workspaces in memory.
//!
//! With them, any combination of filters, search, sort and page of a million leads takes
//! milliseconds; in SQL, some combinations read most of the workspace. A thread of its own loads the
//! columns: after the start those that the review screen needs, others when a read first needs them.
//! A read waits a little for its columns, and otherwise uses SQL. A normal stop saves the columns
//! for the next start ([`saved`]).
//!
//! A column is used only for the state of the database that a read sees. If it was loaded at another
//! version of the workspace, the rows that changed in between ([`Changes`]) are read again.

mod changes;
mod codes;
mod column;
mod dictionary;
mod load;
mod loader;
mod matching;
mod saved;
mod snapshot;
mod spec;

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rusqlite::params;

pub(super) use changes::Changes;
pub(super) use column::Column;
pub(super) use loader::{Loader, load_all, want_all};
pub(super) use saved::{FILE as SAVED_FILE, Saved, SavedColumns, remove as remove_saved};
pub(super) use snapshot::Snapshot;
pub(super) use spec::{ColumnId, Table};

use super::db::Db;
use super::{StoreError, Tenant, pages, versions};

/// Number of leads or accounts from which a workspace has its columns in memory. Below, SQL reads all
/// of its rows in a few milliseconds.
const FROM: u64 = 5_000;

/// Memory for all columns, in bytes, with what is remembered of pages and changes. The least recently
/// used columns are dropped.
const BUDGET: usize = (224 << 20) - pages::BUDGET - changes::BYTES;

/// Memory for copies of columns that only one read uses, in bytes. Without it, the read uses SQL.
const COPIES: usize = 64 << 20;

/// The columns in memory. Clones share them.
#[derive(Clone)]
pub(super) struct Columns(Arc<Shared>);

struct Shared {
    changes: Changes,
    state: Mutex<State>,
    /// Notified when a column is wanted, and at the end.
    changed: Condvar,
    from: AtomicU64,
    budget: AtomicUsize,
    /// Held to bring a column up to date.
    updates: Mutex<()>,
    /// How often a read has used a column.
    uses: AtomicU64,
}

#[derive(Default)]
struct State {
    loaded: HashMap<(Tenant, ColumnId), Loaded>,
    wanted: VecDeque<(Tenant, ColumnId, Why)>,
    bytes: usize,
    /// The size of each column when it was last in memory, of workspaces that have columns there.
    sizes: HashMap<(Tenant, ColumnId), usize>,
    /// The column that is being changed. It is in memory again in a moment.
    updated: Option<(Tenant, ColumnId)>,
    /// Bytes of copies.
    copied: usize,
    /// Counts uses, to find the least recently used column.
    clock: u64,
    ended: bool,
}

/// Why a column is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    /// Reads will probably need it.
    Start,
    /// A read waits for it.
    Read,
    /// Too much has changed since it was loaded.
    Changes,
}

struct Loaded {
    version: i64,
    column: Arc<Column>,
    used: u64,
}

impl Columns {
    pub(super) fn new(changes: Changes) -> Self {
        Self(Arc::new(Shared {
            changes,
            state: Mutex::default(),
            changed: Condvar::new(),
            from: AtomicU64::new(FROM),
            budget: AtomicUsize::new(BUDGET),
            updates: Mutex::default(),
            uses: AtomicU64::new(0),
        }))
    }

    pub(super) fn changes(&self) -> &Changes {
        &self.0.changes
    }

    /// Sets the number of leads from which a workspace has columns.
    pub(super) fn use_from(&self, leads: u64) {
        self.0.from.store(leads, Ordering::Relaxed);
    }

    /// Sets the memory for all columns, in bytes.
    #[cfg(test)]
    pub(super) fn limit_to(&self, bytes: usize) {
        self.0.budget.store(bytes, Ordering::Relaxed);
    }

    fn budget(&self) -> usize {
        self.0.budget.load(Ordering::Relaxed)
    }

    pub(super) fn uses(&self) -> u64 {
        self.0.uses.load(Ordering::Relaxed)
    }

    /// Returns the columns for the state of the database that a read sees; `None` if the workspace
    /// is too small, or on PostgreSQL.
    pub(super) fn snapshot<'a>(
        &self,
        db: Db<'a>,
        tenant: Tenant,
    ) -> Result<Option<Snapshot<'a>>, StoreError> {
        let sql = "SELECT (SELECT coalesce(sum(leads), 0) FROM status_counts WHERE tenant = ?1),
                     max((SELECT coalesce(max(id), 0) FROM leads),
                         (SELECT coalesce(max(id), 0) FROM accounts))";
        let Db::Sqlite(connection) = db else {
            // Other processes change rows that this one does not hear of.
            return Ok(None);
        };
        let (leads, last): (i64, i64) = connection
            .prepare_cached(sql)?
            .query_row(params![tenant.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let from = self.0.from.load(Ordering::Relaxed);
        let mut rows = leads.unsigned_abs();
        if rows < from {
            let sql = "SELECT count(*) FROM accounts WHERE tenant = ?1";
            let mut count = connection.prepare_cached(sql)?;
            let accounts: i64 = count.query_row([tenant.0], |row| row.get(0))?;
            rows = rows.max(accounts.unsigned_abs());
        }
        if rows < from.max(1) || last > i64::from(u32::MAX) {
            return Ok(None);
        }
        let version = versions::version(db, tenant)?;
        Ok(Some(Snapshot::new(self, connection, tenant, version)))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn loaded_of(&self, tenant: Tenant) -> Vec<ColumnId> {
        let state = self.lock();
        let own = state.loaded.keys().filter(|(of, _)| *of == tenant);
        own.map(|(_, id)| *id).collect()
    }

    /// Has columns loaded before all others, if they are missing.
    fn want(&self, tenant: Tenant, ids: &[ColumnId], why: Why) {
        let mut state = self.lock();
        for id in ids.iter().rev() {
            let key = (tenant, *id);
            if !state.loaded.contains_key(&key) && state.updated != Some(key) {
                state.wanted.retain(|(of, wanted, _)| (*of, *wanted) != key);
                state.wanted.push_front((tenant, *id, why));
                self.0.changed.notify_all();
            }
        }
    }

    /// Keeps a column, unless a newer one is there.
    fn keep(&self, tenant: Tenant, id: ColumnId, version: i64, column: &Arc<Column>) {
        let mut state = self.lock();
        state.clock += 1;
        let (used, key) = (state.clock, (tenant, id));
        let old = state.loaded.get(&key);
        if old.is_some_and(|old| old.version > version) {
            return;
        }
        let old = old.map_or(0, |old| old.column.bytes());
        state.bytes = state.bytes - old + column.bytes();
        state.sizes.insert(key, column.bytes());
        let column = Arc::clone(column);
        let loaded = Loaded {
            version,
            column,
            used,
        };
        state.loaded.insert(key, loaded);
        self.0.changed.notify_all();
        while state.bytes > self.budget() && state.loaded.len() > 1 {
            let oldest = state.loaded.iter().min_by_key(|(_, loaded)| loaded.used);
            let Some(key) = oldest.map(|(key, _)| *key) else {
                break;
            };
            state.forget(key);
            if !state.loaded.keys().any(|(of, _)| *of == key.0) {
                state.sizes.retain(|(of, _), _| *of != key.0);
            }
        }
    }

    /// Forgets workspaces.
    pub(super) fn retain(&self, is_kept: impl Fn(Tenant) -> bool) {
        let mut state = self.lock();
        state.loaded.retain(|(of, _), _| is_kept(*of));
        state.sizes.retain(|(of, _), _| is_kept(*of));
        let loaded = state.loaded.values();
        state.bytes = loaded.map(|loaded| loaded.column.bytes()).sum();
        drop(state);
        self.changes().retain(is_kept);
    }
}

impl State {
    fn forget(&mut self, key: (Tenant, ColumnId)) -> Option<Arc<Column>> {
        let dropped = self.loaded.remove(&key)?.column;
        self.bytes -= dropped.bytes();
        Some(dropped)
    }
}

#[cfg(test)]
mod tests;
