//! The lock on a data folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::store::error::StoreError;

const LOCK_FILE: &str = "lock";

const WAIT: Duration = Duration::from_secs(1);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Locks a data folder for this process. The operating system releases it when the process ends for
/// any reason.
pub(crate) struct FolderLock {
    _file: File,
}

/// Takes the lock of a file, and waits a moment for it: its last holder may be about to end, and a
/// program that the holder starts keeps the lock until it runs.
fn lock_soon(file: &File) -> Result<(), TryLockError> {
    let end = Instant::now() + WAIT;
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < end => thread::sleep(POLL_INTERVAL),
            locked => return locked,
        }
    }
}

impl FolderLock {
    /// Takes the lock, or returns an error with the id of the process that holds it after a second.
    pub(in crate::store) fn take(dir: &Path) -> Result<Self, StoreError> {
        Self::take_file(dir, LOCK_FILE)
    }

    /// Like [`take`](Self::take), with the name of the file that is locked.
    pub(in crate::store) fn take_file(dir: &Path, name: &str) -> Result<Self, StoreError> {
        let path = dir.join(name);
        let failed = |source| StoreError::io(format!("opening {}", path.display()), source);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        match lock_soon(&file) {
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
