//! `lead-workspace backup` and `restore`.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use clap::Args;

use super::output::print_line;
use super::service_files::{START_KEY_FILE, START_KEY_NAME};
use super::{DataArgs, message};
use crate::store::backup;
use crate::store::backup::restore::restore;

/// Write a backup of a data folder to a file. Works while the service is running.
///
/// The backup is one file with all workspaces, keys (their hashes only) and the audit log. The start
/// key is not in it. It has the state of one moment, and gets its name only when it is complete.
#[derive(Args)]
pub(super) struct BackupArgs {
    /// The file to write.
    file: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    /// Replace the file if it exists.
    #[arg(long)]
    overwrite: bool,
}

/// Replace the data of a folder with that of a backup. The service must not be running.
///
/// The backup is checked completely before anything is changed. The data that was in the folder is
/// kept there under a name that is printed. Start keys are revoked: the next start creates a new
/// one. A backup of an earlier version is migrated at the next start.
#[derive(Args)]
pub(super) struct RestoreArgs {
    /// The backup.
    file: PathBuf,
    #[command(flatten)]
    data: DataArgs,
}

impl BackupArgs {
    pub(super) fn run(self) -> Result<(), String> {
        let bytes = backup::write(&self.data.data, &self.file, self.overwrite).map_err(message)?;
        print_line!(
            "The backup of {} is in {} ({} kB).",
            self.data.data.display(),
            self.file.display(),
            bytes.div_ceil(1000)
        );
        Ok(())
    }
}

impl RestoreArgs {
    pub(super) fn run(self) -> Result<(), String> {
        let (file, dir) = (&self.file, &self.data.data);
        let restored = restore(file, dir, START_KEY_NAME).map_err(message)?;
        let start_key = dir.join(START_KEY_FILE);
        let removed = fs::remove_file(&start_key);
        print_line!(
            "{} has the data of {} (schema {}).",
            dir.display(),
            file.display(),
            restored.version
        );
        if let Some(before) = &restored.before {
            print_line!(
                "The data that was there before is kept as {}.",
                before.display()
            );
        }
        match removed {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(format!(
                "the data is restored, but {} could not be deleted: {error}. Its key is no longer valid; \
                 the next start replaces it",
                start_key.display()
            )),
            _ => {
                print_line!("The next start of the service creates a new start key.");
                Ok(())
            }
        }
    }
}
