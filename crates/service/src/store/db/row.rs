//! Rows of a result.

use rusqlite::RowIndex;
use rusqlite::types::ValueRef;

use crate::store::StoreError;
use crate::store::postgres;

/// A value that a column can be read as.
pub trait Column: rusqlite::types::FromSql {}

impl<T: rusqlite::types::FromSql> Column for T {}

/// The place of a column in its row: its number or its name.
pub trait Place: RowIndex {
    /// Returns its number in a row of PostgreSQL.
    fn number(&self, find: impl Fn(&str) -> Option<usize>) -> Option<usize>;
}

impl Place for usize {
    fn number(&self, _: impl Fn(&str) -> Option<usize>) -> Option<usize> {
        Some(*self)
    }
}

impl Place for &str {
    fn number(&self, find: impl Fn(&str) -> Option<usize>) -> Option<usize> {
        find(self)
    }
}

/// A row of a result.
pub enum Row<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a ::postgres::Row),
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
            Self::Postgres(row) => postgres::value(row, column),
        }
    }

    /// Returns the value of a column, by its place or its name.
    pub fn get<T: Column>(&self, place: impl Place) -> Result<T, StoreError> {
        match self {
            Self::Sqlite(row) => Ok(row.get(place)?),
            Self::Postgres(row) => postgres::get(row, place),
        }
    }
}
