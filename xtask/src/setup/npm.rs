//! Tools and test libraries from npm, each set pinned by a lock file.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::system;
use crate::{progress, repo};

const NODE_MAJOR: u32 = 20;

/// Returns a command that runs Node, in the root of the checkout. Fails if Node is missing or too old.
pub fn node_command() -> Result<Command> {
    let version = system::output(Command::new("node").arg("--version"));
    version
        .and_then(|version| version.strip_prefix('v')?.split('.').next()?.parse().ok())
        .filter(|major: &u32| *major >= NODE_MAJOR)
        .with_context(|| {
            format!(
                "Node {NODE_MAJOR} or newer is missing. Install it, then try again:\n    \
                 sudo apt-get install nodejs npm        or from https://nodejs.org"
            )
        })?;
    let mut node = Command::new("node");
    node.current_dir(repo::root());
    Ok(node)
}

/// Returns a command that runs a program of the build tools, by its path in `node_modules`.
pub fn tool(program: &str) -> Result<Command> {
    script(&format!("node_modules/{program}"))
}

/// Returns a command that runs a script of `xtask/npm`.
pub fn script(name: &str) -> Result<Command> {
    let mut command = node_command()?;
    command.arg(super::npm_tools()?.join(name));
    Ok(command)
}

/// Installs the packages of a folder if its lock file changed since the last installation.
pub fn ensure(label: &str, folder: &str) -> Result<PathBuf> {
    let folder = repo::root().join(folder);
    let lock = fs::read(folder.join("package-lock.json"))
        .with_context(|| format!("{}/package-lock.json is missing", repo::relative(&folder)))?;
    let stamp = folder.join("node_modules").join(".installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(folder);
    }
    node_command()?;
    let mut npm = Command::new("npm");
    // No install scripts: none of these packages needs one.
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(&folder);
    progress::run(label, &mut npm)?.or_fail(&format!(
        "Check the connection to the npm registry, then try again:\n    npm ci --prefix {}",
        repo::relative(&folder)
    ))?;
    fs::write(&stamp, &lock)?;
    Ok(folder)
}
