//! The machine: programs on the PATH, and their output.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the path of a program, if it is on the PATH.
pub fn find(program: &str) -> Option<PathBuf> {
    let paths = env::var_os("PATH")?;
    env::split_paths(&paths)
        .map(|dir| dir.join(format!("{program}{}", env::consts::EXE_SUFFIX)))
        .find(|path| path.is_file())
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

/// Returns `PATH` with the given folders first.
pub fn path_with<'a>(first: impl Iterator<Item = &'a Path>) -> OsString {
    let old = env::var_os("PATH").unwrap_or_default();
    let all = first.map(Path::to_path_buf).chain(env::split_paths(&old));
    env::join_paths(all).unwrap_or(old)
}
