//! Which rows each version of a workspace has changed, so that columns in memory need to read only
//! those again.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use super::spec::{ACCOUNTS, Kind, LEADS, Table};
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
    kind: u8,
    row: u32,
}

struct Workspace {
    /// All changes after this version are known.
    since: i64,
    /// The version that the last change led to.
    latest: i64,
    rows: VecDeque<(i64, Changed)>,
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

    /// Returns the last version that a change has led to since the folder was opened.
    pub(super) fn latest(&self, tenant: Tenant) -> Option<i64> {
        let log = lock(&self.0);
        log.workspaces
            .get(&tenant.0)
            .map(|workspace| workspace.latest)
    }

    /// Assigns the recorded changes of a workspace to the version that they lead to.
    ///
    /// Must be called before that version can be read. Changes that are rolled back later only cause
    /// rows to be read again.
    pub(in crate::store) fn assign(&self, tenant: Tenant, version: i64) {
        let mut log = lock(&self.0);
        let open = std::mem::take(&mut log.open);
        let (own, others) = open.into_iter().partition(|(of, _)| *of == tenant.0);
        log.open = others;
        let own: Vec<(i64, Changed)> = own;
        let workspace = log.workspaces.entry(tenant.0).or_insert(Workspace {
            since: version - 1,
            latest: version,
            rows: VecDeque::new(),
        });
        workspace.latest = version;
        let own = own.into_iter().map(|(_, changed)| (version, changed));
        workspace.rows.extend(own);
        while workspace.rows.len() > REMEMBERED {
            let dropped = workspace.rows.pop_front();
            workspace.since = dropped.map_or(version, |(version, _)| version);
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
        if from < workspace.since || to > workspace.latest {
            return None;
        }
        let rows = workspace.rows.iter().rev();
        let rows = rows.take_while(|(version, _)| *version > from);
        let rows = rows.filter(|(version, changed)| *version <= to && changed.kind & kind.0 != 0);
        Some(rows.map(|(_, changed)| changed.row).collect())
    }
}

fn lock(log: &Mutex<Log>) -> std::sync::MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

fn triggers() -> String {
    const ALL: u8 = u8::MAX;
    let columns = |table: Table, except: &str| {
        let all = LEADS.iter().chain(&ACCOUNTS);
        let own = all.filter(|id| id.table() == table && !id.source().2);
        let names: Vec<_> = own.map(|id| id.source().1).collect();
        let names = names.into_iter().filter(|name| *name != except);
        names.collect::<Vec<_>>().join(", ")
    };
    let mut sql = String::new();
    let mut trigger = |event: &str, table: &str, kind: u8, row: &str, key: &str| {
        let name = format!("record_{}", sql.len());
        sql.push_str(&format!(
            "CREATE TEMP TRIGGER {name} AFTER {event} ON main.{table} BEGIN
               SELECT record_change({kind}, {row}.tenant, {row}.{key}); END;"
        ));
    };
    for (table, of) in [("leads", Table::Leads), ("accounts", Table::Accounts)] {
        let kind = if of == Table::Leads {
            Kind::LEAD
        } else {
            Kind::ACCOUNT
        };
        trigger("INSERT", table, ALL, "new", "id");
        trigger("DELETE", table, ALL, "old", "id");
        let update = format!("UPDATE OF {}", columns(of, "approval_status"));
        trigger(&update, table, kind.0, "new", "id");
    }
    let status = "UPDATE OF approval_status";
    trigger(status, "leads", Kind::STATUS.0, "new", "id");
    for (table, kind, key) in [
        ("list_items", Kind::LIST, "lead"),
        ("campaign_leads", Kind::CAMPAIGN, "lead"),
        ("intents", Kind::INTENT, "lead"),
        ("account_list_items", Kind::ACCOUNT_LIST, "account"),
    ] {
        trigger("INSERT", table, kind.0, "new", key);
        trigger("DELETE", table, kind.0, "old", key);
        trigger("UPDATE", table, kind.0, "old", key);
        trigger("UPDATE", table, kind.0, "new", key);
    }
    sql
}
