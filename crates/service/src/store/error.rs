//! Errors of the data folder, with messages for the user.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use lead_workspace_api::{Detail, ErrorEntry};
use rusqlite::ErrorCode;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum StoreError {
    #[error(
        "the data folder {} is in use by another process{}. Nothing was changed. \
         Stop that process, or choose another folder with --data",
        dir.display(), pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
    )]
    Locked {
        dir: PathBuf,
        /// The process that holds the lock, if the lock file names it.
        pid: Option<u32>,
    },
    #[error(
        "{} was written by a newer version of lead-workspace (schema {found}, this version supports {known}). \
         Nothing was changed. Update lead-workspace, or choose another folder with --data", path.display()
    )]
    Newer {
        path: PathBuf,
        found: i64,
        known: i64,
    },
    /// The file is a database of another program.
    #[error(
        "{} is a database of another program. Nothing was changed. Choose another folder with --data",
        path.display()
    )]
    Foreign {
        /// The database file.
        path: PathBuf,
    },
    #[error(
        "the database is damaged or not a database ({reason}). It was not changed. Keep a copy of the \
         data folder, then restore a backup or start with an empty folder (--data)"
    )]
    Corrupt {
        /// SQLite's message.
        reason: String,
    },
    #[error(
        "the disk is full. This change was not saved; earlier changes are saved. \
         Free some space and try again"
    )]
    Full,
    /// The system failed to read, write or sync a file.
    #[error(
        "the disk reported an error ({reason}). This change was not saved; earlier changes are saved. \
         Check the disk, its quota, and the limit on file sizes (ulimit -f), then try again"
    )]
    Disk {
        /// SQLite's message.
        reason: String,
    },
    #[error(
        "the database cannot be opened ({reason}). This change was not saved; earlier changes are saved. \
         Check that the data folder exists, and that its files are readable and writable"
    )]
    CannotOpen {
        /// SQLite's message.
        reason: String,
    },
    #[error(
        "the data folder cannot be written ({reason}). This change was not saved; earlier changes are saved. \
         Make the folder writable, or choose another with --data"
    )]
    ReadOnly {
        /// The message of the system or of SQLite.
        reason: String,
    },
    /// Another program held the database for longer than the busy timeout.
    #[error(
        "the database is locked by another program. This change was not saved. \
         Close other programs that use the data folder, and try again"
    )]
    Busy,
    /// The writer thread has ended, which should never happen.
    #[error(
        "the database writer stopped because of an internal error. This change may or may not \
         have been saved; earlier changes are saved. Restart the service"
    )]
    WriterEnded,
    /// A statement exceeded the memory limit of the database.
    #[error(
        "the service is low on memory. This change was not saved; earlier changes are saved. \
         Try again in a moment, or request less data at once"
    )]
    NoMemory,
    /// The process has reached its limit of open files and connections.
    #[error(
        "the service has reached the system's limit of open files. This change was not saved; \
         earlier changes are saved. Try again in a moment. If this persists, start the service with a \
         higher limit (ulimit -n)"
    )]
    NoDescriptors,
    #[error(
        "the service is stopping. This change was not saved; try again when it is running again"
    )]
    Closed,
    /// The caller dropped the future, so the read was interrupted.
    #[error("the read was cancelled by its caller")]
    Interrupted,
    /// A statement panicked, which is a bug.
    #[error("an internal error occurred. This change was not saved; earlier changes are saved")]
    Panicked,
    #[error("{action} failed: {source}. Check the path and its permissions")]
    Io {
        /// What was tried, with the path.
        action: String,
        source: io::Error,
    },
    #[error("database error: {0}. This change was not saved; earlier changes are saved")]
    Sqlite(rusqlite::Error),
    /// The database server does not accept a connection.
    #[error(
        "the database server cannot be reached ({reason}). This change was not saved; earlier changes are \
         saved. Check the host and the port of the database URL, and that the server is running"
    )]
    Unreachable {
        /// The message of the system or the server.
        reason: String,
    },
    /// The database server refuses the user.
    #[error(
        "the database server refuses access ({reason}). This change was not saved; earlier changes are \
         saved. Check the user and the password of the database URL, and the user's rights"
    )]
    NoAccess {
        /// The server's message.
        reason: String,
    },
    #[error(
        "the database does not exist ({reason}). Nothing was changed. Create it, or correct the name in \
         the database URL"
    )]
    NoDatabase {
        /// The server's message.
        reason: String,
    },
    #[error(
        "the database server is PostgreSQL {found}; {oldest} or newer is needed. Nothing was changed. Update \
         the server"
    )]
    ServerTooOld { found: i64, oldest: i64 },
    #[error(
        "the database server does not accept changes ({reason}). This change was not saved; earlier changes \
         are saved. Connect to the primary server, not to a copy of it"
    )]
    ReadOnlyServer {
        /// The server's message.
        reason: String,
    },
    #[error(
        "the connection to the database server was lost ({reason}). This change was not saved; earlier \
         changes are saved. Try again in a moment"
    )]
    ConnectionLost {
        /// The message of the system or the server.
        reason: String,
    },
    /// A server of a distributed database has gone. Workspaces on others go on.
    #[error(
        "a server of the database cannot be reached ({reason}). This change was not saved; earlier changes are \
         saved. Try again in a moment; workspaces on other servers go on"
    )]
    NodeLost {
        /// The message of the server that was asked.
        reason: String,
    },
    /// The connection was lost while the server committed.
    #[error(
        "the connection to the database server was lost ({reason}). This change may or may not have been \
         saved; earlier changes are saved. Look whether it was, then try again"
    )]
    CommitUnknown {
        /// The message of the system or the server.
        reason: String,
    },
    /// A change waited for another, or was overtaken by it, too often.
    #[error(
        "others changed the same data at the same time, again and again. This change was not saved; \
         earlier changes are saved. Try again"
    )]
    Conflict,
    #[error("database error: {reason}. This change was not saved; earlier changes are saved")]
    Postgres {
        /// The server's message.
        reason: String,
    },
    /// An error that several callers share.
    #[error(transparent)]
    Shared(Arc<Self>),
    /// The workspace of a change is deleted, or being deleted.
    #[error("the workspace was deleted. This change was not saved; use another workspace")]
    WorkspaceDeleted,
    /// Another process has ended the import, because this one has not renewed its lease.
    #[error(
        "another process has ended this import, because it heard nothing of it for a minute. These lines were \
         not saved"
    )]
    ImportEnded,
    #[error("{0}")]
    Refused(String),
    /// What is wrong with a query because of the values that leads have.
    #[error("{}", Detail::Entries(.0.clone()))]
    Invalid(Vec<ErrorEntry>),
    /// A stored value that violates the schema.
    #[error("the database contains an unexpected value: {0}")]
    Unexpected(String),
}

impl StoreError {
    /// Wraps the error of a file operation. A full disk, missing permissions and a lack of
    /// descriptors get their own variants.
    pub fn io(action: impl Into<String>, source: io::Error) -> Self {
        match source.kind() {
            _ if is_lack_of_descriptors(&source) => Self::NoDescriptors,
            io::ErrorKind::StorageFull => Self::Full,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly {
                reason: format!("{}: {source}", action.into()),
            },
            _ => Self::Io {
                action: action.into(),
                source,
            },
        }
    }

    /// Copies the error for each caller of a commit that failed.
    pub(super) fn shared(error: &Arc<Self>) -> Self {
        match &**error {
            Self::Full => Self::Full,
            Self::Busy => Self::Busy,
            Self::NoMemory => Self::NoMemory,
            Self::NoDescriptors => Self::NoDescriptors,
            Self::ReadOnly { reason } => Self::ReadOnly {
                reason: reason.clone(),
            },
            Self::CannotOpen { reason } => Self::CannotOpen {
                reason: reason.clone(),
            },
            Self::Disk { reason } => Self::Disk {
                reason: reason.clone(),
            },
            Self::Corrupt { reason } => Self::Corrupt {
                reason: reason.clone(),
            },
            _ => Self::Shared(Arc::clone(error)),
        }
    }
}

impl From<Vec<ErrorEntry>> for StoreError {
    fn from(entries: Vec<ErrorEntry>) -> Self {
        Self::Invalid(entries)
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let reason = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::OutOfMemory) => Self::NoMemory,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly { reason },
            // SQLite only reports that a file cannot be opened, not why.
            Some(ErrorCode::CannotOpen) if no_descriptors() => Self::NoDescriptors,
            Some(ErrorCode::CannotOpen) => Self::CannotOpen { reason },
            Some(ErrorCode::SystemIoFailure) => Self::Disk { reason },
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::Corrupt { reason },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::OperationInterrupted) => Self::Interrupted,
            _ if matches!(error, rusqlite::Error::Utf8Error(..)) => Self::Corrupt { reason },
            _ => Self::Sqlite(error),
        }
    }
}

/// Returns whether the process can open no more files.
fn no_descriptors() -> bool {
    io::pipe().is_err_and(|error| is_lack_of_descriptors(&error))
}

fn is_lack_of_descriptors(error: &io::Error) -> bool {
    // ENFILE and EMFILE.
    cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24))
}

#[cfg(test)]
mod tests {
    use super::StoreError;

    #[test]
    fn each_sqlite_failure_has_its_own_cause() {
        for (code, cause, advice) in [
            (
                rusqlite::ffi::SQLITE_FULL,
                "disk is full",
                "Free some space",
            ),
            (
                rusqlite::ffi::SQLITE_CANTOPEN,
                "cannot be opened",
                "files are readable",
            ),
            (
                rusqlite::ffi::SQLITE_READONLY,
                "cannot be written",
                "Make the folder writable",
            ),
            (rusqlite::ffi::SQLITE_NOTADB, "damaged", "restore a backup"),
            (
                rusqlite::ffi::SQLITE_BUSY,
                "locked by another program",
                "try again",
            ),
            (
                rusqlite::ffi::SQLITE_IOERR,
                "the disk reported an error",
                "its quota",
            ),
        ] {
            let error = rusqlite::ffi::Error::new(code);
            let message = StoreError::from(rusqlite::Error::SqliteFailure(error, None)).to_string();
            assert!(
                message.contains(cause) && message.contains(advice),
                "{message}"
            );
        }
    }
}
