//! What is on the disk, and what a power cut leaves of it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::{fs, io};

use crate::layer;
use crate::state::{Loss, State, lock};

/// A folder whose database files lose unsynced writes. Drop it after the connections.
pub struct Disk {
    folder: PathBuf,
    pub(crate) state: Arc<Mutex<State>>,
}

impl Disk {
    /// Takes over an existing folder. No connection to a database in it may be open.
    ///
    /// # Errors
    /// When the folder does not exist.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        let state = Arc::default();
        layer::add(&folder, &state);
        Ok(Self { folder, state })
    }

    /// Cuts the power at the given operation from now: a write, a truncation, a sync or a deletion.
    pub fn cut_after(&self, operations: u64) {
        let mut state = lock(&self.state);
        state.cut_at = Some(state.operations + operations);
    }

    /// Lets the given operation from now fail; the next ones succeed. After a sync that failed, the
    /// writes before it may never get to the disk, even if the next sync succeeds.
    pub fn fail_at(&self, operation: u64) {
        let mut state = lock(&self.state);
        state.fail_at = Some(state.operations + operation);
    }

    /// Whether the power was cut.
    pub fn is_off(&self) -> bool {
        lock(&self.state).is_off
    }

    /// Number of operations so far.
    pub fn operations(&self) -> u64 {
        lock(&self.state).operations
    }

    /// Turns the machine on again: writes the files that are left. All connections must be closed.
    /// `below` returns a random number below its argument.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn restore(&self, loss: Loss, below: &mut dyn FnMut(u64) -> u64) -> io::Result<()> {
        let mut state = lock(&self.state);
        for (path, file) in std::mem::take(&mut state.files) {
            let is_left = if loss == Loss::Nothing {
                !file.is_deleted
            } else if file.is_listed {
                // A deletion may be lost as a write is.
                !file.is_deleted || below(2) == 0
            } else {
                !file.is_deleted && loss != Loss::Everything && below(2) == 0
            };
            let _ = fs::remove_file(&path);
            if is_left {
                fs::write(&path, file.left(loss, below))?;
            }
        }
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.to_string_lossy().ends_with("-shm") {
                let noise: Vec<u8> = (0..32768).map(|_| below(256) as u8).collect();
                fs::write(path, noise)?;
            }
        }
        *state = State::default();
        Ok(())
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        layer::remove(&self.folder);
    }
}
