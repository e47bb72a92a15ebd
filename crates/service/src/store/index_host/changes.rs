//! What this process knows of the feed: which rows each version of a workspace has changed, so that only what depends
//! on them is read again: columns, pages, and leads as list elements.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex};

use lead_workspace_index::ChangeKind;
#[cfg(test)]
use lead_workspace_index::TouchedRows;

use crate::lock::lock;
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::index_host::feed::{self, Entry};
use crate::store::tenant::Tenant;

/// Changes that are remembered, of all workspaces. After more, what depends on the older ones of the
/// workspace with the most is read as a whole again.
const REMEMBERED: usize = 100_000;

/// Memory for them, in bytes. A queue has room for up to twice as many.
pub(in crate::store) const BYTES: usize = 2 * REMEMBERED * size_of::<(i64, Changed)>();

/// The changes of all workspaces since the first read of each. Clones share them.
#[derive(Clone, Default)]
pub(in crate::store) struct Changes(Arc<Mutex<Log>>);

#[derive(Default)]
struct Log {
    workspaces: HashMap<Tenant, Workspace>,
    /// The number of rows of all workspaces.
    remembered: usize,
}

impl Log {
    /// Adds the entries up to a version. Those that another read has added meanwhile are left out. Where one is missing,
    /// what is known from before does not lead to the version.
    fn add(&mut self, tenant: Tenant, version: i64, entries: Vec<Entry>) {
        let Some(workspace) = self.workspaces.get_mut(&tenant) else {
            return;
        };
        self.remembered -= workspace.rows.len();
        for entry in entries {
            if entry.version <= workspace.latest {
                continue;
            }
            if entry.version != workspace.latest + 1 {
                *workspace = Workspace::at(entry.version - 1);
            }
            workspace.latest = entry.version;
            if entry.any_lead {
                workspace.leads_since = entry.version;
            }
            let rows = entry
                .rows
                .iter()
                .map(|(kind, row)| (entry.version, Changed { kind, row }));
            workspace.rows.extend(rows);
        }
        if workspace.latest < version {
            *workspace = Workspace::at(version);
        }
        self.remembered += workspace.rows.len();
        while self.remembered > REMEMBERED {
            let all = self.workspaces.values_mut();
            let Some(largest) = all.max_by_key(|workspace| workspace.rows.len()) else {
                break;
            };
            self.remembered -= largest.rows.len();
            largest.forget_half();
            self.remembered += largest.rows.len();
        }
    }
}

#[derive(Clone, Copy)]
struct Changed {
    kind: ChangeKind,
    row: u32,
}

struct Workspace {
    /// For each kind, the version after which all its changes are known.
    since: [i64; ChangeKind::COUNT],
    /// The version after which all changes said which leads lists show otherwise.
    leads_since: i64,
    /// The version that the last change led to.
    latest: i64,
    rows: VecDeque<(i64, Changed)>,
}

impl Workspace {
    fn at(version: i64) -> Self {
        Self {
            since: [version; ChangeKind::COUNT],
            leads_since: version,
            latest: version,
            rows: VecDeque::new(),
        }
    }

    /// Forgets the older half of the changes.
    fn forget_half(&mut self) {
        for (version, changed) in self.rows.drain(..self.rows.len().div_ceil(2)) {
            for bit in changed.kind.numbers() {
                self.since[bit] = version;
            }
        }
        self.rows.shrink_to_fit();
    }

    /// Returns whether all changes of a kind after a version and up to another are known.
    fn knows(&self, kind: ChangeKind, from: i64, to: i64) -> bool {
        to <= self.latest && kind.numbers().all(|bit| self.since[bit] <= from)
    }
}

impl Changes {
    /// Takes the entries of the feed up to the version that a read sees.
    pub(in crate::store) fn follow(
        &self,
        db: Db<'_>,
        tenant: Tenant,
        version: i64,
    ) -> Result<(), StoreError> {
        let from = {
            let mut log = lock(&self.0);
            let workspace = log.workspaces.entry(tenant);
            workspace.or_insert_with(|| Workspace::at(version)).latest
        };
        if from < version {
            // More than that would not be remembered.
            let is_known = version - from <= REMEMBERED as i64;
            let entries = is_known.then(|| feed::after(db, tenant, from));
            let entries = entries.transpose()?.unwrap_or_default();
            lock(&self.0).add(tenant, version, entries);
        }
        Ok(())
    }

    /// Adds an entry, without a database: the decisions that lead to a version, or any other change.
    #[cfg(test)]
    pub(in crate::store) fn add(&self, tenant: Tenant, version: i64, decided: Option<&[i64]>) {
        let mut rows = TouchedRows::default();
        for lead in decided.into_iter().flatten() {
            let row = u32::try_from(*lead).unwrap_or(u32::MAX);
            rows.note(ChangeKind::STATUS, row);
        }
        let entry = Entry {
            version,
            rows,
            any_lead: decided.is_none(),
        };
        self.begin_at(tenant, version - 1);
        lock(&self.0).add(tenant, version, vec![entry]);
    }

    /// Begins to follow a workspace at a version that something was saved at, or at an earlier one.
    pub(super) fn begin_at(&self, tenant: Tenant, version: i64) {
        let mut log = lock(&self.0);
        let workspace = log.workspaces.entry(tenant);
        let workspace = workspace.or_insert_with(|| Workspace::at(version));
        if version < workspace.latest && workspace.rows.is_empty() {
            *workspace = Workspace::at(version);
        }
    }

    /// Returns the version that the last known change of a workspace led to.
    pub(super) fn latest(&self, tenant: Tenant) -> Option<i64> {
        lock(&self.0)
            .workspaces
            .get(&tenant)
            .map(|workspace| workspace.latest)
    }

    /// Forgets workspaces.
    pub(in crate::store) fn retain(&self, is_kept: impl Fn(Tenant) -> bool) {
        let mut log = lock(&self.0);
        log.workspaces.retain(|tenant, _| is_kept(*tenant));
        let rows = log
            .workspaces
            .values()
            .map(|workspace| workspace.rows.len());
        log.remembered = rows.sum();
    }

    /// Returns the rows that differ between two versions, in either direction; `None` if that is not
    /// known.
    pub(in crate::store) fn between(
        &self,
        tenant: Tenant,
        one: i64,
        other: i64,
        kind: ChangeKind,
    ) -> Option<HashSet<u32>> {
        if one == other {
            return Some(HashSet::new());
        }
        let log = lock(&self.0);
        let workspace = log.workspaces.get(&tenant)?;
        let (from, to) = (one.min(other), one.max(other));
        if !workspace.knows(kind, from, to) {
            return None;
        }
        let rows = workspace.rows.iter().rev();
        let rows = rows.take_while(|(version, _)| *version > from);
        let rows = rows.filter(|(version, changed)| *version <= to && changed.kind.meets(kind));
        Some(rows.map(|(_, changed)| changed.row).collect())
    }

    /// Returns which leads are the same in two states of the database, in all that a list shows: that of
    /// `version`, and the one whose version comes with the lead. Leads may be in any order.
    pub(in crate::store) fn same_leads(
        &self,
        tenant: Tenant,
        version: i64,
        leads: &[(u32, i64)],
    ) -> Vec<bool> {
        let log = lock(&self.0);
        let workspace = log.workspaces.get(&tenant);
        let mut oldest = version;
        let mut same: Vec<bool> = leads.iter().map(|(_, other)| *other == version).collect();
        let Some(workspace) = workspace else {
            return same;
        };
        for ((_, other), same) in leads.iter().zip(&mut same) {
            let (from, to) = (version.min(*other), version.max(*other));
            if workspace.leads_since <= from && workspace.knows(ChangeKind::LEAD_ROW, from, to) {
                *same = true;
                oldest = oldest.min(from);
            }
        }
        let mut by_row: Vec<usize> = (0..leads.len()).collect();
        by_row.sort_unstable_by_key(|at| leads[*at].0);
        let changes = workspace.rows.iter().rev();
        for (changed_at, changed) in changes.take_while(|(changed_at, _)| *changed_at > oldest) {
            if let Ok(at) = by_row.binary_search_by_key(&changed.row, |at| leads[*at].0) {
                let at = by_row[at];
                let other = leads[at].1;
                same[at] &= *changed_at <= version.min(other) || *changed_at > version.max(other);
            }
        }
        same
    }
}

#[cfg(test)]
mod tests;
