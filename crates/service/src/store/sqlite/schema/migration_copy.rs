//! The copy of a database that is made before its migration.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use crate::store::error::StoreError;
use crate::store::sqlite::copy::{copy_to, database_bytes};
use crate::store::sqlite::disk::{self, DATABASE_FILE};
use crate::store::sqlite::pragmas::pragma;

/// Copies a database of an earlier version to `workspace.db.v<N>` in the same folder, and then deletes the
/// copies of earlier migrations.
///
/// # Errors
/// When there is not enough space for the copy and the migration, or the copy cannot be written.
/// Nothing was migrated then.
pub(super) fn make(connection: &Connection, path: &Path, known: i64) -> Result<(), StoreError> {
    let found = pragma(connection, "user_version")?;
    if !(1..known).contains(&found) {
        return Ok(());
    }
    let Some(dir) = path.parent() else {
        return Ok(());
    };
    let bytes = database_bytes(connection)?;
    check_space(bytes, disk::free_bytes(dir).ok(), path)?;
    let name = format!("{DATABASE_FILE}.v{found}");
    copy_to(connection, &dir.join(&name))?;
    remove_others(dir, &name);
    Ok(())
}

/// A migration may rewrite every row, so it needs as much space as the copy.
fn check_space(bytes: u64, free: Option<u64>, path: &Path) -> Result<(), StoreError> {
    let needed = bytes.saturating_mul(2);
    match free {
        Some(free) if free < needed => Err(StoreError::Refused(format!(
            "{} has the schema of an earlier version, and its migration needs {} MB of free space, with a \
             copy of the data; there are {} MB. Nothing was changed. Free some space, or run the \
             version that wrote the folder",
            path.display(),
            needed.div_ceil(1 << 20),
            free >> 20
        ))),
        _ => Ok(()),
    }
}

fn remove_others(dir: &Path, keep: &str) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let version = name
            .to_str()
            .and_then(|name| name.strip_prefix(DATABASE_FILE)?.strip_prefix(".v"));
        let is_copy = version.is_some_and(|version| version.parse::<u32>().is_ok());
        if is_copy && name != keep {
            // A copy too many does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{check_space, remove_others};

    #[test]
    fn a_migration_without_space_for_it_is_refused() {
        let path = Path::new("data/workspace.db");
        assert!(check_space(100 << 20, Some(200 << 20), path).is_ok());
        assert!(check_space(100 << 20, None, path).is_ok());
        let error = check_space(100 << 20, Some(150 << 20), path).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("needs 200 MB") && text.contains("150 MB"),
            "{text}"
        );
        assert!(text.contains("Nothing was changed"), "{text}");
    }

    #[test]
    fn only_copies_of_earlier_migrations_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let names = [
            "workspace.db",
            "workspace.db.v1",
            "workspace.db.v2",
            "workspace.db.vacation",
        ];
        for name in names {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        remove_others(dir.path(), "workspace.db.v2");
        for name in names {
            assert_eq!(
                dir.path().join(name).exists(),
                name != "workspace.db.v1",
                "{name}"
            );
        }
    }
}
