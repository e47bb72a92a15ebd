//! Leads: list items, detail, decisions, deletion.

mod current_account;
mod detail;
mod item;
mod related;
mod update;

use lead_workspace_api::Raw;
use serde_json::{Map, Value, json};

use crate::store::db::{Column, Row};
use crate::store::error::StoreError;

pub(in crate::store) use item::{encoded_items, items};
pub(in crate::store) use related::score;
#[cfg(test)]
pub(in crate::store) use update::decide;

pub(in crate::store) fn nullable<T: Column>(
    row: &Row<'_>,
    column: &str,
) -> Result<Option<T>, StoreError> {
    row.get(column)
}

/// Reads a text column into an id or another type made from text.
pub(in crate::store) fn text<T: From<String>>(
    row: &Row<'_>,
    column: &str,
) -> Result<Option<T>, StoreError> {
    Ok(row.get::<Option<String>>(column)?.map(T::from))
}

/// Reads a JSON column. Invalid JSON becomes `None` instead of failing the row.
pub(in crate::store) fn raw_json(row: &Row<'_>, column: &str) -> Result<Option<Raw>, StoreError> {
    let text: Option<String> = row.get(column)?;
    Ok(text.and_then(|text| Raw::parse(text).ok()))
}

/// Returns the imported profile, or else one built from the columns.
fn profile(row: &Row<'_>) -> Result<Option<Raw>, StoreError> {
    if let Some(imported) = raw_json(row, "profile_data")? {
        return Ok(Some(imported));
    }
    let mut profile = Map::new();
    for column in ["title", "location"] {
        if let Some(text) = nullable::<String>(row, column)? {
            profile.insert(column.into(), json!(text));
        }
    }
    for column in ["connections_count", "follower_count"] {
        if let Some(number) = nullable::<i64>(row, column)? {
            profile.insert(column.into(), json!(number));
        }
    }
    Ok((!profile.is_empty()).then(|| Value::Object(profile).into()))
}

pub(in crate::store) fn raw(model: &impl serde::Serialize) -> Result<Raw, StoreError> {
    serde_json::to_value(model)
        .map(Raw::from)
        .map_err(|error| StoreError::Unexpected(error.to_string()))
}
