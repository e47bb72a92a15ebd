//! A lock on the database: each connection of a service shares it, and a command that needs the database for itself holds it
//! alone.

use std::thread;
use std::time::{Duration, Instant};

use super::Session;
use crate::store::StoreError;
use crate::store::db::{Db, params};

/// The lock ("LdWu").
const LOCK: i64 = 0x4C64_5775;

const WAIT: Duration = Duration::from_secs(2);
const RETRY: Duration = Duration::from_millis(50);

/// Notes that a service uses the database, until the connection ends.
pub(super) fn share(session: &Session) -> Result<(), StoreError> {
    if lock_soon(session, "SELECT pg_try_advisory_lock_shared(?1)")? {
        return Ok(());
    }
    Err(StoreError::Refused(
        "the database is being moved by `lead-workspace move`. Nothing was changed. Try again when that has ended"
            .into(),
    ))
}

/// Makes sure that no service uses the database, until the connection ends.
pub(super) fn claim(session: &Session) -> Result<(), StoreError> {
    if lock_soon(session, "SELECT pg_try_advisory_lock(?1)")? {
        return Ok(());
    }
    let sql = "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
               WHERE d.datname = current_database() AND l.locktype = 'advisory'
                 AND l.classid::bigint = 0 AND l.objid::bigint = ?1 AND l.granted";
    let connections: i64 = Db::Postgres(session).value(sql, params![LOCK])?;
    Err(StoreError::Refused(format!(
        "the database is in use: services, or another move, have {connections} connections to it. Nothing was \
         changed. Stop them, and try again"
    )))
}

/// Takes the lock, and waits a moment for it: the server notices the end of its last holder a little later.
fn lock_soon(session: &Session, sql: &'static str) -> Result<bool, StoreError> {
    let end = Instant::now() + WAIT;
    while !Db::Postgres(session).value::<bool>(sql, params![LOCK])? {
        if Instant::now() > end {
            return Ok(false);
        }
        thread::sleep(RETRY);
    }
    Ok(true)
}
