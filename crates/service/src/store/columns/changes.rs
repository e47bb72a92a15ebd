//! Which rows each version of a workspace has changed, so that columns in memory need to read only
//! those again.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use super::spec::{ACCOUNTS, KINDS, Kind, LEADS};
use crate::store::{StoreError, Tenant};

/// Rows that are remembered per workspace. After more changes, columns are read as a whole again.
const REMEMBERED: usize = 50_000;

/// The changes of all workspaces since the folder was opened. Clones share them.
#[derive(Clone, Default)]
pub(in crate::store) struct Changes(Arc<Mutex<Log>>);

#[derive(Default)]
struct Log {
    /// Rows that were changed in the transaction that is open.
    open: Vec<(i64, Changed)>,
    workspaces: HashMap<i64, Workspace>,
}

#[derive(Clone, Copy)]
struct Changed {
    kind: Kind,
    row: u32,
}

struct Workspace {
    /// For each kind, the version after which all its changes are known.
    since: [i64; KINDS],
    /// The version that the last change led to.
    latest: i64,
    rows: VecDeque<(i64, Changed)>,
}

impl Workspace {
    fn at(version: i64) -> Self {
        Self {
            since: [version; KINDS],
            latest: version,
            rows: VecDeque::new(),
        }
    }
}

impl Kind {
    fn bits(self) -> impl Iterator<Item = usize> {
        (0..KINDS).filter(move |bit| self.0 & (1 << bit) != 0)
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
            // No column has rows beyond this number; see `Columns`.
            if let Ok(row) = u32::try_from(row) {
                let kind = Kind(kind);
                lock(&log).open.push((tenant, Changed { kind, row }));
            }
            Ok(0)
        })?;
        Ok(connection.execute_batch(&triggers())?)
    }

    /// Begins a change. What was recorded before it belongs to changes that failed.
    pub(in crate::store) fn begin(&self) {
        lock(&self.0).open.clear();
    }

    /// Assigns the recorded changes of a workspace to the version that they lead to.
    ///
    /// Must be called before that version can be read. Changes that are rolled back later only cause
    /// rows to be read again. A gap before the version is a change by another process, such as a command
    /// next to the service: what is known from before does not lead to the version.
    pub(in crate::store) fn assign(&self, tenant: Tenant, version: i64) {
        let mut log = lock(&self.0);
        let open = std::mem::take(&mut log.open);
        let (own, others) = open.into_iter().partition(|(of, _)| *of == tenant.0);
        log.open = others;
        let own: Vec<(i64, Changed)> = own;
        let known = log.workspaces.entry(tenant.0);
        let workspace = known.or_insert_with(|| Workspace::at(version - 1));
        if workspace.latest != version - 1 {
            *workspace = Workspace::at(version - 1);
        }
        workspace.latest = version;
        let own = own.into_iter().map(|(_, changed)| (version, changed));
        workspace.rows.extend(own);
        while workspace.rows.len() > REMEMBERED {
            if let Some((version, changed)) = workspace.rows.pop_front() {
                for bit in changed.kind.bits() {
                    workspace.since[bit] = version;
                }
            }
        }
    }

    /// Returns the rows that differ between two versions, in either direction; `None` if that is not
    /// known.
    pub(super) fn between(
        &self,
        tenant: Tenant,
        one: i64,
        other: i64,
        kind: Kind,
    ) -> Option<HashSet<u32>> {
        if one == other {
            return Some(HashSet::new());
        }
        let log = lock(&self.0);
        let workspace = log.workspaces.get(&tenant.0)?;
        let (from, to) = (one.min(other), one.max(other));
        let is_known = |bit: usize| workspace.since[bit] <= from;
        if to > workspace.latest || !kind.bits().all(is_known) {
            return None;
        }
        let rows = workspace.rows.iter().rev();
        let rows = rows.take_while(|(version, _)| *version > from);
        let rows = rows.filter(|(version, changed)| *version <= to && changed.kind.0 & kind.0 != 0);
        Some(rows.map(|(_, changed)| changed.row).collect())
    }
}

fn lock(log: &Mutex<Log>) -> std::sync::MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

fn triggers() -> String {
    const ALL: Kind = Kind(u8::MAX);
    let mut sql = String::new();
    let mut trigger = |event: &str, table: &str, Kind(kind): Kind, row: &str, key: &str| {
        let name = format!("record_{}", sql.len());
        sql.push_str(&format!(
            "CREATE TEMP TRIGGER {name} AFTER {event} ON main.{table} BEGIN
               SELECT record_change({kind}, {row}.tenant, {row}.{key}); END;"
        ));
    };
    for (table, kinds) in [
        ("leads", &[Kind::LEAD, Kind::STATUS, Kind::SCORE][..]),
        ("accounts", &[Kind::ACCOUNT]),
    ] {
        trigger("INSERT", table, ALL, "new", "id");
        trigger("DELETE", table, ALL, "old", "id");
        for kind in kinds {
            let columns = LEADS
                .iter()
                .chain(&ACCOUNTS)
                .filter(|id| id.kind() == *kind);
            let columns: Vec<_> = columns.map(|id| id.source().1).collect();
            let update = format!("UPDATE OF {}", columns.join(", "));
            trigger(&update, table, *kind, "new", "id");
        }
    }
    for (table, kind, key) in [
        ("list_items", Kind::LIST, "lead"),
        ("campaign_leads", Kind::CAMPAIGN, "lead"),
        ("intents", Kind::INTENT, "lead"),
        ("account_list_items", Kind::ACCOUNT_LIST, "account"),
    ] {
        trigger("INSERT", table, kind, "new", key);
        trigger("DELETE", table, kind, "old", key);
        trigger("UPDATE", table, kind, "old", key);
        trigger("UPDATE", table, kind, "new", key);
    }
    sql
}
