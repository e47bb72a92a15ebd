//! Reading columns from the database.

use std::borrow::Cow;
use std::collections::HashSet;

use lead_workspace_index::{Column, ColumnBuilder, ColumnId, ValueRef};
use lead_workspace_logic::filter::Value;
use rusqlite::types::ValueRef as Stored;
use rusqlite::{Connection, params};

use super::source::Source;
use crate::store::sql::numbers;
use crate::store::{StoreError, Tenant};

/// Returns whether one scan of a table can read both columns.
pub(super) fn are_in_one_scan(one: ColumnId, other: ColumnId) -> bool {
    one.table() == other.table() && !one.has_many() && !other.has_many()
}

/// Reads whole columns; several only if they [are in one scan](are_in_one_scan).
pub(super) fn columns(
    connection: &Connection,
    tenant: Tenant,
    ids: &[ColumnId],
) -> Result<Vec<Column>, StoreError> {
    let sources: Vec<Source> = ids.iter().map(|id| Source::of(*id)).collect();
    let Some(Source { table, key, .. }) = sources.first() else {
        return Ok(Vec::new());
    };
    let values: Vec<String> = sources.iter().map(Source::value).collect();
    let sql = format!(
        "SELECT {key}, {} FROM {table} WHERE tenant = ?1",
        values.join(", ")
    );
    let builders = ids.iter().map(|id| ColumnBuilder::new(id.has_many()));
    let mut builders: Vec<ColumnBuilder> = builders.collect();
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([tenant.0])?;
    while let Some(row) = rows.next()? {
        let number: u32 = row.get(0)?;
        for (builder, index) in builders.iter_mut().zip(1..) {
            match row.get_ref(index)? {
                Stored::Integer(value) => builder.push(number, ValueRef::Integer(value)),
                Stored::Real(value) => builder.push(number, ValueRef::Real(value)),
                Stored::Text(text) => builder.push(number, ValueRef::Text(&text_of(text))),
                Stored::Null | Stored::Blob(_) => {}
            }
        }
    }
    Ok(builders.into_iter().map(ColumnBuilder::build).collect())
}

fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Reads the values of some rows.
pub(super) fn values(
    connection: &Connection,
    tenant: Tenant,
    id: ColumnId,
    rows: &HashSet<u32>,
) -> Result<Vec<(u32, Value)>, StoreError> {
    let source = Source::of(id);
    let (value, Source { table, key, .. }) = (source.value(), source);
    let distinct = if id.has_many() { "DISTINCT" } else { "" };
    let sql = format!(
        "SELECT {distinct} {value}, {table}.{key} FROM json_each(?2) page
         CROSS JOIN {table} ON {table}.{key} = page.value WHERE tenant = ?1 AND {value} IS NOT NULL"
    );
    let page: Vec<i64> = rows.iter().map(|row| i64::from(*row)).collect();
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map(params![tenant.0, numbers(&page)], |row| {
        let value = match row.get_ref(0)? {
            Stored::Integer(number) => Value::Integer(number),
            Stored::Real(number) => Value::Real(number),
            Stored::Text(text) => Value::Text(text_of(text).into_owned()),
            Stored::Null | Stored::Blob(_) => Value::Text(String::new()),
        };
        Ok((row.get(1)?, value))
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}
