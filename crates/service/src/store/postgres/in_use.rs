//! A lock on the database: each connection of a service shares it, and a command that needs the database for itself holds it
//! alone. Behind a pooler, each transaction shares it, because a connection keeps no lock.

use std::thread;
use std::time::{Duration, Instant};

use crate::store::db::{Db, IN_USE, SHARE_IN_TRANSACTION, Session, params, refuse_unless};
use crate::store::error::StoreError;

const WAIT: Duration = Duration::from_secs(2);
const RETRY: Duration = Duration::from_millis(50);

/// Notes that a service uses the database, until the connection ends; see also [`Session::begin_of_service`].
pub(super) fn share(session: &Session) -> Result<(), StoreError> {
    let function = match session.is_pooled() {
        true => SHARE_IN_TRANSACTION,
        false => "pg_try_advisory_lock_shared",
    };
    refuse_unless(lock_soon(session, function)?)
}

/// Makes sure that no service uses the database, until the transaction ends.
pub(super) fn claim(session: &Session) -> Result<(), StoreError> {
    if lock_soon(session, "pg_try_advisory_xact_lock")? {
        return Ok(());
    }
    let sql = "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
               WHERE d.datname = current_database() AND l.locktype = 'advisory'
                 AND l.classid::bigint = 0 AND l.objid::bigint = ?1 AND l.granted";
    let connections: i64 = Db::from(session).value(sql, params![IN_USE])?;
    Err(StoreError::Refused(format!(
        "the database is in use: services, or another move, have {connections} connections to it. Nothing was \
         changed. Stop them, and try again"
    )))
}

/// Takes the lock, and waits a moment for it: the server notices the end of its last holder a little later.
fn lock_soon(session: &Session, function: &str) -> Result<bool, StoreError> {
    let end = Instant::now() + WAIT;
    while !session.try_lock(function, IN_USE)? {
        if Instant::now() > end {
            return Ok(false);
        }
        thread::sleep(RETRY);
    }
    Ok(true)
}
