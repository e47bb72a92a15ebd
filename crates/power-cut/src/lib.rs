//! For tests: a disk that loses what was not synced when the power fails.
//!
//! [`Disk`] puts a layer between SQLite and a folder. The files in it are real, and hold what a
//! running machine sees. The layer also keeps what is certainly on the disk: the content
//! at the last sync of each file, the writes since then, and the directory entries since the last
//! sync of the directory. After [`cut_after`](Disk::cut_after) so many operations, every further
//! one fails, as if the machine were off. [`restore`](Disk::restore) then writes the files that
//! the next start finds: each write since the last sync is there, lost, or there in some of its
//! sectors.
//!
//! Locks and shared memory are those of the system. No process survives a power cut, so SQLite
//! makes the shared memory anew; [`restore`](Disk::restore) fills it with noise to prove it.

#![cfg(unix)]

mod disk;
mod layer;
mod state;

pub use disk::Disk;
pub use state::Loss;
