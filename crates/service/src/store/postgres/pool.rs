//! The connections to a database, and the transactions on them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use super::target::Target;
use super::{in_use, schema};
use crate::lock::lock;
use crate::metrics::StoreMetrics;
use crate::store::db::{BEGIN_READ, Cancel, Db, Session};
use crate::store::error::StoreError;

const BEGIN_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";

/// How often a change is tried that conflicts with another.
const ATTEMPTS: u32 = 8;

/// Connections that are open. Its functions block.
pub struct Pool {
    target: Target,
    idle: Mutex<Vec<Session>>,
}

impl Pool {
    /// Connects, and migrates the schema.
    pub(in crate::store) fn open(target: Target) -> Result<Self, StoreError> {
        let pool = Self::of(target);
        schema::migrate(Checkout::new(&pool)?.session()?, &pool.target.connect()?)?;
        Ok(pool)
    }

    /// Connects when a connection is needed.
    pub(super) fn of(target: Target) -> Self {
        Self {
            target,
            idle: Mutex::default(),
        }
    }

    /// Runs a read on one consistent state of the database.
    pub(in crate::store) fn read<T, E: From<StoreError>>(
        &self,
        cancel: &Arc<Cancel>,
        read: impl FnOnce(Db<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut session = Checkout::new(self)?;
        session.begin(BEGIN_READ, Some(cancel))?;
        session.transact(read, Session::commit)
    }

    /// Begins a read, unless `cached` finds its result. It runs before the transaction.
    pub(super) fn begin_read<T>(
        &self,
        cancel: &Arc<Cancel>,
        cached: impl FnOnce(Db<'_>) -> Result<Option<T>, StoreError>,
    ) -> Result<Begun<'_, T>, StoreError> {
        let mut session = Checkout::new(self)?;
        if let Some(found) = session.look(cancel, cached)? {
            return Ok(Begun::Cached(found));
        }
        session.begin(BEGIN_READ, Some(cancel))?;
        Ok(Begun::Open(session.into()))
    }

    /// Returns whether the rows of workspaces may be on several servers, without a pooler in front of them.
    pub(super) fn has_citus(&self) -> Result<bool, StoreError> {
        let session = Checkout::new(self)?;
        let session = session.session()?;
        Ok(session.has_citus() && !session.is_pooled())
    }

    /// Runs a change in a transaction. One that conflicts with another is run again, as is one whose connection was
    /// lost before the commit.
    pub(in crate::store) fn write<T>(
        &self,
        metrics: &StoreMetrics,
        change: impl Fn(Db<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut session = Checkout::new(self)?;
        let mut attempt = 1;
        loop {
            session.begin(BEGIN_WRITE, None)?;
            match session.transact(&change, |session| measured_commit(session, metrics)) {
                Err(StoreError::Conflict) if attempt < ATTEMPTS => wait_before(attempt),
                Err(StoreError::ConnectionLost { .. }) if attempt < ATTEMPTS => {
                    session.reconnect()?;
                }
                result => return result,
            }
            attempt += 1;
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Session>> {
        lock(&self.idle)
    }

    /// Opens a connection that does not belong to the pool.
    pub(super) fn connect_alone(&self) -> Result<Session, StoreError> {
        self.target.connect()
    }

    fn connect(&self) -> Result<Session, StoreError> {
        let session = self.target.connect()?;
        in_use::share(&session)?;
        Ok(session)
    }
}

/// A read that has begun.
pub(super) enum Begun<'a, T> {
    Cached(T),
    Open(Box<Checkout<'a>>),
}

impl<T> Begun<'_, T> {
    pub(super) fn finish(
        self,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match self {
            Self::Cached(found) => Ok(found),
            Self::Open(mut session) => session.transact(read, Session::commit),
        }
    }
}

/// Waits for a time that grows with the attempts, and that differs between those that conflict.
fn wait_before(attempt: u32) {
    let mut random = [0; 1];
    // Without randomness they may conflict once more.
    let _ = getrandom::fill(&mut random);
    let most = 5_u64 << attempt;
    let millis = most * (64 + u64::from(random[0])) / 320;
    thread::sleep(Duration::from_millis(millis));
}

impl Drop for Pool {
    fn drop(&mut self) {
        let idle = std::mem::take(&mut *self.idle());
        // To close a connection blocks, which a thread of the runtime must not do.
        let _ = thread::Builder::new().spawn(move || drop(idle));
    }
}

/// A session that is in use. Returns to the pool when it is dropped, if it can be used again.
pub(super) struct Checkout<'a> {
    pool: &'a Pool,
    /// Only none after the end.
    session: Option<Session>,
    /// Whether it has been used since it left the pool.
    is_fresh: bool,
    /// Whether a transaction is open, or was when something went wrong.
    is_open: bool,
}

impl<'a> Checkout<'a> {
    fn new(pool: &'a Pool) -> Result<Self, StoreError> {
        let idle = pool.idle().pop();
        let is_fresh = idle.is_none();
        let session = match idle {
            Some(session) => session,
            None => pool.connect()?,
        };
        Ok(Self {
            pool,
            session: Some(session),
            is_fresh,
            is_open: false,
        })
    }

    fn session(&self) -> Result<&Session, StoreError> {
        self.session.as_ref().ok_or(StoreError::Closed)
    }

    /// Replaces a connection that was lost.
    fn reconnect(&mut self) -> Result<(), StoreError> {
        // The others were probably lost with it.
        self.pool.idle().clear();
        self.session = Some(self.pool.connect()?);
        self.is_open = false;
        Ok(())
    }

    /// Begins a transaction. Nothing has been done before it, so a connection that was lost in the pool is replaced.
    fn begin(&mut self, begin: &str, cancel: Option<&Arc<Cancel>>) -> Result<(), StoreError> {
        let mut begun = self.session()?.begin_of_service(begin);
        if matches!(begun, Err(StoreError::ConnectionLost { .. })) && !self.is_fresh {
            self.reconnect()?;
            begun = self.session()?.begin_of_service(begin);
        }
        self.is_fresh = false;
        begun?;
        self.is_open = true;
        if let Some(cancel) = cancel {
            self.session()?.cancel_with(cancel, self.pool.target.tls());
        }
        Ok(())
    }

    /// Runs statements without a transaction. If one fails, such as because the connection was lost in the pool, nothing is
    /// found; the read itself then tells what is wrong.
    fn look<T>(
        &mut self,
        cancel: &Arc<Cancel>,
        cached: impl FnOnce(Db<'_>) -> Result<Option<T>, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let session = self.session()?;
        // Behind a pooler, what must be locked is locked in a transaction.
        if session.is_pooled() {
            return Ok(None);
        }
        session.cancel_with(cancel, self.pool.target.tls());
        let found = catch_unwind(AssertUnwindSafe(|| cached(Db::from(session))));
        self.is_open = found.is_err();
        found.map_or(Err(StoreError::Panicked), |found| Ok(found.ok().flatten()))
    }

    /// Runs the transaction that has begun, and ends it.
    fn transact<T, E: From<StoreError>>(
        &mut self,
        run: impl FnOnce(Db<'_>) -> Result<T, E>,
        commit: impl FnOnce(&Session) -> Result<(), StoreError>,
    ) -> Result<T, E> {
        let session = self.session()?;
        let result = catch_unwind(AssertUnwindSafe(|| run(Db::from(session))));
        let result = result.unwrap_or_else(|_| Err(StoreError::Panicked.into()));
        let result = match result {
            Ok(value) => commit(session).map(|()| value).map_err(E::from),
            Err(error) => Err(error),
        };
        // A commit that fails rolls back. It is then done twice, which does no harm.
        if result.is_ok() || session.batch("ROLLBACK").is_ok() {
            self.is_open = false;
        }
        result
    }
}

fn measured_commit(session: &Session, metrics: &StoreMetrics) -> Result<(), StoreError> {
    let started = Instant::now();
    let committed = session.commit();
    let seconds = started.elapsed().as_secs_f64();
    metrics.commit_seconds.observe(seconds);
    if committed.is_err() {
        metrics.failed_commits.inc();
    }
    committed
}

impl Drop for Checkout<'_> {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            let is_usable = session.end();
            if is_usable && !self.is_open && !session.is_closed() {
                self.pool.idle().push(session);
            }
        }
    }
}
