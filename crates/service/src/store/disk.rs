//! The space of a disk.

use std::io;
use std::path::Path;

/// Returns the bytes that this process may still write to the disk of a file or folder.
pub(crate) fn free_bytes(path: &Path) -> io::Result<u64> {
    fs4::available_space(path)
}
