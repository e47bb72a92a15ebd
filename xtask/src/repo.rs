//! Where things are: the checkout, the build output, the logs, the tool cache.

use std::env;
use std::path::{Path, PathBuf};

/// The root of the checkout. Cargo says where xtask's manifest is; a copied or
/// moved checkout is therefore found where it is now, not where it was built.
pub fn root() -> PathBuf {
    env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .and_then(|manifest| manifest.parent().map(Path::to_path_buf))
        .unwrap_or_else(|| PathBuf::from("."))
}

/// Cargo's output folder: `target`, or what `CARGO_TARGET_DIR` says.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The output folder of Wasm builds. Apart from the native one, so that an
/// editor or a native build never holds the lock a Wasm build waits for.
pub fn wasm_target() -> PathBuf {
    target().join("wasm")
}

/// Where the output of every long step is kept.
pub fn logs() -> PathBuf {
    target().join("xtask").join("logs")
}

/// The cache of tools built for this user, shared by all checkouts:
/// `$XDG_CACHE_HOME` or `~/.cache`, then `lead-workspace/tools`.
pub fn tools() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|dir| dir.is_absolute())
        .or_else(|| env::home_dir().map(|home| home.join(".cache")))
        .unwrap_or_else(target);
    cache.join("lead-workspace").join("tools")
}

/// The path as a person in the checkout would type it.
pub fn relative(path: &Path) -> String {
    path.strip_prefix(root())
        .unwrap_or(path)
        .display()
        .to_string()
}
