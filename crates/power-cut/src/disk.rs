//! What is on the disk, and what a power cut leaves of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use crate::layer;

/// The smallest part of a file that is written or lost as a whole.
const SECTOR: usize = 512;

/// What a power cut takes of the writes since the last sync.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// All of them.
    Everything,
    /// None of them: the operating system had just written all.
    Nothing,
    /// Some writes, others not, in any order.
    SomeWrites,
    /// Some sectors of writes.
    SomeSectors,
}

impl Loss {
    pub const ALL: [Self; 4] = [
        Self::Everything,
        Self::Nothing,
        Self::SomeWrites,
        Self::SomeSectors,
    ];
}

/// A folder whose database files lose unsynced writes. Drop it after the connections.
pub struct Disk {
    folder: PathBuf,
    pub(crate) state: Arc<Mutex<State>>,
}

#[derive(Default)]
pub(crate) struct State {
    files: BTreeMap<PathBuf, StoredFile>,
    /// Number of changing operations so far.
    operations: u64,
    /// The operation that fails, and all after it.
    cut_at: Option<u64>,
    /// An operation that fails alone.
    fail_at: Option<u64>,
    is_off: bool,
}

/// A file as the disk has it.
#[derive(Default)]
struct StoredFile {
    synced: Vec<u8>,
    unsynced: Vec<Change>,
    /// Whether the directory on the disk has the file.
    is_listed: bool,
    /// Whether it was deleted since.
    is_deleted: bool,
}

pub(crate) enum Change {
    Write { offset: usize, bytes: Vec<u8> },
    Truncate(usize),
}

/// Why an operation fails.
#[derive(PartialEq, Eq)]
pub(crate) enum Failure {
    /// The machine is off.
    Off,
    /// The disk reported an error.
    Error,
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

pub(crate) fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    pub(crate) fn is_off(&self) -> bool {
        self.is_off
    }

    /// Counts a changing operation, which may be the one at which the power fails.
    fn operate(&mut self) -> Result<(), Failure> {
        self.operations += 1;
        if self.cut_at.is_some_and(|cut| self.operations >= cut) {
            self.is_off = true;
        }
        if self.is_off {
            return Err(Failure::Off);
        }
        if self.fail_at == Some(self.operations) {
            return Err(Failure::Error);
        }
        Ok(())
    }

    /// Notes that a file is opened. Before the first opening, what it contains is on the disk.
    pub(crate) fn open(&mut self, path: &Path) {
        let file = self.files.entry(path.to_owned()).or_insert_with(|| {
            let synced = fs::read(path).unwrap_or_default();
            StoredFile {
                is_listed: !synced.is_empty(),
                synced,
                ..StoredFile::default()
            }
        });
        if file.is_deleted {
            // Created again under the same name; the disk may still have the old one.
            file.is_deleted = false;
            file.unsynced.push(Change::Truncate(0));
        }
    }

    /// A change of a file. The one at which the power fails may be there in part.
    pub(crate) fn change(&mut self, path: &Path, change: Change) -> Result<(), Failure> {
        if self.is_off {
            return Err(Failure::Off);
        }
        let result = self.operate();
        if result != Err(Failure::Error) {
            let file = self.files.entry(path.to_owned()).or_default();
            file.unsynced.push(change);
        }
        result
    }

    /// A sync of a file, and of the directory after the first sync of a log.
    pub(crate) fn sync(&mut self, path: &Path, with_directory: bool) -> Result<(), Failure> {
        let result = self.operate();
        let file = self.files.entry(path.to_owned()).or_default();
        if result == Err(Failure::Error) {
            file.unsynced.clear();
        }
        result?;
        for change in std::mem::take(&mut file.unsynced) {
            change.apply(&mut file.synced);
        }
        if with_directory {
            for file in self.files.values_mut() {
                if file.is_deleted {
                    *file = StoredFile {
                        is_deleted: true,
                        ..StoredFile::default()
                    };
                }
                file.is_listed = !file.is_deleted;
            }
        }
        Ok(())
    }

    pub(crate) fn delete(&mut self, path: &Path) -> Result<(), Failure> {
        self.operate()?;
        if let Some(file) = self.files.get_mut(path) {
            file.is_deleted = true;
        }
        Ok(())
    }
}

impl StoredFile {
    fn left(self, loss: Loss, below: &mut dyn FnMut(u64) -> u64) -> Vec<u8> {
        let mut content = self.synced;
        for change in self.unsynced {
            match (loss, change) {
                (Loss::Everything, _) => {}
                (Loss::Nothing, change) => change.apply(&mut content),
                (Loss::SomeSectors, Change::Write { offset, bytes }) => {
                    let mut start = 0;
                    while start < bytes.len() {
                        let end = bytes.len().min(start + SECTOR - (offset + start) % SECTOR);
                        if below(2) == 0 {
                            write(&mut content, offset + start, &bytes[start..end]);
                        }
                        start = end;
                    }
                }
                (_, change) => {
                    if below(2) == 0 {
                        change.apply(&mut content);
                    }
                }
            }
        }
        content
    }
}

impl Change {
    fn apply(self, content: &mut Vec<u8>) {
        match self {
            Self::Write { offset, bytes } => write(content, offset, &bytes),
            Self::Truncate(length) => content.resize(length, 0),
        }
    }
}

fn write(content: &mut Vec<u8>, offset: usize, bytes: &[u8]) {
    let end = offset + bytes.len();
    if content.len() < end {
        content.resize(end, 0);
    }
    content[offset..end].copy_from_slice(bytes);
}
