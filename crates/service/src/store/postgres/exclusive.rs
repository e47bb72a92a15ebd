//! A database that no service uses.

use super::pool::BEGIN_READ;
use super::{Session, Target, in_use, schema};
use crate::store::{Db, StoreError};

/// A database that no service uses, and none can use until this is dropped. Blocks: not for threads of the runtime.
pub struct Exclusive(Session);

impl Exclusive {
    /// Connects.
    ///
    /// # Errors
    /// Also when a service uses the database.
    pub fn open(target: &Target) -> Result<Self, StoreError> {
        let session = Session::new(target.connect()?);
        in_use::claim(&session)?;
        Ok(Self(session))
    }

    /// Runs a read on the tables, which are migrated first.
    ///
    /// # Errors
    /// Also when there are none.
    pub fn read<T>(
        &self,
        read: impl FnOnce(Db<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let db = Db::Postgres(&self.0);
        if !schema::exists(db)? {
            return Err(StoreError::Refused(
                "there is no workspace in the database. Nothing was changed. Check the name of the database in \
                 the URL"
                    .into(),
            ));
        }
        schema::migrate(&self.0)?;
        self.0.begin(BEGIN_READ)?;
        let result = read(db);
        // Nothing was changed.
        let _ = self.0.batch("ROLLBACK");
        result
    }

    /// Makes the tables if they are missing, and runs a change, all in one transaction. Then builds the indexes that are
    /// missing.
    pub fn write<T>(
        &self,
        change: impl FnOnce(Db<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let value = schema::migrate_and(&self.0, change)?;
        // The server would do it within a minute. Until then it would not know how large the tables are.
        self.0.batch("ANALYZE")?;
        Ok(value)
    }
}
