//! The space of a disk.

use std::path::Path;

/// Returns the bytes that this process may still write to the disk of a folder, if the system says so.
#[cfg(unix)]
pub(crate) fn free_bytes(dir: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(dir).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}
