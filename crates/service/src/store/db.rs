//! What every statement of the store runs on.
//!
//! Statements are written for [`Db`], not for an engine, so that engines other than SQLite can run them.

// For PostgreSQL, which only tests use until `serve --database` comes.
#[cfg(test)]
mod dialect;
mod param;

use rusqlite::{Connection, RowIndex, params_from_iter};

use super::StoreError;

pub(crate) use param::params;
pub use param::{List, Param, Params, Value};

#[cfg(debug_assertions)]
mod one_workspace;

/// A transaction of the database. Parameters are written `?1`, `?2`, … and bound with `params!`.
#[derive(Clone, Copy)]
pub struct Db<'a>(&'a Connection);

impl<'a> From<&'a Connection> for Db<'a> {
    fn from(connection: &'a Connection) -> Self {
        Self(connection)
    }
}

/// The text of a statement.
///
/// A `&'static str` is prepared once per connection. A `String` is built for one request: it is prepared each time, so that it does
/// not evict others from the cache. [`Fixed`] is for text that is built, but has few variants.
pub trait Sql {
    const IS_CACHED: bool;
    /// Whether it sees the rows of one workspace only. Debug builds check this.
    const IS_OF_ONE_WORKSPACE: bool = true;

    fn text(&self) -> &str;
}

impl Sql for &'static str {
    const IS_CACHED: bool = true;

    fn text(&self) -> &str {
        self
    }
}

impl Sql for &String {
    const IS_CACHED: bool = false;

    fn text(&self) -> &str {
        self
    }
}

/// A statement that is built from few variants, so it is prepared once per connection.
pub struct Fixed(pub String);

impl Sql for &Fixed {
    const IS_CACHED: bool = true;

    fn text(&self) -> &str {
        &self.0
    }
}

/// A statement that sees the rows of all workspaces.
pub struct AcrossWorkspaces<S>(pub S);

impl<S: Sql> Sql for AcrossWorkspaces<S> {
    const IS_CACHED: bool = S::IS_CACHED;
    const IS_OF_ONE_WORKSPACE: bool = false;

    fn text(&self) -> &str {
        self.0.text()
    }
}

/// A value that a column can be read as.
pub trait Column: rusqlite::types::FromSql {}

impl<T: rusqlite::types::FromSql> Column for T {}

/// A row of a result.
pub struct Row<'a>(&'a rusqlite::Row<'a>);

impl Row<'_> {
    /// Returns the value of a column, by its place or its name.
    pub fn get<T: Column>(&self, column: impl RowIndex) -> Result<T, StoreError> {
        Ok(self.0.get(column)?)
    }
}

impl<'a> Db<'a> {
    /// Returns the connection, for statements that only SQLite has.
    pub fn sqlite(self) -> &'a Connection {
        self.0
    }

    /// Runs a statement, and returns how many rows it changed.
    pub fn execute(self, sql: impl Sql, params: Params<'_>) -> Result<u64, StoreError> {
        self.prepare(
            sql,
            |statement| Ok(statement.execute(bound(params))? as u64),
        )
    }

    /// Inserts a row into a table whose row number is `id`, and returns it.
    ///
    /// SQLite knows it without `RETURNING id`, which would create a temporary table for each row.
    pub fn insert(self, sql: impl Sql, params: Params<'_>) -> Result<i64, StoreError> {
        self.prepare(sql, |statement| Ok(statement.insert(bound(params))?))
    }

    /// Returns the first row, if there is one.
    pub fn row<T>(
        self,
        sql: impl Sql,
        params: Params<'_>,
        read: impl FnOnce(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        self.prepare(sql, |statement| {
            let mut rows = statement.query(bound(params))?;
            rows.next()?.map(|row| read(&Row(row))).transpose()
        })
    }

    /// Returns the first row.
    ///
    /// # Errors
    /// Also when there is none.
    pub fn one<T>(
        self,
        sql: impl Sql,
        params: Params<'_>,
        read: impl FnOnce(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let row = self.row(sql, params, read)?;
        row.ok_or_else(|| StoreError::Unexpected("a row is missing".into()))
    }

    /// Returns the first column of the first row.
    ///
    /// # Errors
    /// Also when there is no row.
    pub fn value<T: Column>(self, sql: impl Sql, params: Params<'_>) -> Result<T, StoreError> {
        self.one(sql, params, |row| row.get(0))
    }

    /// Returns whether there is a row.
    pub fn exists(self, sql: impl Sql, params: Params<'_>) -> Result<bool, StoreError> {
        Ok(self.row(sql, params, |_| Ok(()))?.is_some())
    }

    /// Returns all rows.
    pub fn rows<T, C: FromIterator<T>>(
        self,
        sql: impl Sql,
        params: Params<'_>,
        mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<C, StoreError> {
        self.prepare(sql, |statement| {
            let rows = statement.query_map(bound(params), |row| Ok(read(&Row(row))))?;
            rows.map(|row| row.map_err(StoreError::from)?).collect()
        })
    }

    /// Calls `visit` with each row.
    pub fn each<E: From<StoreError>>(
        self,
        sql: impl Sql,
        params: Params<'_>,
        mut visit: impl FnMut(&Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.prepare(sql, |statement| {
            let mut rows = statement.query(bound(params)).map_err(StoreError::from)?;
            while let Some(row) = rows.next().map_err(StoreError::from)? {
                visit(&Row(row))?;
            }
            Ok(())
        })
    }

    fn prepare<S: Sql, T, E: From<StoreError>>(
        self,
        sql: S,
        run: impl FnOnce(&mut rusqlite::Statement<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        #[cfg(debug_assertions)]
        if S::IS_OF_ONE_WORKSPACE {
            let table = one_workspace::unconstrained(sql.text());
            assert!(
                table.is_none(),
                "a statement sees {table:?} of all workspaces: {}",
                sql.text()
            );
        }
        if S::IS_CACHED {
            run(&mut *self
                .0
                .prepare_cached(sql.text())
                .map_err(StoreError::from)?)
        } else {
            run(&mut self.0.prepare(sql.text()).map_err(StoreError::from)?)
        }
    }
}

fn bound(params: Params<'_>) -> impl rusqlite::Params + '_ {
    params_from_iter(params.iter().map(|value| value.bound()))
}
