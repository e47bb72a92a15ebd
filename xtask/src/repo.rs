//! Paths: the checkout, the build output, the logs, the tool cache.

use std::env;
use std::path::{Path, PathBuf};

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

/// Returns the output folder of Wasm builds. It is separate from the native one, so that a Wasm build does not wait
/// for a lock that an editor or a native build holds.
pub fn wasm_target() -> PathBuf {
    target().join("wasm")
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
