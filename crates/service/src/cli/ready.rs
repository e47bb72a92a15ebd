//! What tells others that the service runs: the start key, and the file `service.json`.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::store::keys::{self, Access};
use crate::store::{DEFAULT_TENANT_ID, Store, StoreError};

/// Holds the key that the service opens its own UI with. Only its hash is in the database, so its
/// text is kept here, readable by the owner alone.
pub const START_KEY_FILE: &str = "start-key";

/// The name of start keys among all keys. No other key may have it: those of earlier starts are
/// found by it, and revoked.
pub(super) const START_KEY_NAME: &str = "start";

/// The page that leads a browser to the UI with the start key. A browser is handed its path: an
/// address with the key would stand among the arguments of a process, which every user may read.
const START_PAGE_FILE: &str = "start.html";

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

/// The start key: the one of last time while it is valid, else a new one. All others of its kind
/// are revoked.
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
            let key_id = keys::key_id(&kept).map(str::to_owned);
            store
                .write(move |connection| {
                    keys::revoke_named(connection, START_KEY_NAME, key_id.as_deref())
                })
                .await?;
            return Ok(kept);
        }
    }
    let made = store
        .write(|connection| {
            keys::revoke_named(connection, START_KEY_NAME, None)?;
            keys::create(connection, START_KEY_NAME, &[DEFAULT_TENANT_ID])
        })
        .await?;
    write_private(&path, &made.text)?;
    Ok(made.text)
}

/// Leaves no start key that opens anything.
pub(super) async fn no_start_key(store: &Store) -> Result<(), StoreError> {
    store
        .write(|connection| keys::revoke_named(connection, START_KEY_NAME, None))
        .await?;
    let path = store.dir().join(START_KEY_FILE);
    match fs::remove_file(&path) {
        Err(source) if source.kind() != ErrorKind::NotFound => Err(StoreError::io(
            format!("removing {}", path.display()),
            source,
        )),
        _ => Ok(()),
    }
}

/// Announces the running service until it is dropped.
pub(super) struct Announcement {
    service: PathBuf,
    start_page: PathBuf,
}

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
        Ok(Self {
            service: path,
            start_page: dir.join(START_PAGE_FILE),
        })
    }

    /// Writes the page that leads a browser to an address.
    pub(super) fn start_page(&self, address: &str) -> Result<PathBuf, StoreError> {
        // No address has a character in it that means something to HTML: neither the host and port
        // of a socket nor a key of ours.
        let page = format!(
            "<!doctype html><meta charset=\"utf-8\"><title>lead-workspace</title>\
             <meta http-equiv=\"refresh\" content=\"0; url={address}\">\
             <a href=\"{address}\">Open the workspace</a>"
        );
        write_private(&self.start_page, &page)?;
        let path = &self.start_page;
        fs::canonicalize(path)
            .map_err(|source| StoreError::io(format!("finding {}", path.display()), source))
    }
}

impl Drop for Announcement {
    fn drop(&mut self) {
        // Left behind they do no harm: the lock is free then, and the page is as private as the
        // file of the start key.
        let _ = fs::remove_file(&self.service);
        let _ = fs::remove_file(&self.start_page);
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
