//! Queries in SQL, for PostgreSQL, where no column is in memory.

mod filters;
mod search;

use lead_workspace_index::{Page, Part, Query, RowSet, Table};

use super::columns::Source;
use super::db::{Db, Value};
use super::sql::{Conditions, numbers};
use super::{StoreError, Tenant};

/// Up to this many rows are looked up one by one. For more it is faster to scan an index and to test
/// each row number (measured with 100,000 leads).
const FEW: usize = 3_000;

/// Returns the alias of a table in statements.
pub(super) fn alias(table: Table) -> &'static str {
    match table {
        Table::Leads => "l",
        Table::Accounts => "a",
    }
}

fn from(table: Table) -> &'static str {
    match table {
        Table::Leads => "leads l",
        Table::Accounts => "accounts a",
    }
}

/// Reads a part of the rows of a query.
pub(super) fn page(
    query: &Query,
    db: Db<'_>,
    tenant: Tenant,
    part: Part,
) -> Result<Page, StoreError> {
    let mut conditions = conditions(query, tenant);
    let count = format!(
        "SELECT count(*) FROM {} WHERE {}",
        from(query.table),
        conditions.text()
    );
    let total: i64 = db.value(&count, &conditions.values())?;
    let mut sql = ordered(query, &conditions);
    let limit = conditions.value(part.limit.cast_signed());
    let offset = conditions.value(part.offset.cast_signed());
    sql.push_str(&format!(" LIMIT {limit} OFFSET {offset}"));
    Ok(Page {
        rows: db.rows(&sql, &conditions.values(), |row| row.get(0))?,
        total: total.unsigned_abs(),
    })
}

/// Reads the rows of a query, in no order.
pub(super) fn rows(query: &Query, db: Db<'_>, tenant: Tenant) -> Result<RowSet, StoreError> {
    let conditions = conditions(query, tenant);
    let (alias, table) = (alias(query.table), from(query.table));
    let sql = format!("SELECT {alias}.id FROM {table} WHERE {}", conditions.text());
    let mut set = RowSet::default();
    db.each(&sql, &conditions.values(), |row| {
        // Rows are numbered from 1.
        let number: i64 = row.get(0)?;
        set.add(usize::try_from(number).unwrap_or_default());
        Ok::<_, StoreError>(())
    })?;
    Ok(set)
}

/// Returns the conditions on the rows of a query.
pub(super) fn conditions(query: &Query, tenant: Tenant) -> Conditions {
    let mut conditions = Conditions::of(tenant, alias(query.table));
    filters::add(&query.filters, &mut conditions);
    search::add(&query.search, query.table, &mut conditions);
    conditions
}

/// Returns the statement for all rows of a query, in order.
pub(super) fn ordered(query: &Query, conditions: &Conditions) -> String {
    let (alias, table) = (alias(query.table), from(query.table));
    let column = Source::of(query.sort.column).column;
    let dir = if query.sort.descending { "DESC" } else { "ASC" };
    format!(
        "SELECT {alias}.id FROM {table} WHERE {}
         ORDER BY {alias}.{column} {dir} NULLS LAST, {alias}.id {dir}",
        conditions.text()
    )
}

/// Restricts a statement to these rows. `row` is its expression for the row number.
pub(super) fn add_rows(rows: &RowSet, conditions: &mut Conditions, row: &str) {
    if rows.len() <= FEW {
        let few: Vec<i64> = rows.rows().map(|row| row as i64).collect();
        let few = conditions.value(numbers(&few));
        conditions.and(&format!("{row} IN (SELECT value FROM json_each({few}))"));
    } else {
        let bits = conditions.value(Value::Blob(rows.to_bytes()));
        conditions.and(&format!("has_bit({bits}, {row})"));
    }
}
