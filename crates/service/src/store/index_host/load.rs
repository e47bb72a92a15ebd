//! Reading columns from the database.

use std::borrow::Cow;
use std::collections::HashSet;

use lead_workspace_index::{Column, ColumnBuilder, ColumnId, ValueRef};
use lead_workspace_logic::filter::Value;
use rusqlite::types::ValueRef as Stored;

use super::source::Source;
use crate::store::db::{Db, Fixed, numbers, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;
use lead_workspace_logic::fold;

/// Returns whether one scan of a table can read both columns.
pub(super) fn are_in_one_scan(one: ColumnId, other: ColumnId) -> bool {
    one.table() == other.table() && !one.has_many() && !other.has_many()
}

/// Reads whole columns; several only if they [are in one scan](are_in_one_scan).
pub(super) fn columns(
    db: Db<'_>,
    tenant: Tenant,
    ids: &[ColumnId],
) -> Result<Vec<Column>, StoreError> {
    let sources: Vec<Source> = ids.iter().map(|id| Source::of(*id)).collect();
    let Some(Source { table, key, .. }) = sources.first() else {
        return Ok(Vec::new());
    };
    let values: Vec<String> = sources.iter().map(Source::value).collect();
    let sql = format!(
        "SELECT {table}.{key}, {} FROM {table} WHERE tenant = ?1",
        values.join(", ")
    );
    let builders = ids.iter().map(|id| ColumnBuilder::new(id.has_many()));
    let mut builders: Vec<ColumnBuilder> = builders.collect();
    db.each(&sql, params![tenant.0], |row| {
        let number: u32 = row.get(0)?;
        for ((builder, id), index) in builders.iter_mut().zip(ids).zip(1..) {
            match row.value(index)? {
                Stored::Integer(value) => builder.push(number, ValueRef::Integer(value)),
                Stored::Real(value) => builder.push(number, ValueRef::Real(value)),
                Stored::Text(text) => builder.push(number, ValueRef::Text(&text_of(*id, text))),
                Stored::Null | Stored::Blob(_) => {}
            }
        }
        Ok::<_, StoreError>(())
    })?;
    Ok(builders.into_iter().map(ColumnBuilder::build).collect())
}

fn text_of(id: ColumnId, bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if id == ColumnId::NetworkUsername {
        // The search looks into it, and the database has no folded copy of it.
        return fold(&text).into();
    }
    text
}

/// Reads the values of some rows.
pub(super) fn values(
    db: Db<'_>,
    tenant: Tenant,
    id: ColumnId,
    rows: &HashSet<u32>,
) -> Result<Vec<(u32, Value)>, StoreError> {
    let source = Source::of(id);
    let (value, Source { table, key, .. }) = (source.value(), source);
    let distinct = if id.has_many() { "DISTINCT" } else { "" };
    let sql = Fixed(format!(
        "SELECT {distinct} {value}, {table}.{key} FROM json_each(?2) page CROSS JOIN {table}
         WHERE tenant = ?1 AND {table}.{key} = page.value AND {value} IS NOT NULL"
    ));
    let page: Vec<i64> = rows.iter().map(|row| i64::from(*row)).collect();
    db.rows(&sql, params![tenant.0, numbers(&page)], |row| {
        let value = match row.value(0)? {
            Stored::Integer(number) => Value::Integer(number),
            Stored::Real(number) => Value::Real(number),
            Stored::Text(text) => Value::Text(text_of(id, text).into_owned()),
            Stored::Null | Stored::Blob(_) => Value::Text(String::new()),
        };
        Ok((row.get(1)?, value))
    })
}
