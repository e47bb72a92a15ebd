//! Where PostgreSQL is installed.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest version that is supported.
const OLDEST: u32 = 15;

/// Where Debian keeps each version.
const DEBIAN: &str = "/usr/lib/postgresql";

/// What the tests use.
const PROGRAMS: [&str; 6] = [
    "initdb",
    "postgres",
    "pg_isready",
    "createdb",
    "dropdb",
    "psql",
];

/// What to tell if [`programs`] finds nothing.
pub const MISSING: &str = "PostgreSQL 15 or newer is missing. Install it, then try again:\n    \
    sudo apt-get install postgresql\n    \
    or have the programs of another installation on the PATH";

/// Returns the folder with the programs of the newest PostgreSQL, if there is one that is new enough.
pub fn programs() -> Option<PathBuf> {
    let installed = Path::new(DEBIAN).read_dir().into_iter().flatten().flatten();
    let installed = installed.map(|version| version.path().join("bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    let versions = installed
        .chain(env::split_paths(&path))
        .filter_map(|dir| Some((version(&dir)?, dir)))
        .filter(|(version, _)| *version >= OLDEST);
    versions.max().map(|(_, dir)| dir)
}

/// The major version of the programs in a folder.
fn version(dir: &Path) -> Option<u32> {
    if !PROGRAMS.iter().all(|program| dir.join(program).is_file()) {
        return None;
    }
    let initdb = dir.join("initdb");
    let output = Command::new(initdb).arg("--version").output().ok()?;
    major(&String::from_utf8(output.stdout).ok()?)
}

/// Reads a text such as "initdb (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)".
fn major(text: &str) -> Option<u32> {
    let (_, version) = text.split_once("(PostgreSQL) ")?;
    let digits = version.split(|char: char| !char.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn the_major_version_is_read_from_what_initdb_prints() {
        let debian = "initdb (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n";
        assert_eq!(major(debian), Some(15));
        assert_eq!(major("initdb (PostgreSQL) 19beta1\n"), Some(19));
        assert_eq!(major("initdb: command not found"), None);
    }
}
