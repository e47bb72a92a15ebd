//! Reading columns from the database.

use std::collections::HashSet;

use lead_workspace_logic::filter::Value;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::column::{Cells, Column};
use super::spec::ColumnId;
use crate::store::sql::numbers;
use crate::store::{StoreError, Tenant};

/// Reads a whole column.
pub(super) fn column(
    connection: &Connection,
    tenant: Tenant,
    id: ColumnId,
) -> Result<Column, StoreError> {
    let Source {
        table,
        key,
        value,
        many,
    } = source(id);
    let distinct = if many { "DISTINCT" } else { "" };
    // An index has the rows in this order.
    let sql = format!(
        "SELECT {distinct} {value}, {key} FROM {table}
         WHERE tenant = ?1 AND {value} IS NOT NULL ORDER BY {value}"
    );
    let mut column = Column::default();
    if many {
        column.cells = Cells::Many {
            ends: Vec::new(),
            rows: Vec::new(),
        };
    }
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([tenant.0])?;
    while let Some(row) = rows.next()? {
        column.push(row.get(1)?, row.get_ref(0)?);
    }
    Ok(column)
}

/// Reads the values of some rows.
pub(super) fn values(
    connection: &Connection,
    tenant: Tenant,
    id: ColumnId,
    rows: &HashSet<u32>,
) -> Result<Vec<(u32, Value)>, StoreError> {
    let Source {
        table,
        key,
        value,
        many,
    } = source(id);
    let distinct = if many { "DISTINCT" } else { "" };
    let sql = format!(
        "SELECT {distinct} {value}, {key} FROM json_each(?2) page
         CROSS JOIN {table} ON {key} = page.value WHERE tenant = ?1 AND {value} IS NOT NULL"
    );
    let page: Vec<i64> = rows.iter().map(|row| i64::from(*row)).collect();
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map(params![tenant.0, numbers(&page)], |row| {
        let value = match row.get_ref(0)? {
            ValueRef::Integer(number) => Value::Integer(number),
            ValueRef::Real(number) => Value::Real(number),
            _ => Value::Text(row.get(0)?),
        };
        Ok((row.get(1)?, value))
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

struct Source {
    table: &'static str,
    /// The column with the row number.
    key: String,
    value: String,
    many: bool,
}

fn source(id: ColumnId) -> Source {
    let (table, column, many) = id.source();
    let key = match (table, many) {
        (_, false) => "id",
        ("account_list_items", _) => "account",
        _ => "lead",
    };
    // The only searched column without a folded one beside it.
    let value = if column == "network_username" {
        format!("fold({table}.{column})")
    } else {
        format!("{table}.{column}")
    };
    Source {
        table,
        key: format!("{table}.{key}"),
        value,
        many,
    }
}
