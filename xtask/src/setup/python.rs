//! Programs from PyPI, each set pinned by a file of `xtask/python` and installed into a folder of its own.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::system;
use crate::{progress, repo};

/// Returns a command that runs a module of a set, e.g. `schemathesis.cli` of `schemathesis`.
pub fn module(set: &str, module: &str) -> Result<Command> {
    let mut python = with_packages(&[&ensure(set)?])?;
    python.args(["-m", module]);
    Ok(python)
}

/// Returns a command that runs a script of this repository, which imports packages of a set and of a folder.
pub fn script(set: &str, script: &Path, packages: &Path) -> Result<Command> {
    let mut python = with_packages(&[&ensure(set)?, packages])?;
    python.arg(script);
    Ok(python)
}

/// Python with the packages of these folders, and without those of the user.
fn with_packages(folders: &[&Path]) -> Result<Command> {
    let mut python = python()?;
    python
        .arg("-s")
        .env("PYTHONPATH", env::join_paths(folders)?)
        .current_dir(repo::root());
    Ok(python)
}

/// Returns a command that runs a program of a set.
pub fn program(set: &str, name: &str) -> Result<Command> {
    let mut program = Command::new(ensure(set)?.join("bin").join(name));
    program.current_dir(repo::root());
    Ok(program)
}

fn python() -> Result<Command> {
    let python = system::find("python3").with_context(
        || "Python 3 is missing. Install it with pip, then try again:\n    sudo apt-get install python3 python3-pip",
    )?;
    Ok(Command::new(python))
}

/// Installs the packages of a set if its file changed since the last installation. A folder needs no virtual
/// environment, which Debian puts into a package of its own.
pub fn ensure(set: &str) -> Result<PathBuf> {
    let file = repo::root().join(format!("xtask/python/{set}.txt"));
    let wanted =
        fs::read(&file).with_context(|| format!("{} is missing", repo::relative(&file)))?;
    let folder = repo::tools().join(format!("python-{set}"));
    let stamp = folder.join(".installed.txt");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(folder);
    }
    repo::clear(&folder)?;
    let mut pip = python()?;
    pip.args([
        "-m",
        "pip",
        "install",
        "--no-input",
        "--disable-pip-version-check",
    ])
    .args(["--target".as_ref(), folder.as_os_str()])
    .args(["--requirement".as_ref(), file.as_os_str()]);
    progress::run(&format!("Python packages, {set}"), &mut pip)?.or_fail(&format!(
        "Check that pip is installed (sudo apt-get install python3-pip) and that PyPI can be reached, then try again:\n    \
         python3 -m pip install --target DIR --requirement {}",
        repo::relative(&file)
    ))?;
    fs::write(&stamp, &wanted)?;
    Ok(folder)
}
