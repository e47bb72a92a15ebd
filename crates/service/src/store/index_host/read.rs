//! A read of columns at one version of a workspace.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use lead_workspace_index::{Column, ColumnId, Columns};

use super::{IndexHost, Key, Loaded, State, load};
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

/// Columns that one scan of a table reads at most: their values are in memory twice until it ends.
const AT_ONCE: usize = 8;

impl IndexHost {
    /// Like [`read_at`](Self::read_at), without the version.
    pub(in crate::store) fn read(
        &self,
        db: Db<'_>,
        tenant: Tenant,
        ids: &[ColumnId],
    ) -> Result<Columns, StoreError> {
        self.read_at(db, tenant, ids).map(|(_, columns)| columns)
    }

    /// Returns columns of one version of a workspace, and the version.
    ///
    /// If another read has brought one of them to a later version, the transaction of this read begins again. So
    /// nothing must have been read in it before.
    pub(in crate::store) fn read_at(
        &self,
        db: Db<'_>,
        tenant: Tenant,
        ids: &[ColumnId],
    ) -> Result<(i64, Columns), StoreError> {
        loop {
            let read = Read {
                host: self,
                db,
                tenant,
                version: self.version(db, tenant)?,
            };
            if let Some(found) = read.all(ids)? {
                let uses = ids.len() as u64;
                self.0.uses.fetch_add(uses, Ordering::Relaxed);
                return Ok((read.version, found));
            }
            db.begin_read_again()?;
            // One that is deleted has no version any more.
            tenant.refuse_deleted(db)?;
        }
    }

    /// Returns a column with its version, if it can be brought to the current one without being read whole.
    pub(super) fn current(
        &self,
        db: Db<'_>,
        tenant: Tenant,
        id: ColumnId,
    ) -> Result<Option<(i64, Columns)>, StoreError> {
        let version = self.version(db, tenant)?;
        let loaded = self
            .lock()
            .loaded
            .get(&(tenant, id))
            .map(|loaded| loaded.version);
        let changes = self.changes();
        let changed = |from| changes.between(tenant, from, version, id.changed_by());
        if loaded.and_then(changed).is_none() {
            return Ok(None);
        }
        self.read_at(db, tenant, &[id]).map(Some)
    }
}

/// Marks columns that one read is reading or changing.
struct Busy<'a> {
    host: &'a IndexHost,
    keys: Vec<Key>,
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        let mut state = self.host.lock();
        for key in &self.keys {
            state.busy.remove(key);
        }
        self.host.0.free.notify_all();
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

/// A read of columns at the version of the workspace that its transaction sees.
struct Read<'a> {
    host: &'a IndexHost,
    db: Db<'a>,
    tenant: Tenant,
    version: i64,
}

impl Read<'_> {
    /// Returns all columns; `None` if one of them is of a later version.
    fn all(&self, ids: &[ColumnId]) -> Result<Option<Columns>, StoreError> {
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
        Ok(Some(found.into_iter().collect()))
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
        let free = &self.host.0.free;
        let state = self.host.lock();
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
        let host = self.host;
        (in_memory, Busy { host, keys })
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
        let changes = self.host.changes();
        changes.between(self.tenant, version, self.version, id.changed_by())
    }

    /// Brings a column from an older version to that of this read. If no other read uses it, it is changed in place, so
    /// that a large one is not in memory twice.
    fn changed(&self, id: ColumnId, from: i64) -> Result<Option<Arc<Column>>, StoreError> {
        let Some(rows) = self.changed_rows(id, from) else {
            // They have been forgotten since.
            self.host.lock().take((self.tenant, id));
            return Ok(None);
        };
        let values = load::values(self.db, self.tenant, id, &rows)?;
        let taken = self.host.lock().take((self.tenant, id));
        let Some(Loaded { mut column, .. }) = taken else {
            return Ok(None);
        };
        Arc::make_mut(&mut column).change(&rows, &values);
        self.host.keep((self.tenant, id), self.version, &column);
        Ok(Some(column))
    }

    /// Reads whole columns, in one scan.
    fn load(&self, keys: &[Key]) -> Result<Vec<(ColumnId, Arc<Column>)>, StoreError> {
        let ids: Vec<ColumnId> = keys.iter().map(|(_, id)| *id).collect();
        let columns = load::columns(self.db, self.tenant, &ids)?;
        let columns = columns.into_iter().map(Arc::new);
        let columns: Vec<_> = ids.into_iter().zip(columns).collect();
        for (id, column) in &columns {
            self.host.keep((self.tenant, *id), self.version, column);
        }
        Ok(columns)
    }
}
