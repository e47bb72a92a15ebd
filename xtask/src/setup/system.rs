//! The machine: programs on the PATH, and package installation.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::progress;

/// Returns the path of a program, if it is on the PATH.
pub fn find(program: &str) -> Option<PathBuf> {
    let paths = env::var_os("PATH")?;
    env::split_paths(&paths)
        .map(|dir| dir.join(format!("{program}{}", env::consts::EXE_SUFFIX)))
        .find(|path| is_executable(path))
}

/// Returns the folder with cargo's package sources, of the first registry found.
pub fn registry_sources() -> Option<PathBuf> {
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".cargo")))?;
    let mut registries = home.join("registry/src").read_dir().ok()?.flatten();
    Some(registries.next()?.path().join(""))
}

/// Returns the trimmed standard output of a command. None if it is missing or fails.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Returns a command that runs as root: directly if this process is root, or with `sudo` if that needs no password.
/// None otherwise.
pub fn as_root(program: impl AsRef<OsStr>) -> Option<Command> {
    if is_root() {
        return Some(Command::new(program));
    }
    output(Command::new("sudo").args(["-n", "true"]))?;
    let mut command = Command::new("sudo");
    command.arg("-n").arg("--preserve-env=DEBIAN_FRONTEND");
    command.arg(program);
    Some(command)
}

pub fn is_root() -> bool {
    output(Command::new("id").arg("-u")).as_deref() == Some("0")
}

/// Installs Debian packages. If that fails, runs `apt-get update` and tries once more.
pub fn apt_install(label: &str, packages: &[&str]) -> Result<()> {
    let install = |suffix: &str| -> Result<Option<progress::Outcome>> {
        let Some(mut command) = apt() else {
            return Ok(None);
        };
        command.args(["install", "--yes", "--no-install-recommends"]);
        command.args(packages);
        progress::run(&format!("{label}{suffix}"), &mut command).map(Some)
    };
    let by_hand = format!("sudo apt-get install {}", packages.join(" "));
    let Some(first) = install("")? else {
        bail!(
            "no permission to install packages here. Install them, then try again:\n    {by_hand}"
        );
    };
    if first.ok {
        return Ok(());
    }
    if let Some(mut update) = apt() {
        progress::run("package lists", update.arg("update"))?;
    }
    if let Some(second) = install(", second try")? {
        second.or_fail(&format!(
            "Install the packages, then try again:\n    {by_hand}"
        ))?;
    }
    Ok(())
}

pub fn has_apt() -> bool {
    find("apt-get").is_some()
}

/// Returns whether apt has the package.
pub fn apt_knows(package: &str) -> bool {
    output(Command::new("apt-cache").args(["show", "--no-all-versions", package]))
        .is_some_and(|text| !text.is_empty())
}

fn apt() -> Option<Command> {
    has_apt().then_some(())?;
    let mut command = as_root("apt-get")?;
    command.env("DEBIAN_FRONTEND", "noninteractive");
    Some(command)
}

/// Returns `PATH` with the given folders first.
pub fn path_with(first: &[PathBuf]) -> OsString {
    let old = env::var_os("PATH").unwrap_or_default();
    let all = first.iter().cloned().chain(env::split_paths(&old));
    env::join_paths(all).unwrap_or(old)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
