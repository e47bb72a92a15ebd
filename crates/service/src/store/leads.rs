//! Leads: rows of a list, detail, decisions, deletion.

mod company;
mod detail;
mod item;
mod related;
mod update;

use lead_workspace_api::Raw;
use rusqlite::Row;
use rusqlite::types::FromSql;
use serde_json::{Map, Value, json};

use super::StoreError;

pub(super) use item::items;
pub(super) use related::score;

/// Reads a column by name into a field that may be missing.
pub(super) fn maybe<T: FromSql>(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<T>> {
    row.get(column)
}

/// Reads a text column into an id or another type made of text.
pub(super) fn text<T: From<String>>(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<T>> {
    Ok(row.get::<_, Option<String>>(column)?.map(T::from))
}

/// Reads a column of JSON. What is no JSON is left out rather than failing the row.
pub(super) fn free(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Raw>> {
    let text: Option<String> = row.get(column)?;
    Ok(text.and_then(|text| Raw::parse(text).ok()))
}

/// What the profile says: as it was brought in, else from the columns.
fn profile(row: &Row<'_>) -> rusqlite::Result<Option<Raw>> {
    if let Some(kept) = free(row, "profile_data")? {
        return Ok(Some(kept));
    }
    let mut profile = Map::new();
    for column in ["title", "location"] {
        if let Some(text) = maybe::<String>(row, column)? {
            profile.insert(column.into(), json!(text));
        }
    }
    for column in ["connections_count", "follower_count"] {
        if let Some(number) = maybe::<i64>(row, column)? {
            profile.insert(column.into(), json!(number));
        }
    }
    Ok((!profile.is_empty()).then(|| Value::Object(profile).into()))
}

/// Writes a model as a free object.
pub(super) fn raw(model: &impl serde::Serialize) -> Result<Raw, StoreError> {
    serde_json::to_value(model)
        .map(Raw::from)
        .map_err(|error| StoreError::Unexpected(error.to_string()))
}
