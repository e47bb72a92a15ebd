//! A connection, and the statements prepared on it.

use std::cell::{Cell, RefCell, RefMut};
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use lru::LruCache;
use postgres::binary_copy::BinaryCopyInWriter;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::Type;
use postgres::{Client, Row, RowIter, SimpleQueryMessage, SimpleQueryRow, Statement};

use super::cancel::{Cancel, Tls};
use super::param::{Kind, Param, Params, Value};
use super::postgres_value;
use super::sql::Sql;
use super::text::Text;
use crate::store::error::StoreError;

/// All statements of a read see the same state.
pub const BEGIN_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Held by each connection of a service, which shares it, or alone by a command that needs the database for itself
/// ("LdWu"). Behind a pooler, each transaction shares it, because a connection keeps no lock.
pub const IN_USE: i64 = 0x4C64_5775;

/// Shares a lock until the end of the transaction, or only tries to if there is none.
pub const SHARE_IN_TRANSACTION: &str = "pg_try_advisory_xact_lock_shared";

/// Prepared statements of a connection: more than there are texts.
const STATEMENTS: NonZeroUsize = NonZeroUsize::new(512).unwrap();

/// A connection with an open transaction. It is used by one thread at a time, one that may block.
pub struct Session {
    client: RefCell<Client>,
    /// With Citus, also the texts that were used once.
    statements: RefCell<LruCache<String, Option<Prepared>>>,
    /// Of the read that is running. No statement starts when its caller has gone.
    cancel: RefCell<Option<Arc<Cancel>>>,
    has_failed: Cell<bool>,
    /// Whether a pooler may give each transaction another connection to the server. Then nothing may outlast a
    /// transaction there: no prepared statement, no lock, no setting.
    is_pooled: bool,
    /// Whether the database has the extension Citus, so its tables may be on several servers.
    has_citus: bool,
}

/// Adds a row with these values.
pub type AddRow<'a> = dyn FnMut(&[Value]) -> Result<(), StoreError> + 'a;

/// An INSERT that returns the row number.
struct Returning<S>(String, PhantomData<S>);

impl<S: Sql> Returning<S> {
    fn id(insert: &S) -> Self {
        Self(format!("{} RETURNING id", insert.text()), PhantomData)
    }
}

impl<S: Sql> Sql for Returning<S> {
    const IS_CACHED: bool = S::IS_CACHED;
    const IS_OF_ONE_WORKSPACE: bool = S::IS_OF_ONE_WORKSPACE;

    fn text(&self) -> &str {
        &self.0
    }
}

/// Returns the first row of a statement without parameters, which is not prepared.
pub(in crate::store) fn simple_row(
    client: &mut Client,
    sql: &str,
) -> Result<Option<SimpleQueryRow>, postgres::Error> {
    let messages = client.simple_query(sql)?;
    let row = messages.into_iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    Ok(row)
}

/// Refuses to go on if a command has the database for itself.
pub fn refuse_unless(is_shared: bool) -> Result<(), StoreError> {
    match is_shared {
        true => Ok(()),
        false => Err(StoreError::Refused(
            "the database is being moved by `lead-workspace move`. Nothing was changed. Try again when that has ended"
                .into(),
        )),
    }
}

struct Prepared {
    /// The types of the parameters. They are nearly always the same.
    kinds: Vec<Type>,
    statement: Statement,
}

impl Session {
    pub(in crate::store) fn new(client: Client, is_pooled: bool, has_citus: bool) -> Self {
        Self {
            client: RefCell::new(client),
            statements: RefCell::new(LruCache::new(STATEMENTS)),
            cancel: RefCell::default(),
            has_failed: Cell::default(),
            is_pooled,
            has_citus,
        }
    }

    pub(in crate::store) fn is_pooled(&self) -> bool {
        self.is_pooled
    }

    pub(in crate::store) fn has_citus(&self) -> bool {
        self.has_citus
    }

    /// Lets a read be cancelled, until [`end`](Self::end).
    pub(in crate::store) fn cancel_with(&self, cancel: &Arc<Cancel>, tls: &Tls) {
        cancel.begin(self.client.borrow().cancel_token(), tls.clone());
        *self.cancel.borrow_mut() = Some(Arc::clone(cancel));
    }

    /// Returns whether the session can be used again: a cancellation may still arrive.
    pub(in crate::store) fn end(&self) -> bool {
        let cancel = self.cancel.borrow_mut().take();
        cancel.is_none_or(|cancel| {
            cancel.end();
            !cancel.has_gone()
        })
    }

    pub(in crate::store) fn is_closed(&self) -> bool {
        self.client.borrow().is_closed()
    }

    /// Waits for a notification of the server, and returns its text.
    pub(in crate::store) fn notification(
        &self,
        time: Duration,
    ) -> Result<Option<String>, StoreError> {
        let mut client = self.client()?;
        let next = client.notifications().timeout_iter(time).next()?;
        if next.is_none() && client.is_closed() {
            let reason = "the connection was closed".into();
            return Err(StoreError::ConnectionLost { reason });
        }
        Ok(next.map(|notification| notification.payload().to_owned()))
    }

    /// Begins a transaction.
    pub(in crate::store) fn begin(&self, sql: &str) -> Result<(), StoreError> {
        self.has_failed.set(false);
        self.batch(sql)
    }

    /// Begins a transaction of a service.
    pub(in crate::store) fn begin_of_service(&self, sql: &str) -> Result<(), StoreError> {
        self.begin(sql)?;
        if !self.is_pooled {
            return Ok(());
        }
        let shared = self.try_lock(SHARE_IN_TRANSACTION, IN_USE);
        let shared = shared.and_then(refuse_unless);
        if shared.is_err() {
            // Without a connection, the server rolls back.
            let _ = self.batch("ROLLBACK");
        }
        shared
    }

    /// Ends the transaction of a read, and begins another.
    pub(in crate::store) fn begin_read_again(&self) -> Result<(), StoreError> {
        self.commit()?;
        self.begin_of_service(BEGIN_READ)
    }

    /// Commits the transaction.
    ///
    /// # Errors
    /// Also when a statement has failed before: the server would roll back without an error.
    pub(in crate::store) fn commit(&self) -> Result<(), StoreError> {
        if self.has_failed.get() {
            let reason = "a statement failed, and the change went on".into();
            return Err(StoreError::Unexpected(reason));
        }
        self.batch("COMMIT").map_err(|error| match error {
            StoreError::ConnectionLost { reason } | StoreError::NodeLost { reason } => {
                StoreError::CommitUnknown { reason }
            }
            error => error,
        })
    }

    /// Tries to take a lock by one of the server's functions. Unlike other statements, it leaves no cursor open in a
    /// transaction, which the builder of an index would wait for.
    pub(in crate::store) fn try_lock(&self, function: &str, lock: i64) -> Result<bool, StoreError> {
        let mut client = self.client()?;
        let row = simple_row(&mut client, &format!("SELECT {function}({lock})"));
        let row = self.noted(row)?;
        Ok(row.is_some_and(|row| row.get(0) == Some("t")))
    }

    /// Runs statements without parameters.
    pub(in crate::store) fn batch(&self, sql: &str) -> Result<(), StoreError> {
        let mut client = self.client()?;
        self.noted(client.batch_execute(sql))
    }

    pub(in crate::store) fn execute(
        &self,
        sql: impl Sql,
        params: Params<'_>,
    ) -> Result<u64, StoreError> {
        let mut client = self.client()?;
        let mut rows = self.run(&mut client, &sql, params)?;
        while self.noted(rows.next())?.is_some() {}
        Ok(rows.rows_affected().unwrap_or(0))
    }

    /// Inserts a row into a table whose row number is `id`, and returns it.
    pub(in crate::store) fn insert<S: Sql>(
        &self,
        sql: S,
        params: Params<'_>,
    ) -> Result<i64, StoreError> {
        let row = self.row(Returning::<S>::id(&sql), params)?;
        let row = row.ok_or_else(|| StoreError::Unexpected("a row is missing".into()))?;
        Ok(row.try_get(0)?)
    }

    pub(in crate::store) fn row(
        &self,
        sql: impl Sql,
        params: Params<'_>,
    ) -> Result<Option<Row>, StoreError> {
        Ok(self.rows(sql, params)?.into_iter().next())
    }

    pub(in crate::store) fn rows(
        &self,
        sql: impl Sql,
        params: Params<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        let mut client = self.client()?;
        let rows = self.run(&mut client, &sql, params)?;
        self.noted(rows.collect())
    }

    /// Adds rows to a table, written as `name (columns)`: all those that `write` passes on.
    pub(in crate::store) fn copy<T>(
        &self,
        table: &str,
        kinds: &[Kind],
        write: impl FnOnce(&mut AddRow<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut client = self.client()?;
        let sql = format!("COPY {table} FROM STDIN BINARY");
        let types: Vec<Type> = kinds
            .iter()
            .map(|kind| postgres_value::null(*kind))
            .collect();
        let writer = self.noted(client.copy_in(sql.as_str()))?;
        let mut writer = BinaryCopyInWriter::new(writer, &types);
        let value = write(&mut |row| {
            let values = row.iter().map(Param::bound);
            self.noted(writer.write_raw(values))
        })?;
        self.noted(writer.finish())?;
        Ok(value)
    }

    pub(in crate::store) fn each<E: From<StoreError>>(
        &self,
        sql: impl Sql,
        params: Params<'_>,
        mut visit: impl FnMut(&Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut client = self.client()?;
        let mut rows = self.run(&mut client, &sql, params)?;
        while let Some(row) = self.noted(rows.next())? {
            visit(&row)?;
        }
        Ok(())
    }

    fn noted<T>(&self, result: Result<T, postgres::Error>) -> Result<T, StoreError> {
        self.has_failed
            .set(self.has_failed.get() || result.is_err());
        Ok(result?)
    }

    fn client(&self) -> Result<RefMut<'_, Client>, StoreError> {
        let cancel = self.cancel.borrow();
        if cancel.as_ref().is_some_and(|cancel| cancel.has_gone()) {
            return Err(StoreError::Interrupted);
        }
        let client = self.client.try_borrow_mut();
        client.map_err(|_| StoreError::Unexpected("a statement during `each`".into()))
    }

    /// Starts a statement. One that is cached is prepared once, unless there is a pooler; any other is prepared and run in one
    /// round trip.
    ///
    /// With Citus, it is prepared for each workspace, when it is used for the second time: there may be more workspaces than
    /// can be kept. One that does not compare a workspace with a value is not prepared, because a plan for any workspace
    /// would run on all servers.
    fn run<'a, S: Sql>(
        &self,
        client: &'a mut Client,
        sql: &S,
        params: Params<'_>,
    ) -> Result<RowIter<'a>, StoreError> {
        #[cfg(debug_assertions)]
        super::sql::check(sql);
        let values = params.iter().map(|param| param.bound());
        let kinds = values.clone().map(|value| postgres_value::kind(&value));
        let text = Text::of(sql.text(), params, self.has_citus);
        #[cfg(debug_assertions)]
        if self.has_citus && S::IS_OF_ONE_WORKSPACE && super::one_workspace::names_table(sql.text())
        {
            let values = values.clone().zip(kinds.clone());
            self.noted(super::one_shard::check(client, sql.text(), &text, values))?;
        }
        let key = text.key().filter(|_| S::IS_CACHED && !self.is_pooled);
        let Some(key) = key else {
            return self.noted(client.query_typed_raw(&text.translated(), values.zip(kinds)));
        };
        let kinds: Vec<Type> = kinds.collect();
        let mut statements = self.statements.borrow_mut();
        let known = match statements.get(key) {
            Some(Some(known)) if known.kinds == kinds => Some(known.statement.clone()),
            None if self.has_citus => {
                statements.put(key.to_owned(), None);
                return self.noted(client.query_typed_raw(&text.translated(), values.zip(kinds)));
            }
            _ => None,
        };
        let statement = match known {
            Some(known) => known,
            None => {
                let statement = self.noted(client.prepare_typed(&text.translated(), &kinds))?;
                let prepared = Prepared {
                    kinds,
                    statement: statement.clone(),
                };
                statements.put(key.to_owned(), Some(prepared));
                statement
            }
        };
        self.noted(client.query_raw(&statement, values))
    }
}
