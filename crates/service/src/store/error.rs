//! What can go wrong with a data folder, in words for the person in front of it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::ErrorCode;
use thiserror::Error;

/// Why the store could not do what it was asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Another process works on the folder.
    #[error(
        "the data folder {} is in use by another process{}. Nothing was changed. \
         Stop that process, or choose another folder with --data",
        dir.display(), pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
    )]
    Locked {
        /// The data folder.
        dir: PathBuf,
        /// The process that holds it, where it says so.
        pid: Option<u32>,
    },
    /// A newer version of the program wrote the database.
    #[error(
        "{} was written by a newer version of lead-workspace (schema {found}, this version knows {known}). \
         Nothing was changed. Update lead-workspace, or choose another folder with --data", path.display()
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// The schema it has.
        found: i64,
        /// The newest schema that is known here.
        known: i64,
    },
    /// The file is a database, but not one of ours.
    #[error(
        "{} is a database of another program. Nothing was changed. Choose another folder with --data",
        path.display()
    )]
    Foreign {
        /// The database.
        path: PathBuf,
    },
    /// The file is damaged, or no database at all.
    #[error(
        "the database is damaged or not a database ({reason}). It was left as it is. Keep a copy of the \
         data folder, then restore a backup or start with an empty folder (--data)"
    )]
    Corrupt {
        /// SQLite's words.
        reason: String,
    },
    /// The disk is full.
    #[error(
        "the disk is full. This change was not kept; everything before it is. \
         Free some space and try again"
    )]
    Full,
    /// The file of the database cannot be opened.
    #[error(
        "the database cannot be opened ({reason}). This change was not kept; everything before it is. \
         Check that the data folder is still there, and that its files may be read and written"
    )]
    CannotOpen {
        /// SQLite's words.
        reason: String,
    },
    /// The folder or the database cannot be written.
    #[error(
        "the data folder cannot be written ({reason}). This change was not kept; everything before it is. \
         Make the folder writable, or choose another with --data"
    )]
    ReadOnly {
        /// The system's words.
        reason: String,
    },
    /// Another program holds the database for longer than we wait.
    #[error(
        "the database is held by another program. This change was not kept. \
         Close what else reads the data folder and try again"
    )]
    Busy,
    /// The thread that writes has ended, which it never should.
    #[error(
        "the part of the service that writes has ended because of an internal error. \
         Whether this change was kept is not known; everything before it is. Start the service again"
    )]
    WriterEnded,
    /// More memory than SQLite may use was needed.
    #[error(
        "the service is short of memory. This change was not kept; everything before it is. \
         Try again in a moment, or ask for less at once"
    )]
    NoMemory,
    /// The process has as many files and connections open as it may have.
    #[error(
        "the service has as many files and connections open as the system allows. This change was \
         not kept; everything before it is. Try again in a moment; if it stays so, start the service \
         with a higher limit of open files (ulimit -n)"
    )]
    NoDescriptors,
    /// The store is closing down.
    #[error("the service is stopping. This change was not kept; try again once it is back")]
    Closed,
    /// The caller went away, and the read was given up.
    #[error("the read was given up because nobody waits for it any more")]
    Interrupted,
    /// A statement panicked: a fault of ours.
    #[error("an internal error occurred. This change was not kept; everything before it is")]
    Panicked,
    /// A file operation failed.
    #[error("{action} failed: {source}. Check the path and its permissions")]
    Io {
        /// What was tried, with the path.
        action: String,
        /// The system's words.
        source: io::Error,
    },
    /// Another error of SQLite.
    #[error("the database reports: {0}. This change was not kept; everything before it is")]
    Sqlite(rusqlite::Error),
    /// An error that others were told as well.
    #[error(transparent)]
    Shared(Arc<Self>),
    /// A request that the state of the database does not allow.
    #[error("{0}")]
    Refused(String),
    /// A value in the database that cannot be what the schema promises.
    #[error("the database holds an unexpected value: {0}")]
    Unexpected(String),
}

impl StoreError {
    /// An error of a file operation; a full disk and missing rights become their own errors.
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

    /// The same error for another caller of a commit that failed for all of them.
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
            Self::Corrupt { reason } => Self::Corrupt {
                reason: reason.clone(),
            },
            _ => Self::Shared(Arc::clone(error)),
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let reason = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::OutOfMemory) => Self::NoMemory,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly { reason },
            // SQLite tells no more than that a file cannot be opened.
            Some(ErrorCode::CannotOpen) if no_descriptors() => Self::NoDescriptors,
            Some(ErrorCode::CannotOpen) => Self::CannotOpen { reason },
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::Corrupt { reason },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::OperationInterrupted) => Self::Interrupted,
            _ => Self::Sqlite(error),
        }
    }
}

/// Whether the process can open no more files.
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
    fn each_failure_of_sqlite_is_told_by_its_own_cause() {
        for (code, cause, advice) in [
            (
                rusqlite::ffi::SQLITE_FULL,
                "disk is full",
                "Free some space",
            ),
            (
                rusqlite::ffi::SQLITE_CANTOPEN,
                "cannot be opened",
                "files may be read",
            ),
            (
                rusqlite::ffi::SQLITE_READONLY,
                "cannot be written",
                "Make the folder writable",
            ),
            (rusqlite::ffi::SQLITE_NOTADB, "damaged", "restore a backup"),
            (
                rusqlite::ffi::SQLITE_BUSY,
                "held by another program",
                "try again",
            ),
            (
                rusqlite::ffi::SQLITE_IOERR,
                "disk I/O error",
                "everything before it is",
            ),
        ] {
            let error = rusqlite::ffi::Error::new(code);
            let told = StoreError::from(rusqlite::Error::SqliteFailure(error, None)).to_string();
            assert!(told.contains(cause) && told.contains(advice), "{told}");
        }
    }
}
