//! Files that describe a running service: the start key, the start page and `service.json`.

use std::cell::OnceCell;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::store::disk;
use crate::store::keys::{self, Access};
use crate::store::{DEFAULT_TENANT_ID, Db, Store, StoreError};

/// The database has only the hash of the start key, so its text is stored here, readable by the owner only.
pub use crate::store::START_KEY_FILE;

/// Name reserved for start keys. Other keys must not use it: the start keys of earlier runs are
/// found by this name and revoked.
pub(super) const START_KEY_NAME: &str = "start";

/// Page that redirects a browser to the UI with the start key. The browser is given the path of
/// this page: a URL with the key would be visible to every user in the list of process arguments.
const START_PAGE_FILE: &str = "start.html";

/// File with the address and the process id of the running service.
pub const SERVICE_FILE: &str = "service.json";

/// Contents of `service.json`, which exists while the service runs on a data folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ServiceInfo {
    /// Base URL, e.g. `http://127.0.0.1:8787`.
    pub url: String,
    pub pid: u32,
    /// URL of the metrics, if they are served.
    pub metrics: Option<String>,
}

/// Returns the start key of a data folder: the stored one if it is still valid, otherwise a new one. Revokes all
/// other start keys.
pub(super) async fn start_key(store: &Store, dir: &Path) -> Result<String, StoreError> {
    let path = dir.join(START_KEY_FILE);
    if let Ok(stored) = fs::read_to_string(&path) {
        let stored = stored.trim().to_owned();
        let key = stored.clone();
        let access = store
            .read(move |db| keys::check(db, &key, Some(DEFAULT_TENANT_ID)))
            .await?;
        if matches!(access, Access::Granted(_)) {
            // The file may come from a copy of the folder, with wider permissions.
            let restricted = fs::File::open(&path).and_then(|file| restrict(&file));
            restricted.map_err(|source| {
                StoreError::io(
                    format!("restricting the permissions of {}", path.display()),
                    source,
                )
            })?;
            let key_id = keys::key_id(&stored).map(str::to_owned);
            store
                .write(move |db| keys::revoke_named(db, START_KEY_NAME, key_id.as_deref()))
                .await?;
            return Ok(stored);
        }
    }
    let created = store
        .write(move |db| {
            keys::revoke_named(db, START_KEY_NAME, None)?;
            keys::create(db, START_KEY_NAME, &[DEFAULT_TENANT_ID])
        })
        .await?;
    write_private(&path, &created.text)?;
    // It is reported next, and the database has only its hash.
    disk::sync(&path)
        .and_then(|_| disk::sync_name(&path))
        .map_err(|source| StoreError::io(format!("writing {}", path.display()), source))?;
    Ok(created.text)
}

/// Makes a start key that is stored nowhere, for a process on a shared database, which revokes it when it stops.
pub(super) async fn new_start_key(store: &Store) -> Result<String, StoreError> {
    let create = |db: Db<'_>| keys::create(db, START_KEY_NAME, &[DEFAULT_TENANT_ID]);
    Ok(store.write(create).await?.text)
}

pub(super) async fn revoke_start_key(store: &Store, key: &str) -> Result<(), StoreError> {
    let key_id = keys::key_id(key).unwrap_or_default().to_owned();
    let revoke = move |db: Db<'_>| keys::revoke(db, &key_id);
    store.write(revoke).await.map(drop)
}

/// Revokes all start keys and removes the file.
pub(super) async fn remove_start_key(store: &Store) -> Result<(), StoreError> {
    store
        .write(|db| keys::revoke_named(db, START_KEY_NAME, None))
        .await?;
    let Some(dir) = store.dir() else {
        return Ok(());
    };
    let path = dir.join(START_KEY_FILE);
    match fs::remove_file(&path) {
        Err(source) if source.kind() != ErrorKind::NotFound => Err(StoreError::io(
            format!("removing {}", path.display()),
            source,
        )),
        _ => Ok(()),
    }
}

/// Files of the running service, removed on drop.
pub(super) struct ServiceFiles {
    dir: Folder,
}

enum Folder {
    Data(PathBuf),
    /// On a shared database. It is made for the start page.
    Temporary(OnceCell<TempDir>),
}

impl ServiceFiles {
    pub(super) fn make(
        dir: Option<&Path>,
        url: &str,
        metrics: Option<&str>,
    ) -> Result<Self, StoreError> {
        let Some(dir) = dir else {
            let dir = Folder::Temporary(OnceCell::new());
            return Ok(Self { dir });
        };
        let info = ServiceInfo {
            url: url.to_owned(),
            pid: std::process::id(),
            metrics: metrics.map(str::to_owned),
        };
        let text = serde_json::to_string(&info)
            .map_err(|error| StoreError::Unexpected(error.to_string()))?;
        write_private(&dir.join(SERVICE_FILE), &text)?;
        let dir = Folder::Data(dir.to_owned());
        Ok(Self { dir })
    }

    /// Writes the page that redirects a browser to an address, and returns its absolute path.
    pub(super) fn start_page(&self, address: &str) -> Result<PathBuf, StoreError> {
        // No HTML escaping needed: neither a socket address nor one of our keys contains a special
        // character.
        let page = format!(
            "<!doctype html><meta charset=\"utf-8\"><title>lead-workspace</title>\
             <meta http-equiv=\"refresh\" content=\"0; url={address}\">\
             <a href=\"{address}\">Open the workspace</a>"
        );
        let dir = match &self.dir {
            Folder::Data(dir) => dir,
            Folder::Temporary(made) => {
                let dir = tempfile::tempdir()
                    .map_err(|source| StoreError::io("creating a temporary folder", source))?;
                made.get_or_init(|| dir).path()
            }
        };
        let path = dir.join(START_PAGE_FILE);
        write_private(&path, &page)?;
        fs::canonicalize(&path)
            .map_err(|source| StoreError::io(format!("resolving {}", path.display()), source))
    }
}

impl Drop for ServiceFiles {
    fn drop(&mut self) {
        if let Folder::Data(dir) = &self.dir {
            // Files left behind do no harm: the lock is free then, and the page is as private as the
            // file of the start key.
            let _ = fs::remove_file(dir.join(SERVICE_FILE));
            let _ = fs::remove_file(dir.join(START_PAGE_FILE));
        }
    }
}

fn write_private(path: &Path, text: &str) -> Result<(), StoreError> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path).and_then(|mut file| {
        restrict(&file)?;
        writeln!(file, "{text}")
    });
    written.map_err(|source| StoreError::io(format!("writing {}", path.display()), source))
}

/// Restricts a file to its owner, including an existing file with wider permissions.
#[cfg(unix)]
fn restrict(file: &fs::File) -> std::io::Result<()> {
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))
}

#[cfg(not(unix))]
fn restrict(_: &fs::File) -> std::io::Result<()> {
    Ok(())
}
