//! Rows of a result.

use rusqlite::types::ValueRef;

use super::column::{Column, Place};
use super::postgres_value;
use crate::store::error::StoreError;

/// A row of a result.
pub enum Row<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a postgres::Row),
}

impl Row<'_> {
    /// Returns the names of the columns.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Sqlite(row) => row.as_ref().column_names().collect(),
            Self::Postgres(row) => row.columns().iter().map(|column| column.name()).collect(),
        }
    }

    /// Returns the value of a column, by its number.
    pub fn value(&self, column: usize) -> Result<ValueRef<'_>, StoreError> {
        match self {
            Self::Sqlite(row) => Ok(row.get_ref(column)?),
            Self::Postgres(row) => postgres_value::value(row, column),
        }
    }

    /// Returns the value of a column, by its place or its name.
    pub fn get<T: Column>(&self, place: impl Place) -> Result<T, StoreError> {
        match self {
            Self::Sqlite(row) => Ok(row.get(place)?),
            Self::Postgres(row) => postgres_value::get(row, place),
        }
    }
}
