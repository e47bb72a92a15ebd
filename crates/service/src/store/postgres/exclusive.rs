//! A database that no service uses.

use super::{Target, in_use, schema};
use crate::store::db::{BEGIN_READ, Db, Session};
use crate::store::error::StoreError;

/// A database that no service uses, and none can use until this is dropped. Blocks: not for threads of the runtime.
pub struct Exclusive {
    session: Session,
    /// Its transaction holds the lock.
    lock: Session,
}

impl Exclusive {
    /// Connects.
    ///
    /// # Errors
    /// Also when a service uses the database.
    pub fn open(target: &Target) -> Result<Self, StoreError> {
        let (session, lock) = (target.connect()?, target.connect()?);
        begin(&lock)?;
        Ok(Self { session, lock })
    }

    /// Runs a read on the tables, which are migrated first.
    ///
    /// # Errors
    /// Also when there are none.
    pub fn read<T>(
        &self,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let db = Db::from(&self.session);
        if !schema::exists(db)? {
            return Err(StoreError::Refused(
                "there is no workspace in the database. Nothing was changed. Check the name of the database in \
                 the URL"
                    .into(),
            ));
        }
        schema::migrate_and(&self.session, &self.lock, begin, |_| Ok(()))?;
        self.session.begin(BEGIN_READ)?;
        let result = read(db).and_then(|value| self.still_locked().map(|()| value));
        // Nothing was changed.
        let _ = self.session.batch("ROLLBACK");
        result
    }

    /// Makes the tables if they are missing, and runs a change, all in one transaction. Then builds the indexes that are
    /// missing.
    pub fn write<T>(
        &self,
        change: impl FnOnce(Db<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let change = |db: Db<'_>| change(db).and_then(|value| self.still_locked().map(|()| value));
        let value = schema::migrate_and(&self.session, &self.lock, begin, change)?;
        // The server would do it within a minute. Until then it would not know how large the tables are.
        self.session.batch("ANALYZE")?;
        Ok(value)
    }

    /// Fails if the connection was lost, such as to a time limit for idle transactions.
    fn still_locked(&self) -> Result<(), StoreError> {
        self.lock.batch("SELECT 1")
    }
}

/// Begins the transaction that has the database for itself.
fn begin(lock: &Session) -> Result<(), StoreError> {
    lock.begin("BEGIN")?;
    in_use::claim(lock)
}
