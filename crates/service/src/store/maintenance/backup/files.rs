//! The backups of a folder that a service fills by schedule: their names, when the next is due, and
//! which are deleted.

use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use jiff::Timestamp;

use crate::store::error::StoreError;
use crate::store::sqlite::copy::PARTIAL;
use crate::store::sqlite::lock::FolderLock;

const PREFIX: &str = "workspace-";
const SUFFIX: &str = ".db";
const LOCK_FILE: &str = "workspace-backups.lock";
const TIME: &str = "%Y%m%dT%H%M%SZ";

/// Returns the name of a backup: `workspace-20260131T235959Z.db`, in UTC.
pub fn name(at: Timestamp) -> String {
    format!("{PREFIX}{}{SUFFIX}", time_text(at))
}

/// A time as part of a file name: `20260131T235959Z`, in UTC.
pub(crate) fn time_text(at: Timestamp) -> String {
    at.strftime(TIME).to_string()
}

/// Returns the time in the name of a backup; none for any other file.
pub fn time(file_name: &str) -> Option<Timestamp> {
    let text = file_name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    let time = jiff::civil::DateTime::strptime(TIME, text).ok()?;
    let time = time.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
    // Only the form that `name` writes.
    (name(time) == file_name).then_some(time)
}

/// Returns how long to wait for the next backup, if the newest has this time.
///
/// Never longer than `every`: the clock may be set back at any time.
pub fn wait(newest: Option<Timestamp>, every: Duration, now: Timestamp) -> Duration {
    let Some(newest) = newest else {
        return Duration::ZERO;
    };
    let age = Duration::try_from(now.duration_since(newest)).unwrap_or_default();
    every.saturating_sub(age)
}

/// Locks a folder for the backups of one service: two would delete each other's.
///
/// # Errors
/// When another service holds the lock, or the folder cannot be written.
pub(crate) fn lock(folder: &Path) -> Result<FolderLock, StoreError> {
    FolderLock::take_file(folder, LOCK_FILE)
}

/// Returns the names of the backups in a folder, oldest first. Those of the future are left out: they
/// were written while the clock was wrong, and must neither delay a backup nor take its place.
///
/// # Errors
/// When the folder cannot be read.
pub fn list(folder: &Path, now: Timestamp) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        if let Ok(name) = entry?.file_name().into_string() {
            names.push(name);
        }
    }
    names.retain(|name| time(name).is_some_and(|time| time <= now));
    // The form of the time makes text order time order.
    names.sort_unstable();
    Ok(names)
}

/// Deletes all but the newest `keep` backups of a folder, and what interrupted backups left.
///
/// # Errors
/// When the folder cannot be read, or a file cannot be deleted.
pub fn prune(folder: &Path, keep: usize, now: Timestamp) -> io::Result<()> {
    let names = list(folder, now)?;
    for name in names.iter().rev().skip(keep) {
        fs::remove_file(folder.join(name))?;
    }
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let is_partial = name
            .to_str()
            .is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(PARTIAL));
        if is_partial {
            fs::remove_file(folder.join(name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::Timestamp;

    use super::{list, lock, name, prune, time, wait};
    use crate::store::error::StoreError;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_name_has_the_time_in_utc() {
        let noon = at("2026-01-31T13:00:00+01:00");
        assert_eq!(name(noon), "workspace-20260131T120000Z.db");
        assert_eq!(time("workspace-20260131T120000Z.db"), Some(noon));
        for other in [
            "workspace.db",
            "workspace-20260131T120000Z.db-1.partial",
            "workspace-2026131T120000Z.db",
            "workspace-old.db",
            "workspace-20260131T120000Z.db.gz",
        ] {
            assert_eq!(time(other), None, "{other}");
        }
    }

    #[test]
    fn the_next_backup_is_due_after_the_newest() {
        let (now, day) = (at("2026-01-31T12:00:00Z"), Duration::from_secs(86_400));
        let hours = |hours: u64| Duration::from_secs(hours * 3600);
        assert_eq!(wait(None, day, now), hours(0));
        assert_eq!(wait(Some(at("2026-01-31T06:00:00Z")), day, now), hours(18));
        assert_eq!(wait(Some(at("2026-01-29T06:00:00Z")), day, now), hours(0));
        // The clock was set back.
        assert_eq!(wait(Some(at("2027-01-01T00:00:00Z")), day, now), day);
    }

    #[test]
    fn only_old_backups_are_deleted() {
        let dir = tempfile::tempdir().unwrap();
        let backups = [1, 2, 3, 4].map(|day| format!("workspace-2026010{day}T000000Z.db"));
        let others = ["workspace-mine.db", "notes.txt"];
        let partial = "workspace-20260105T000000Z.db-17.partial";
        for name in backups
            .iter()
            .map(String::as_str)
            .chain(others)
            .chain([partial])
        {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let now = at("2026-01-05T12:00:00Z");
        prune(dir.path(), 2, now).unwrap();
        assert_eq!(list(dir.path(), now).unwrap(), backups[2..]);
        assert!(!dir.path().join(partial).exists());
        assert!(others.iter().all(|name| dir.path().join(name).exists()));
    }

    #[test]
    fn backups_of_the_future_neither_count_nor_are_deleted() {
        let dir = tempfile::tempdir().unwrap();
        let now = at("2026-01-31T12:00:00Z");
        let (known, future) = (
            name(at("2026-01-31T06:00:00Z")),
            name(at("2027-01-01T00:00:00Z")),
        );
        for name in [&known, &future, &name(at("2026-01-30T06:00:00Z"))] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        prune(dir.path(), 1, now).unwrap();
        assert_eq!(list(dir.path(), now).unwrap(), [known]);
        assert!(dir.path().join(future).exists());
    }

    #[test]
    fn a_folder_of_backups_belongs_to_one_service() {
        let dir = tempfile::tempdir().unwrap();
        let first = lock(dir.path()).unwrap();
        assert!(matches!(lock(dir.path()), Err(StoreError::Locked { .. })));
        drop(first);
        lock(dir.path()).unwrap();
    }
}
