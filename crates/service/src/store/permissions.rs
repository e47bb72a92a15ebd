//! Permissions of a data folder: it holds keys and personal data.

use std::path::Path;

/// File with the key that the service opens its own UI with. A service that has started on a folder has written it.
pub const START_KEY_FILE: &str = "start-key";

/// Removes other users' access to the files of a data folder, and to the folder if it contains
/// nothing else.
///
/// Permissions may have become wider, e.g. when a backup was copied back. If they cannot be
/// changed, a warning is logged and the folder stays usable.
pub(super) fn restrict_to_owner(dir: &Path) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    let mut only_ours = true;
    for entry in entries.flatten() {
        if entry.file_name().to_str().is_some_and(is_ours) {
            remove_other_access(&entry.path());
        } else {
            only_ours = false;
        }
    }
    if only_ours {
        remove_other_access(dir);
    }
}

pub(super) fn is_ours(name: &str) -> bool {
    name.starts_with(crate::store::sqlite::disk::DATABASE_FILE)
        || name.starts_with(crate::store::index_host::SAVED_FILE)
        || matches!(name, "lock" | START_KEY_FILE | "service.json")
}

/// Makes the files of a data folder readable and writable for their owner.
#[cfg(unix)]
pub(super) fn give_owner_access(dir: &Path) {
    use std::os::unix::fs::PermissionsExt;

    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let known = std::fs::symlink_metadata(&path);
        let is_file = known.as_ref().is_ok_and(std::fs::Metadata::is_file);
        if let (true, Ok(known)) = (
            is_file && entry.file_name().to_str().is_some_and(is_ours),
            known,
        ) {
            let mut permissions = known.permissions();
            permissions.set_mode(permissions.mode() | 0o600);
            // What is still closed is found by the next examination.
            let _ = std::fs::set_permissions(&path, permissions);
        }
    }
}

#[cfg(not(unix))]
pub(super) fn give_owner_access(_: &Path) {}

#[cfg(unix)]
fn remove_other_access(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    const OTHERS: u32 = 0o077;

    // A symbolic link points outside the folder, so it is left alone.
    let Ok(known) = std::fs::symlink_metadata(path) else {
        return;
    };
    let mut permissions = known.permissions();
    if known.is_symlink() || permissions.mode() & OTHERS == 0 {
        return;
    }
    permissions.set_mode(permissions.mode() & !OTHERS);
    if let Err(error) = std::fs::set_permissions(path, permissions) {
        tracing::warn!(
            %error,
            "other users of this machine can read {}, and its permissions could not be changed",
            path.display()
        );
    }
}

/// On other systems a folder inherits the permissions of its parent.
#[cfg(not(unix))]
fn remove_other_access(_: &Path) {}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use crate::store::handle::Store;
    use crate::store::sqlite::disk::DATABASE_FILE;

    fn mode(path: &Path) -> u32 {
        let permissions = std::fs::metadata(path).unwrap().permissions();
        permissions.mode() & 0o777
    }

    fn open_wide(path: &Path, mode: u32) {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_restored_folder_is_closed_to_others() {
        let dir = tempfile::tempdir().unwrap();
        drop(Store::open(dir.path()).unwrap());
        let database = dir.path().join(DATABASE_FILE);
        open_wide(&database, 0o664);
        open_wide(dir.path(), 0o755);
        drop(Store::open(dir.path()).unwrap());
        assert_eq!(mode(&database), 0o600);
        assert_eq!(mode(dir.path()), 0o700);
    }

    #[test]
    fn a_folder_with_other_files_keeps_its_permissions() {
        let dir = tempfile::tempdir().unwrap();
        let other = dir.path().join("other.txt");
        std::fs::write(&other, "").unwrap();
        open_wide(&other, 0o644);
        open_wide(dir.path(), 0o755);
        drop(Store::open(dir.path()).unwrap());
        assert_eq!(mode(&other), 0o644);
        assert_eq!(mode(dir.path()), 0o755);
        assert_eq!(mode(&dir.path().join(DATABASE_FILE)), 0o600);
    }
}
