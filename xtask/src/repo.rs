//! Paths and files: the checkout, the build output, the logs, the tool cache.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result};

/// Returns the root of the checkout.
///
/// Reads `CARGO_MANIFEST_DIR` at run time, so that a copied or moved checkout is found at its current place, not
/// where xtask was built.
pub fn root() -> PathBuf {
    env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .and_then(|manifest| manifest.parent().map(Path::to_path_buf))
        .unwrap_or_else(|| PathBuf::from("."))
}

/// Returns Cargo's output folder: `CARGO_TARGET_DIR`, or `target` if that is not set.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// Returns the folder for the logs of long steps.
pub fn logs() -> PathBuf {
    target().join("xtask").join("logs")
}

/// Returns the cache of tools built for this user, shared by all checkouts: `lead-workspace/tools` in
/// `$XDG_CACHE_HOME` or `~/.cache`.
pub fn tools() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|dir| dir.is_absolute())
        .or_else(|| env::home_dir().map(|home| home.join(".cache")))
        .unwrap_or_else(target);
    cache.join("lead-workspace").join("tools")
}

/// Returns the path relative to the root of the checkout, for messages.
pub fn relative(path: &Path) -> String {
    path.strip_prefix(root())
        .unwrap_or(path)
        .display()
        .to_string()
}

/// Returns every file below a folder with its path in that folder, sorted.
pub fn files_below(folder: &Path) -> Result<Vec<(PathBuf, PathBuf)>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        let entries =
            fs::read_dir(&next).with_context(|| format!("{} cannot be read", relative(&next)))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder)?.to_path_buf();
                files.push((path, name));
            }
        }
    }
    files.sort_by(|a, b| a.1.cmp(&b.1));
    Ok(files)
}

/// Copies files into a folder, each to its name there.
pub fn copy_all(files: &[(PathBuf, PathBuf)], folder: &Path) -> Result<()> {
    for (from, name) in files {
        let to = folder.join(name);
        fs::create_dir_all(to.parent().unwrap_or(folder))?;
        fs::copy(from, &to).with_context(|| format!("{} cannot be copied", relative(from)))?;
    }
    Ok(())
}

/// Makes a folder empty, and creates it if needed.
pub fn clear(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}
