//! What tells others that the service runs: the start key, and the file `service.json`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::store::keys::{self, Access};
use crate::store::{DEFAULT_TENANT_ID, Store, StoreError};

/// Holds the key that the service opens its own UI with. Only its hash is in the database, so its
/// text is kept here, readable by the owner alone.
pub const START_KEY_FILE: &str = "start-key";

/// Tells where a running service is.
pub const SERVICE_FILE: &str = "service.json";

/// Where the service of a data folder is, while it runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Running {
    /// Its address, e.g. `http://127.0.0.1:8787`.
    pub url: String,
    /// Its process.
    pub pid: u32,
}

/// The start key: the one of last time while it is valid, else a new one.
pub(super) async fn start_key(store: &Store) -> Result<String, StoreError> {
    let path = store.dir().join(START_KEY_FILE);
    if let Ok(kept) = fs::read_to_string(&path) {
        let kept = kept.trim().to_owned();
        let key = kept.clone();
        let access = store
            .read(move |connection| keys::check(connection, &key, Some(DEFAULT_TENANT_ID)))
            .await?;
        if matches!(access, Access::Granted(_)) {
            // It may have come from a copy of the folder, with wider rights.
            let closed = fs::File::open(&path).and_then(|file| close(&file));
            closed
                .map_err(|source| StoreError::io(format!("closing {}", path.display()), source))?;
            return Ok(kept);
        }
    }
    let made = store
        .write(|connection| keys::create(connection, "start", &[DEFAULT_TENANT_ID]))
        .await?;
    write_private(&path, &made.text)?;
    Ok(made.text)
}

/// Announces the running service until it is dropped.
pub(super) struct Announcement(PathBuf);

impl Announcement {
    pub(super) fn make(dir: &Path, url: &str) -> Result<Self, StoreError> {
        let path = dir.join(SERVICE_FILE);
        let running = Running {
            url: url.to_owned(),
            pid: std::process::id(),
        };
        let text = serde_json::to_string(&running)
            .map_err(|error| StoreError::Unexpected(error.to_string()))?;
        write_private(&path, &text)?;
        Ok(Self(path))
    }
}

impl Drop for Announcement {
    fn drop(&mut self) {
        // Left behind it does no harm: whoever reads it finds the lock free.
        let _ = fs::remove_file(&self.0);
    }
}

fn write_private(path: &Path, text: &str) -> Result<(), StoreError> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path).and_then(|mut file| {
        close(&file)?;
        writeln!(file, "{text}")
    });
    written.map_err(|source| StoreError::io(format!("writing {}", path.display()), source))
}

/// Leaves a file to its owner alone, also one that was there before with wider rights.
#[cfg(unix)]
fn close(file: &fs::File) -> std::io::Result<()> {
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))
}

#[cfg(not(unix))]
fn close(_: &fs::File) -> std::io::Result<()> {
    Ok(())
}
