//! Tools and test libraries from npm, each set pinned by a lock file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::system;
use crate::{progress, repo};

const NODE_MAJOR: u32 = 20;

/// Returns the Node program, or an error if it is missing or too old.
pub fn node() -> Result<PathBuf> {
    let found = system::find("node").filter(|node| {
        let version = system::output(Command::new(node).arg("--version"));
        major(&version.unwrap_or_default()).is_some_and(|major| major >= NODE_MAJOR)
    });
    found.with_context(|| {
        format!(
            "Node {NODE_MAJOR} or newer is missing. Install it, then try again:\n    \
             sudo apt-get install nodejs npm        or from https://nodejs.org"
        )
    })
}

/// Installs the packages of a folder if its lock file changed since the last installation.
pub fn ensure(label: &str, folder: &str) -> Result<PathBuf> {
    node()?;
    let folder = repo::root().join(folder);
    let lock = fs::read(folder.join("package-lock.json"))
        .with_context(|| format!("{}/package-lock.json is missing", repo::relative(&folder)))?;
    let stamp = folder.join("node_modules").join(".installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(folder);
    }
    install(label, &folder)?;
    fs::write(&stamp, &lock)?;
    Ok(folder)
}

fn install(label: &str, folder: &Path) -> Result<()> {
    let Some(npm) = system::find("npm") else {
        bail!("npm is missing. Install it, then try again:\n    sudo apt-get install npm");
    };
    let mut command = Command::new(npm);
    // No install scripts: none of these packages needs one.
    command
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(folder);
    progress::run(label, &mut command)?.or_fail(&format!(
        "Check the connection to the npm registry, then try again:\n    npm ci --prefix {}",
        repo::relative(folder)
    ))?;
    Ok(())
}

/// Returns the major version of `v20.11.1`.
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn the_major_node_version_is_read() {
        assert_eq!(major("v20.11.1"), Some(20));
        assert_eq!(major("v8.0.0"), Some(8));
        assert_eq!(major(""), None);
        assert_eq!(major("node"), None);
    }
}
