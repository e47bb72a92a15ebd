//! Checks of the files of a folder.

use std::fs;
use std::path::Path;

use super::{Check, Finding, FolderLock, StoreError};
use crate::store::permissions::is_ours;
use crate::store::sqlite::copy::PARTIAL;
use crate::store::sqlite::disk::{self, DATABASE_FILE};
use crate::store::sqlite::wal;

/// Free space in bytes below which writes may soon fail.
const LITTLE_SPACE: u64 = 200 << 20;

/// Size of the write-ahead log in bytes from which something keeps it from being truncated. A running
/// service truncates it at 256 MiB.
const LONG_LOG: u64 = 300 << 20;

/// Returns whether a process holds the folder.
pub(super) fn lock(dir: &Path, findings: &mut Vec<Finding>) -> bool {
    // Taking the lock would create its file.
    if !dir.join("lock").exists() {
        return false;
    }
    match FolderLock::take(dir) {
        Ok(_) => false,
        Err(StoreError::Locked { pid, .. }) => {
            let pid = pid.map_or_else(|| "of unknown id".into(), |pid| pid.to_string());
            findings.push(Finding::note(
                Check::Lock,
                format!("the process {pid} uses the folder"),
                "nothing to do if this is the service; --fix needs it to be stopped",
            ));
            true
        }
        Err(error) => {
            findings.push(Finding::problem(
                Check::Lock,
                format!("the lock of the folder cannot be examined: {error}"),
                "make the folder and the file `lock` in it writable for the user of the service",
            ));
            false
        }
    }
}

/// Finds files of ours that others can read, or that their owner cannot write.
#[cfg(unix)]
pub(super) fn permissions(dir: &Path, findings: &mut Vec<Finding>) {
    use std::os::unix::fs::PermissionsExt;

    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    let mut open = Vec::new();
    let mut closed = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(file) = fs::symlink_metadata(entry.path()) else {
            continue;
        };
        if !is_ours(&name) || file.is_symlink() {
            continue;
        }
        let mode = file.permissions().mode();
        if mode & 0o077 != 0 {
            open.push(name.clone());
        }
        if mode & 0o600 != 0o600 {
            closed.push(name);
        }
    }
    for (mut names, text, advice) in [
        (
            open,
            "other users of this machine can read",
            "it removes their access",
        ),
        (
            closed,
            "the owner cannot read and write",
            "it gives the owner access",
        ),
    ] {
        if !names.is_empty() {
            names.sort();
            let text = format!("{text}: {}", names.join(", "));
            findings.push(Finding::fixable(Check::Permissions, text, advice));
        }
    }
}

/// On other systems a folder inherits the permissions of its parent.
#[cfg(not(unix))]
pub(super) fn permissions(_: &Path, _: &mut Vec<Finding>) {}

/// Finds copies that were interrupted. While the service runs, one may still be written.
pub(super) fn partial(dir: &Path, is_running: bool, findings: &mut Vec<Finding>) {
    let count = partial_files(dir).len();
    if count > 0 && !is_running {
        findings.push(Finding::fixable(
            Check::PartialFiles,
            format!(
                "{count} copies of the database are not complete, because they were interrupted"
            ),
            "it deletes them",
        ));
    }
}

pub(super) fn partial_files(dir: &Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else {
        return Vec::new();
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let is_partial = |path: &std::path::PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(DATABASE_FILE) && name.ends_with(PARTIAL))
    };
    paths.filter(is_partial).collect()
}

pub(super) fn disk_space(dir: &Path, database_bytes: u64, findings: &mut Vec<Finding>) {
    if let Ok(free) = disk::free_bytes(dir) {
        findings.extend(little_space(free, database_bytes));
    }
}

pub(super) fn little_space(free: u64, database_bytes: u64) -> Option<Finding> {
    let mb = |bytes: u64| bytes >> 20;
    if free < LITTLE_SPACE {
        let text = format!("the disk has {} MB of free space", mb(free));
        let advice = "free some space: writes fail when the disk is full, and nothing is lost then";
        return Some(Finding::problem(Check::DiskSpace, text, advice));
    }
    (free < database_bytes.saturating_mul(2)).then(|| {
        let text = format!(
            "the disk has {} MB of free space, and the data has {} MB",
            mb(free),
            mb(database_bytes)
        );
        let advice =
            "free some space before the next update: a migration needs twice the size of the data";
        Finding::note(Check::DiskSpace, text, advice)
    })
}

pub(super) fn write_ahead_log(path: &Path, is_running: bool, findings: &mut Vec<Finding>) {
    let bytes = fs::metadata(wal::file(path)).map_or(0, |file| file.len());
    if bytes <= LONG_LOG {
        return;
    }
    let text = format!("the write-ahead log has {} MB", bytes >> 20);
    findings.push(if is_running {
        let advice = "a read or a backup that takes long keeps it; if it does not shrink, restart the service";
        Finding::problem(Check::WriteAheadLog, text, advice)
    } else {
        Finding::fixable(Check::WriteAheadLog, text, "it moves the log into the database")
    });
}
