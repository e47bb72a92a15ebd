//! Columns of a result.

use rusqlite::RowIndex;

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
