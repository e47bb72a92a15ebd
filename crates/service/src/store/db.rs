//! What every statement of the store runs on.
//!
//! Statements are written for [`Db`], not for an engine. Their text is the same for both: SQLite runs it as it is, and
//! for PostgreSQL `dialect` translates the few words that differ.

mod cancel;
mod column;
mod dialect;
mod param;
mod postgres_value;
mod row;
mod session;
mod sql;
mod text;
mod touched;

use std::iter::Map;
use std::slice::Iter;

use lead_workspace_index::ChangeKind;
use rusqlite::{Connection, ParamsFromIter, params_from_iter};

use crate::store::error::StoreError;
use crate::store::tenant::Tenant;

pub use cancel::{Cancel, CancelOnDrop, Tls};
pub use column::Column;
pub use param::{Array, Bound, Kind, List, Param, Params, Value};
pub use row::Row;
pub use session::{BEGIN_READ, IN_USE, SHARE_IN_TRANSACTION, Session, refuse_unless};

pub(super) use session::simple_row;
pub use sql::{AcrossWorkspaces, Fixed, Sql};
pub use touched::Touched;

pub(crate) use param::{numbers, params};

#[cfg(debug_assertions)]
mod one_shard;
#[cfg(debug_assertions)]
mod one_workspace;

/// A transaction of the database. Parameters are written `?1`, `?2`, … and bound with `params!`.
#[derive(Clone, Copy)]
pub struct Db<'a> {
    pub(crate) on: On<'a>,
    /// Where a change notes which rows it touches.
    touched: Option<&'a Touched>,
}

/// The connection of a transaction.
#[derive(Clone, Copy)]
pub enum On<'a> {
    Sqlite(&'a Connection),
    Postgres(&'a Session),
}

impl<'a> From<&'a Connection> for Db<'a> {
    fn from(connection: &'a Connection) -> Self {
        Self {
            on: On::Sqlite(connection),
            touched: None,
        }
    }
}

impl<'a> From<&'a Session> for Db<'a> {
    fn from(session: &'a Session) -> Self {
        Self {
            on: On::Postgres(session),
            touched: None,
        }
    }
}

impl<'a> Db<'a> {
    /// Returns the transaction of a change, which notes the rows that it touches.
    pub(super) fn noting(self, touched: &'a Touched) -> Self {
        Self {
            touched: Some(touched),
            ..self
        }
    }

    /// Notes a row that a change touches: a lead, or an account, and what of it. Every change of what the index has must
    /// be noted, in the function that writes it; debug builds check this.
    pub(crate) fn touch(self, tenant: Tenant, kind: ChangeKind, row: i64) {
        if let Some(touched) = self.touched {
            touched.note(tenant, kind, row);
        }
    }

    /// Notes a lead that a change has deleted.
    pub(crate) fn touch_deleted(self, tenant: Tenant, row: i64, lead_id: String) {
        if let Some(touched) = self.touched {
            touched.note_deleted(tenant, row, lead_id);
        }
    }

    /// Notes that a change may touch anything, because it writes in another way than by [`execute`](Self::execute).
    fn touch_anything(self) {
        if let Some(touched) = self.touched {
            touched.note_anything();
        }
    }

    /// Ends the transaction of a read, and begins another, which sees what was committed since.
    pub(super) fn begin_read_again(self) -> Result<(), StoreError> {
        match self.on {
            On::Sqlite(connection) => Ok(connection.execute_batch("COMMIT; BEGIN")?),
            On::Postgres(session) => session.begin_read_again(),
        }
    }

    /// Whether the rows of workspaces may be on several servers.
    pub(in crate::store) fn has_citus(self) -> bool {
        match self.on {
            On::Sqlite(_) => false,
            On::Postgres(session) => session.has_citus(),
        }
    }

    /// Returns the connection, for what only SQLite has.
    ///
    /// # Panics
    /// On PostgreSQL. Its callers are the commands for data folders and the demo data, which do not use it there.
    #[expect(clippy::panic, reason = "a bug; the change or read fails with it")]
    pub fn sqlite(self) -> &'a Connection {
        self.touch_anything();
        match self.on {
            On::Sqlite(connection) => connection,
            On::Postgres(_) => panic!("a statement of SQLite on PostgreSQL"),
        }
    }

    /// Runs statements without parameters, whose text is not translated.
    pub fn batch(self, sql: &str) -> Result<(), StoreError> {
        self.touch_anything();
        match self.on {
            On::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            On::Postgres(session) => session.batch(sql),
        }
    }

    /// Waits for a lock of PostgreSQL, and holds it until the end of the transaction. SQLite runs one change at a time.
    pub(in crate::store) fn lock_until_end(self, lock: i64) -> Result<(), StoreError> {
        match self.on {
            On::Sqlite(_) => Ok(()),
            On::Postgres(session) => session
                .row("SELECT pg_advisory_xact_lock(?1)", params![lock])
                .map(drop),
        }
    }

    /// Runs a statement, and returns how many rows it changed.
    pub fn execute(self, sql: impl Sql, params: Params<'_>) -> Result<u64, StoreError> {
        match self.on {
            On::Sqlite(connection) => run(connection, &sql, params, |statement, params| {
                Ok(statement.execute(params)? as u64)
            }),
            On::Postgres(session) => session.execute(sql, params),
        }
    }

    /// Inserts a row into a table whose row number is `id`, and returns it.
    ///
    /// SQLite knows it without `RETURNING id`, which would create a temporary table for each row.
    pub fn insert(self, sql: impl Sql, params: Params<'_>) -> Result<i64, StoreError> {
        match self.on {
            On::Sqlite(connection) => run(connection, &sql, params, |statement, params| {
                Ok(statement.insert(params)?)
            }),
            On::Postgres(session) => session.insert(sql, params),
        }
    }

    /// Returns the first row, if there is one.
    pub fn row<T>(
        self,
        sql: impl Sql,
        params: Params<'_>,
        read: impl FnOnce(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        match self.on {
            On::Sqlite(connection) => run(connection, &sql, params, |statement, params| {
                let mut rows = statement.query(params)?;
                rows.next()?.map(|row| read(&Row::Sqlite(row))).transpose()
            }),
            On::Postgres(session) => {
                let row = session.row(sql, params)?;
                row.map(|row| read(&Row::Postgres(&row))).transpose()
            }
        }
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
        match self.on {
            On::Sqlite(connection) => run(connection, &sql, params, |statement, params| {
                let rows = statement.query_map(params, |row| Ok(read(&Row::Sqlite(row))))?;
                rows.map(|row| row.map_err(StoreError::from)?).collect()
            }),
            On::Postgres(session) => {
                let rows = session.rows(sql, params)?;
                rows.iter().map(|row| read(&Row::Postgres(row))).collect()
            }
        }
    }

    /// Calls `visit` with each row. It must not run statements.
    pub fn each<E: From<StoreError>>(
        self,
        sql: impl Sql,
        params: Params<'_>,
        mut visit: impl FnMut(&Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.on {
            On::Sqlite(connection) => run(connection, &sql, params, |statement, params| {
                let mut rows = statement.query(params).map_err(StoreError::from)?;
                while let Some(row) = rows.next().map_err(StoreError::from)? {
                    visit(&Row::Sqlite(row))?;
                }
                Ok(())
            }),
            On::Postgres(session) => session.each(sql, params, |row| visit(&Row::Postgres(row))),
        }
    }
}

/// Values as SQLite binds them.
type Bindings<'a> =
    ParamsFromIter<Map<Iter<'a, &'a dyn Param>, fn(&'a &'a dyn Param) -> Bound<'a>>>;

/// Runs a statement of SQLite.
fn run<'a, S: Sql, T, E: From<StoreError>>(
    connection: &Connection,
    sql: &S,
    params: Params<'a>,
    run: impl FnOnce(&mut rusqlite::Statement<'_>, Bindings<'a>) -> Result<T, E>,
) -> Result<T, E> {
    #[cfg(debug_assertions)]
    sql::check(sql);
    let bind: fn(&'a &'a dyn Param) -> Bound<'a> = |value| value.bound();
    let bindings = params_from_iter(params.iter().map(bind));
    let text = sql.text();
    if S::IS_CACHED {
        let mut statement = connection.prepare_cached(text).map_err(StoreError::from)?;
        run(&mut statement, bindings)
    } else {
        let mut statement = connection.prepare(text).map_err(StoreError::from)?;
        run(&mut statement, bindings)
    }
}
