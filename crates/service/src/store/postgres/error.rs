//! What the errors of PostgreSQL mean for the user.

use std::error::Error as _;
use std::io;

use postgres::Error;
use postgres::error::SqlState;

use crate::store::error::StoreError;

use super::node_lost;

/// The error of an attempt to connect. Nothing was changed.
pub(super) fn of_connecting(error: Error) -> StoreError {
    let reason = reason(&error);
    match error.code() {
        Some(&SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION) => {
            StoreError::NoAccess { reason }
        }
        Some(&SqlState::INVALID_CATALOG_NAME) => StoreError::NoDatabase { reason },
        _ => StoreError::Unreachable { reason },
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        let reason = reason(&error);
        let Some(code) = error.code() else {
            let is_lost = error.is_closed()
                || error
                    .source()
                    .is_some_and(|source| source.is::<io::Error>());
            return match is_lost {
                true => Self::ConnectionLost { reason },
                false => Self::Unexpected(reason),
            };
        };
        match *code {
            _ if is_of_another_server(&error, code) => node_lost::of(reason),
            SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => Self::Conflict,
            SqlState::QUERY_CANCELED => Self::Interrupted,
            SqlState::DISK_FULL => Self::Full,
            SqlState::OUT_OF_MEMORY => Self::NoMemory,
            SqlState::TOO_MANY_CONNECTIONS | SqlState::CANNOT_CONNECT_NOW => {
                Self::Unreachable { reason }
            }
            SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN => Self::ConnectionLost { reason },
            SqlState::INSUFFICIENT_PRIVILEGE => Self::NoAccess { reason },
            SqlState::READ_ONLY_SQL_TRANSACTION => Self::ReadOnlyServer { reason },
            _ => Self::Postgres { reason },
        }
    }
}

/// Whether the server that was asked, which works, cannot reach another with Citus. Its own end is a fatal error, or has no
/// code.
fn is_of_another_server(error: &Error, code: &SqlState) -> bool {
    let error = error.as_db_error();
    let is_fatal = error.is_none_or(|error| error.severity() != "ERROR");
    let is_gone = matches!(
        *code,
        SqlState::ADMIN_SHUTDOWN
            | SqlState::CRASH_SHUTDOWN
            | SqlState::CANNOT_CONNECT_NOW
            | SqlState::TOO_MANY_CONNECTIONS
    );
    // Class 08 is about connections.
    !is_fatal && (is_gone || code.code().starts_with("08"))
}

/// The message of the server, or of the system. It contains no password.
fn reason(error: &Error) -> String {
    if let Some(error) = error.as_db_error() {
        return error.message().to_owned();
    }
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
