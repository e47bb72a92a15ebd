//! What a simulated disk has, and what it loses.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

#[derive(Default)]
pub(crate) struct State {
    pub(crate) files: BTreeMap<PathBuf, StoredFile>,
    /// Number of changing operations so far.
    pub(crate) operations: u64,
    /// The operation that fails, and all after it.
    pub(crate) cut_at: Option<u64>,
    /// An operation that fails alone.
    pub(crate) fail_at: Option<u64>,
    pub(crate) is_off: bool,
}

/// A file as the disk has it.
#[derive(Default)]
pub(crate) struct StoredFile {
    pub(crate) synced: Vec<u8>,
    pub(crate) unsynced: Vec<Change>,
    /// Whether the directory on the disk has the file.
    pub(crate) is_listed: bool,
    /// Whether it was deleted since.
    pub(crate) is_deleted: bool,
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

pub(crate) fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    pub(crate) fn is_off(&self) -> bool {
        self.is_off
    }

    /// Counts a changing operation, which may be the one at which the power fails.
    pub(crate) fn operate(&mut self) -> Result<(), Failure> {
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
    pub(crate) fn left(self, loss: Loss, below: &mut dyn FnMut(u64) -> u64) -> Vec<u8> {
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
