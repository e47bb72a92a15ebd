//! The disk: its free space, and waiting until something is on it.

use std::fs::File;
use std::io;
use std::path::Path;

/// Returns the bytes that this process may still write to the disk of a file or folder.
pub(crate) fn free_bytes(path: &Path) -> io::Result<u64> {
    fs4::available_space(path)
}

/// Waits until a file is on disk, and returns its size in bytes.
pub(crate) fn sync(file: &Path) -> io::Result<u64> {
    let file = File::options().read(true).write(true).open(file)?;
    file.sync_all()?;
    Ok(file.metadata()?.len())
}

/// Waits until the names of the files in a folder are on disk.
#[cfg(unix)]
pub(crate) fn sync_folder(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

#[cfg(not(unix))]
pub(crate) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Waits until the name of a file or folder is on disk.
pub(crate) fn sync_name(path: &Path) -> io::Result<()> {
    sync_folder(folder_of(path))
}

/// The folder that a file is in.
pub(crate) fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
