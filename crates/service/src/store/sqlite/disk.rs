//! Files and folders: free space, waiting until something is on disk, and access for their owner only.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::store::error::StoreError;

/// File name of the database in a data folder.
pub const DATABASE_FILE: &str = "workspace.db";

/// Returns whether a data folder has a database.
///
/// # Errors
/// Without permission to look: that is no folder without a workspace.
pub(crate) fn has_database(dir: &Path) -> Result<bool, StoreError> {
    match dir.join(DATABASE_FILE).try_exists() {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            Err(StoreError::Refused(format!(
                "no permission to read the folder {}. Nothing was changed. Run the command as the user of the service, \
                 or as root",
                dir.display()
            )))
        }
        found => Ok(found.unwrap_or(false)),
    }
}

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

/// Appends a suffix to the name of a file.
pub(in crate::store) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Creates the data folder with access for its owner only: it holds keys and personal data.
pub(in crate::store) fn make_folder(dir: &Path) -> Result<(), StoreError> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let missing: Vec<_> = dir.ancestors().take_while(|dir| !dir.exists()).collect();
    let created = builder.create(dir).and_then(|()| {
        // A power loss must not remove the folder of changes that were reported as saved.
        missing.into_iter().try_for_each(sync_name)
    });
    created
        .map_err(|source| StoreError::io(format!("creating the folder {}", dir.display()), source))
}

/// Creates a file with access for its owner only, if it is missing. SQLite gives the WAL files the
/// same permissions.
pub(in crate::store) fn make_private(path: &Path) -> Result<(), StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = options.open(path);
    opened
        .map(drop)
        .map_err(|source| StoreError::io(format!("opening {}", path.display()), source))
}
