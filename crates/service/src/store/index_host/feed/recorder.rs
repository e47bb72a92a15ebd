//! Checks in debug builds that a change notes every row that it touches: triggers record them on SQLite.

use std::sync::{Arc, Mutex};

use lead_workspace_index::{ChangeKind, ColumnId, Table};
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

use crate::lock::lock;
use crate::store::db::{Db, On, Touched};
use crate::store::error::StoreError;
use crate::store::index_host::Source;
use crate::store::tenant::Tenant;

/// Has a connection that writes record what it changes. The triggers are temporary: they belong to the connection, not to
/// the folder.
pub(in crate::store) fn add(connection: &Connection) -> Result<(), StoreError> {
    let recorded: Arc<Mutex<Vec<[i64; 3]>>> = Arc::default();
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
    let all = Arc::clone(&recorded);
    connection.create_scalar_function("record_change", 3, flags, move |context| {
        let change = [context.get(0)?, context.get(1)?, context.get(2)?];
        lock(&all).push(change);
        Ok(0)
    })?;
    connection.create_scalar_function("recorded_changes", 0, flags, move |_| {
        let mut all = lock(&recorded);
        let all = std::mem::take(&mut *all);
        let numbers = all.into_iter().flatten().flat_map(i64::to_le_bytes);
        Ok(numbers.collect::<Vec<u8>>())
    })?;
    Ok(connection.execute_batch(&triggers())?)
}

/// Begins a change. What was recorded before it belongs to changes that failed.
pub(in crate::store) fn begin(db: Db<'_>) -> Result<(), StoreError> {
    take(db).map(drop)
}

/// Fails if the change has touched a row that it did not note.
pub(in crate::store) fn check(db: Db<'_>, touched: &Touched) -> Result<(), StoreError> {
    if touched.is_unknown.get() {
        return Ok(());
    }
    let rows = touched.rows.borrow();
    for (tenant, kind, row) in take(db)? {
        let is_noted = rows
            .get(&tenant)
            .is_some_and(|rows| rows.contains(kind, row));
        assert!(is_noted, "{kind:?} of row {row} changed, and was not noted");
    }
    Ok(())
}

fn take(db: Db<'_>) -> Result<Vec<(Tenant, ChangeKind, u32)>, StoreError> {
    let On::Sqlite(connection) = db.on else {
        return Ok(Vec::new());
    };
    let mut recorded = connection.prepare_cached("SELECT recorded_changes()")?;
    let bytes: Vec<u8> = recorded.query_row([], |row| row.get(0))?;
    let (numbers, _) = bytes.as_chunks::<8>();
    let changes = numbers.as_chunks::<3>().0.iter().map(|numbers| {
        let [kind, tenant, row] = numbers.map(i64::from_le_bytes);
        let kind = ChangeKind::of_bits(u8::try_from(kind).unwrap_or(u8::MAX));
        (Tenant(tenant), kind, u32::try_from(row).unwrap_or(u32::MAX))
    });
    Ok(changes.collect())
}

fn triggers() -> String {
    let mut sql = String::new();
    let mut trigger = |event: &str, table: &str, kind: ChangeKind, row: &str, key: &str| {
        let (name, kind) = (format!("record_{}", sql.len()), kind.bits());
        sql.push_str(&format!(
            "CREATE TEMP TRIGGER {name} AFTER {event} ON main.{table} BEGIN
               SELECT record_change({kind}, {row}.tenant, {row}.{key}) WHERE {row}.{key} IS NOT NULL; END;"
        ));
    };
    let leads = [ChangeKind::LEAD, ChangeKind::STATUS, ChangeKind::SCORE];
    for (of, table, row, kinds) in [
        (Table::Leads, "leads", ChangeKind::LEAD_ROW, &leads[..]),
        (
            Table::Accounts,
            "accounts",
            ChangeKind::ACCOUNT_ROW,
            &[ChangeKind::ACCOUNT],
        ),
    ] {
        trigger("INSERT", table, row, "new", "id");
        trigger("DELETE", table, row, "old", "id");
        for kind in kinds {
            // One for all custom fields.
            let all = ColumnId::ALL.into_iter().chain([ColumnId::Custom(0)]);
            let columns = all.filter(|id| {
                let is_of_table = id.table() == of && !id.has_many();
                is_of_table && id.changed_by() == *kind
            });
            let columns: Vec<_> = columns.flat_map(|id| Source::of(id).stored()).collect();
            let update = format!("UPDATE OF {}", columns.join(", "));
            trigger(&update, table, *kind, "new", "id");
        }
    }
    // An account has the number of its leads.
    trigger("INSERT", "leads", ChangeKind::ACCOUNT, "new", "account");
    trigger("DELETE", "leads", ChangeKind::ACCOUNT, "old", "account");
    trigger(
        "UPDATE OF account",
        "leads",
        ChangeKind::ACCOUNT,
        "old",
        "account",
    );
    trigger(
        "UPDATE OF account",
        "leads",
        ChangeKind::ACCOUNT,
        "new",
        "account",
    );
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
