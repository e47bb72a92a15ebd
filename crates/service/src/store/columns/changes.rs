//! Which rows each version of a workspace has changed, so that only what depends on them is read
//! again: columns, pages, and leads as list elements.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use lead_workspace_index::{ChangeKind, ColumnId, Table};
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use super::Source;
use crate::store::{StoreError, Tenant};

/// Changes that are remembered, of all workspaces. After more, what depends on the older ones of the
/// workspace with the most is read as a whole again.
const REMEMBERED: usize = 100_000;

/// Memory for them, in bytes. A queue has room for up to twice as many.
pub(super) const BYTES: usize = 2 * REMEMBERED * size_of::<(i64, Changed)>();

/// The changes of all workspaces since the folder was opened. Clones share them.
#[derive(Clone, Default)]
pub(in crate::store) struct Changes(Arc<Mutex<Log>>);

#[derive(Default)]
struct Log {
    /// Rows that were changed in the transaction that is open.
    open: Vec<(i64, Changed)>,
    workspaces: HashMap<Tenant, Workspace>,
    /// The number of rows of all workspaces.
    remembered: usize,
}

impl Log {
    fn note(&mut self, tenant: i64, kind: ChangeKind, row: i64) {
        // No column has rows beyond `u32`; see `Columns`. For pages and leads, they count as one row.
        let row = u32::try_from(row).unwrap_or(u32::MAX);
        self.open.push((tenant, Changed { kind, row }));
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
    /// Makes a connection that writes record what it changes.
    ///
    /// The triggers are temporary: they belong to the connection, not to the folder.
    pub(in crate::store) fn record(&self, connection: &Connection) -> Result<(), StoreError> {
        let log = Arc::clone(&self.0);
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
        connection.create_scalar_function("record_change", 3, flags, move |context| {
            let (kind, tenant, row): (u8, i64, i64) =
                (context.get(0)?, context.get(1)?, context.get(2)?);
            lock(&log).note(tenant, ChangeKind::of_bits(kind), row);
            Ok(0)
        })?;
        Ok(connection.execute_batch(&triggers())?)
    }

    /// Notes the decisions that lead to a version, without a connection.
    #[cfg(test)]
    pub(in crate::store) fn decide(&self, tenant: Tenant, version: i64, leads: &[i64]) {
        for lead in leads {
            lock(&self.0).note(tenant.0, ChangeKind::STATUS, *lead);
        }
        self.assign(tenant, version, Some(&[]));
    }

    /// Begins a change. What was recorded before it belongs to changes that failed.
    pub(in crate::store) fn begin(&self) {
        lock(&self.0).open.clear();
    }

    /// Assigns the recorded changes of a workspace to the version that they lead to. `leads` are leads that lists
    /// show otherwise since, besides new ones and those whose status was changed; `None` if any may be.
    ///
    /// Must be called before that version can be read. Changes that are rolled back later only cause
    /// rows to be read again. A gap before the version is a change by another process, such as a command
    /// next to the service: what is known from before does not lead to the version.
    pub(in crate::store) fn assign(&self, tenant: Tenant, version: i64, leads: Option<&[i64]>) {
        let mut log = lock(&self.0);
        let log = &mut *log;
        for lead in leads.into_iter().flatten() {
            log.note(tenant.0, ChangeKind::STATUS, *lead);
        }
        let workspace = log.workspaces.entry(tenant);
        let workspace = workspace.or_insert_with(|| Workspace::at(version - 1));
        if workspace.latest != version - 1 {
            log.remembered -= workspace.rows.len();
            *workspace = Workspace::at(version - 1);
        }
        workspace.latest = version;
        if leads.is_none() {
            workspace.leads_since = version;
        }
        let before = workspace.rows.len();
        log.open.retain(|(of, changed)| {
            let is_own = *of == tenant.0;
            if is_own {
                workspace.rows.push_back((version, *changed));
            }
            !is_own
        });
        log.remembered += workspace.rows.len() - before;
        while log.remembered > REMEMBERED {
            let all = log.workspaces.values_mut();
            let Some(largest) = all.max_by_key(|workspace| workspace.rows.len()) else {
                break;
            };
            log.remembered -= largest.rows.len();
            largest.forget_half();
            log.remembered += largest.rows.len();
        }
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
            if workspace.leads_since <= from && workspace.knows(ChangeKind::STATUS, from, to) {
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

fn lock(log: &Mutex<Log>) -> std::sync::MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

fn triggers() -> String {
    let mut sql = String::new();
    let mut trigger = |event: &str, table: &str, kind: ChangeKind, row: &str, key: &str| {
        let (name, kind) = (format!("record_{}", sql.len()), kind.bits());
        sql.push_str(&format!(
            "CREATE TEMP TRIGGER {name} AFTER {event} ON main.{table} BEGIN
               SELECT record_change({kind}, {row}.tenant, {row}.{key}); END;"
        ));
    };
    let leads = [ChangeKind::LEAD, ChangeKind::STATUS, ChangeKind::SCORE];
    for (of, table, kinds) in [
        (Table::Leads, "leads", &leads[..]),
        (Table::Accounts, "accounts", &[ChangeKind::ACCOUNT]),
    ] {
        trigger("INSERT", table, ChangeKind::ALL, "new", "id");
        trigger("DELETE", table, ChangeKind::ALL, "old", "id");
        for kind in kinds {
            let columns = ColumnId::ALL.into_iter().filter(|id| {
                let is_of_table = id.table() == of && !id.has_many();
                is_of_table && id.changed_by() == *kind
            });
            let columns: Vec<_> = columns.flat_map(|id| Source::of(id).stored()).collect();
            let update = format!("UPDATE OF {}", columns.join(", "));
            trigger(&update, table, *kind, "new", "id");
        }
    }
    for (table, kind, key) in [
        ("list_items", ChangeKind::LIST, "lead"),
        ("campaign_leads", ChangeKind::CAMPAIGN, "lead"),
        ("intents", ChangeKind::INTENT, "lead"),
        ("account_list_items", ChangeKind::ACCOUNT_LIST, "account"),
    ] {
        trigger("INSERT", table, kind, "new", key);
        trigger("DELETE", table, kind, "old", key);
        trigger("UPDATE", table, kind, "old", key);
        trigger("UPDATE", table, kind, "new", key);
    }
    sql
}

#[cfg(test)]
mod tests;
