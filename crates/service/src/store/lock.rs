//! The lock on a data folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use super::StoreError;

const LOCK_FILE: &str = "lock";

/// Locks a data folder for this process. The operating system releases it when the process ends for
/// any reason.
pub(super) struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Takes the lock, or returns an error with the id of the process that holds it.
    pub(super) fn take(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join(LOCK_FILE);
        let failed = |source| StoreError::io(format!("opening {}", path.display()), source);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Only for the error message: the folder is locked even if the file is unreadable.
                let _ = file.read_to_string(&mut holder);
                return Err(StoreError::Locked {
                    dir: dir.to_owned(),
                    pid: holder.trim().parse().ok(),
                });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        file.set_len(0).map_err(failed)?;
        file.rewind().map_err(failed)?;
        writeln!(file, "{}", std::process::id()).map_err(failed)?;
        Ok(Self { _file: file })
    }
}
