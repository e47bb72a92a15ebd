//! Reading columns from the database.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use lead_workspace_index::{Column, ColumnBuilder, ColumnId, ValueRef};
use lead_workspace_logic::custom::{self, CustomValue, members};
use lead_workspace_logic::filter::Value;
use lead_workspace_logic::fold;
use rusqlite::types::ValueRef as Stored;

use super::source::{CUSTOM_DATA, Source};
use crate::store::custom_keys;
use crate::store::db::{Db, Fixed, numbers, params};
use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

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
    let builders = ids.iter().map(|id| ColumnBuilder::new(id.has_many()));
    let mut builders: Vec<ColumnBuilder> = builders.collect();
    let fields = custom_fields(db, tenant, ids)?;
    let is_custom = |id: &ColumnId| matches!(id, ColumnId::Custom(_));
    let plain = ids.iter().enumerate().filter(|(_, id)| !is_custom(id));
    let plain: Vec<(usize, Source)> = plain.map(|(at, id)| (at, Source::of(*id))).collect();
    let mut values: Vec<String> = plain.iter().map(|(_, source)| source.value()).collect();
    if !fields.is_empty() {
        values.push(CUSTOM_DATA.to_owned());
    }
    let (Some(first), false) = (ids.first(), values.is_empty()) else {
        return Ok(builders.into_iter().map(ColumnBuilder::build).collect());
    };
    let Source { table, key, .. } = Source::of(*first);
    let sql = format!(
        "SELECT {table}.{key}, {} FROM {table} WHERE tenant = ?1",
        values.join(", ")
    );
    let mut found = vec![None; ids.len()];
    db.each(&sql, params![tenant.0], |row| {
        let number: u32 = row.get(0)?;
        for ((at, _), place) in plain.iter().zip(1..) {
            let builder = &mut builders[*at];
            match row.value(place)? {
                Stored::Integer(value) => builder.push(number, ValueRef::Integer(value)),
                Stored::Real(value) => builder.push(number, ValueRef::Real(value)),
                Stored::Text(text) => {
                    builder.push(number, ValueRef::Text(&text_of(ids[*at], text)))
                }
                Stored::Null | Stored::Blob(_) => {}
            }
        }
        if !fields.is_empty()
            && let Stored::Text(json) = row.value(plain.len() + 1)?
        {
            members(&String::from_utf8_lossy(json), |key, member| {
                if let Some(at) = fields.get(&*key) {
                    found[*at] = CustomValue::of(&member);
                }
            });
            for (builder, found) in builders.iter_mut().zip(&mut found) {
                if let Some(value) = found.take() {
                    builder.push(number, (&value.stored()).into());
                }
            }
        }
        Ok::<_, StoreError>(())
    })?;
    Ok(builders.into_iter().map(ColumnBuilder::build).collect())
}

/// Returns the places of custom fields among columns, by their keys.
fn custom_fields(
    db: Db<'_>,
    tenant: Tenant,
    ids: &[ColumnId],
) -> Result<HashMap<String, usize>, StoreError> {
    if !ids.iter().any(|id| matches!(id, ColumnId::Custom(_))) {
        return Ok(HashMap::new());
    }
    let keys = custom_keys::of(db, tenant)?;
    let placed = keys.iter().filter_map(|(key, number)| {
        let at = ids.iter().position(|id| *id == ColumnId::Custom(number))?;
        Some((key.to_owned(), at))
    });
    Ok(placed.collect())
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
    let fields = custom_fields(db, tenant, &[id])?;
    if let (ColumnId::Custom(_), true) = (id, fields.is_empty()) {
        return Ok(Vec::new());
    }
    let source = Source::of(id);
    let (value, Source { table, key, .. }) = (source.value(), source);
    let distinct = if id.has_many() { "DISTINCT" } else { "" };
    let sql = Fixed(format!(
        "SELECT {distinct} {value}, {table}.{key} FROM json_each(?2) page CROSS JOIN {table}
         WHERE tenant = ?1 AND {table}.{key} = page.value AND {value} IS NOT NULL"
    ));
    let page: Vec<i64> = rows.iter().map(|row| i64::from(*row)).collect();
    let mut found = Vec::new();
    db.each(&sql, params![tenant.0, numbers(&page)], |row| {
        let value = match row.value(0)? {
            Stored::Text(json) if let Some(key) = fields.keys().next() => {
                let json = String::from_utf8_lossy(json);
                custom::written(&json, key).map(|(value, _)| value)
            }
            Stored::Integer(number) => Some(Value::Integer(number)),
            Stored::Real(number) => Some(Value::Real(number)),
            Stored::Text(text) => Some(Value::Text(text_of(id, text).into_owned())),
            Stored::Null | Stored::Blob(_) => None,
        };
        if let Some(value) = value {
            found.push((row.get(1)?, value));
        }
        Ok::<_, StoreError>(())
    })?;
    Ok(found)
}
