//! The connections to a database, and the transactions on them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task;

use super::cancel::{Cancel, CancelOnDrop};
use super::target::Target;
use super::{Session, schema};
use crate::store::{Db, StoreError};

/// All statements of a read see the same state.
const BEGIN_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
const BEGIN_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";

/// How often a write is tried that conflicts with another.
const ATTEMPTS: u32 = 8;

/// A database that is open for reading and writing. Clones share its connections.
#[derive(Clone)]
pub struct Postgres(Arc<Pool>);

struct Pool {
    target: Target,
    idle: Mutex<Vec<Session>>,
    /// As many permits as there may be connections.
    permits: Arc<Semaphore>,
}

impl Postgres {
    /// Connects, and migrates the schema. Uses up to `connections` at the same time.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses the user, when the database is missing, too old, or of another
    /// program, or when a newer version of the program wrote it.
    pub async fn open(target: Target, connections: usize) -> Result<Self, StoreError> {
        let opened = Self(Arc::new(Pool {
            target,
            idle: Mutex::default(),
            permits: Arc::new(Semaphore::new(connections)),
        }));
        let permit = opened.permit().await?;
        let pool = Arc::clone(&opened.0);
        run(move || schema::migrate(Checkout::new(&pool, permit)?.session()?)).await?;
        Ok(opened)
    }

    /// Runs a read on one consistent state of the database. Dropping the future cancels it.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = self.permit().await?;
        let pool = Arc::clone(&self.0);
        let cancel = CancelOnDrop::default();
        let cancelled = Arc::clone(&cancel.0);
        run(move || {
            let mut session = Checkout::new(&pool, permit)?;
            session.begin(BEGIN_READ, Some(&cancelled))?;
            session.transact(read)
        })
        .await
    }

    /// Runs a change in a transaction. It is committed when the future resolves. A change that conflicts with another
    /// is run again. Dropping the future does not cancel the change.
    ///
    /// # Errors
    /// The error of the change itself, which then leaves no trace. [`StoreError::CommitUnknown`] if it is not known
    /// whether the change was committed.
    pub async fn write<T: Send + 'static>(
        &self,
        change: impl Fn(Db<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = self.permit().await?;
        let pool = Arc::clone(&self.0);
        run(move || {
            let mut session = Checkout::new(&pool, permit)?;
            for attempt in 1..ATTEMPTS {
                session.begin(BEGIN_WRITE, None)?;
                match session.transact(&change) {
                    Err(StoreError::Conflict) => wait_before(attempt),
                    result => return result,
                }
            }
            session.begin(BEGIN_WRITE, None)?;
            session.transact(&change)
        })
        .await
    }

    async fn permit(&self) -> Result<OwnedSemaphorePermit, StoreError> {
        let permit = Arc::clone(&self.0.permits).acquire_owned().await;
        permit.map_err(|_| StoreError::Closed)
    }
}

/// Runs something that blocks. It goes on if the future is dropped.
async fn run<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let done = task::spawn_blocking(work).await;
    done.unwrap_or(Err(StoreError::Panicked))
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

impl Pool {
    fn idle(&self) -> MutexGuard<'_, Vec<Session>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connect(&self) -> Result<Session, StoreError> {
        self.target.connect().map(Session::new)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let idle = std::mem::take(&mut *self.idle());
        // To close a connection blocks, which a thread of the runtime must not do.
        let _ = thread::Builder::new().spawn(move || drop(idle));
    }
}

/// A session that is in use. Returns to the pool when it is dropped, if it can be used again.
struct Checkout<'a> {
    pool: &'a Pool,
    /// Only none after the end.
    session: Option<Session>,
    /// Whether it has been used since it left the pool.
    is_fresh: bool,
    /// Whether a transaction is open, or was when something went wrong.
    is_open: bool,
    // Released after the session.
    _permit: OwnedSemaphorePermit,
}

impl<'a> Checkout<'a> {
    fn new(pool: &'a Pool, permit: OwnedSemaphorePermit) -> Result<Self, StoreError> {
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
            _permit: permit,
        })
    }

    fn session(&self) -> Result<&Session, StoreError> {
        self.session.as_ref().ok_or(StoreError::Closed)
    }

    /// Begins a transaction. Nothing has been done before it, so a connection that was lost in the pool is replaced.
    fn begin(&mut self, begin: &str, cancel: Option<&Arc<Cancel>>) -> Result<(), StoreError> {
        let mut begun = self.session()?.begin(begin);
        if matches!(begun, Err(StoreError::ConnectionLost { .. })) && !self.is_fresh {
            // The others were probably lost with it.
            self.pool.idle().clear();
            self.session = Some(self.pool.connect()?);
            begun = self.session()?.begin(begin);
        }
        self.is_fresh = false;
        begun?;
        self.is_open = true;
        if let Some(cancel) = cancel {
            self.session()?.cancel_with(cancel, self.pool.target.tls());
        }
        Ok(())
    }

    /// Runs the transaction that has begun, and ends it.
    fn transact<T>(
        &mut self,
        run: impl FnOnce(Db<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let session = self.session()?;
        let result = catch_unwind(AssertUnwindSafe(|| run(Db::Postgres(session))));
        let result = result.unwrap_or(Err(StoreError::Panicked));
        let result = match result {
            Ok(value) => commit(session).map(|()| value),
            Err(error) => Err(error),
        };
        // A commit that fails rolls back. It is then done twice, which does no harm.
        if result.is_ok() || session.batch("ROLLBACK").is_ok() {
            self.is_open = false;
        }
        result
    }
}

fn commit(session: &Session) -> Result<(), StoreError> {
    if session.has_failed() {
        let reason = "a statement failed, and the change went on".into();
        return Err(StoreError::Unexpected(reason));
    }
    session.batch("COMMIT").map_err(|error| match error {
        StoreError::ConnectionLost { reason } => StoreError::CommitUnknown { reason },
        error => error,
    })
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
