//! The extension Citus, for the tests of the service on several servers. It is in no distribution of Debian.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use lead_workspace_test_postgres::citus;

use super::{debian, postgres, system};
use crate::{progress, repo};

/// Names the archive with the source.
const SOURCE: &str = "CITUS_SOURCE";

/// What compiles it, besides the files of PostgreSQL's own version.
const TOOLS: [&str; 11] = [
    "build-essential",
    "flex",
    "libkrb5-dev",
    "liblz4-dev",
    "libpam0g-dev",
    "libreadline-dev",
    "libselinux1-dev",
    "libssl-dev",
    "libxslt1-dev",
    "libzstd-dev",
    "xz-utils",
];

/// The header of Citus with a copy of a function that PostgreSQL has itself since its versions 15.16 to 17.8, as a
/// function with the same name.
const COMPATIBILITY: &str = "src/include/pg_version_compat.h";
const COPIED: &str = "static inline bool\nhave_createdb_privilege(void)";

/// Makes sure that the extension is installed for the newest PostgreSQL, and builds it if it is not.
pub fn ensure() -> Result<()> {
    let programs = postgres::ensure()?;
    if citus().is_some() {
        return Ok(());
    }
    let Some(archive) = env::var_os(SOURCE).map(PathBuf::from) else {
        bail!(
            "The extension Citus is missing. Install it for the PostgreSQL in {}, or set {SOURCE} to the archive with \
             its source (https://github.com/citusdata/citus/releases), then try again.",
            programs.display()
        );
    };
    if !archive.is_file() {
        bail!(
            "There is no file {}, which {SOURCE} names.",
            archive.display()
        );
    }
    build(&archive, &programs)?;
    citus()
        .map(drop)
        .context("Citus is still missing after its installation")
}

fn build(archive: &Path, programs: &Path) -> Result<()> {
    let config = programs.join("pg_config");
    let version = system::output(Command::new(&config).arg("--version")).unwrap_or_default();
    let version: String = version
        .trim_start_matches("PostgreSQL ")
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    let server = format!("postgresql-server-dev-{version}");
    debian::install("tools for Citus", &[&TOOLS[..], &[&server]].concat())?;
    let dir = repo::target().join("xtask/citus");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir)?;
    let mut unpack = Command::new("tar");
    unpack
        .args(["--extract", "--strip-components", "1", "--file"])
        .arg(archive)
        .arg("--directory")
        .arg(&dir);
    run("source of Citus", &mut unpack)?;
    remove_copy(&dir, &config)?;
    let mut configure = Command::new("./configure");
    configure
        .current_dir(&dir)
        .env("PG_CONFIG", &config)
        .arg("--without-libcurl");
    run("Citus, configure", &mut configure)?;
    let make = |target: &str| {
        let mut make = Command::new("make");
        make.current_dir(&dir)
            .args(["--silent", "--jobs", "2", target]);
        make
    };
    run("Citus", &mut make("extension"))?;
    let mut install = Command::new("sh");
    install.current_dir(&dir).args([
        "-c",
        "[ $(id -u) = 0 ] || sudo='sudo -n'; $sudo make --silent install-extension",
    ]);
    run("Citus, install", &mut install)
}

/// Removes Citus's copy of a function, if this PostgreSQL has the function.
fn remove_copy(dir: &Path, config: &Path) -> Result<()> {
    let headers = system::output(Command::new(config).arg("--includedir-server"));
    let header = PathBuf::from(headers.unwrap_or_default()).join("commands/dbcommands.h");
    let has_it = fs::read_to_string(header)?.contains("have_createdb_privilege");
    let file = dir.join(COMPATIBILITY);
    let text = fs::read_to_string(&file)?;
    let Some((before, after)) = text.split_once(COPIED).filter(|_| has_it) else {
        return Ok(());
    };
    // Its body ends with the first brace at the start of a line.
    let (_, after) = after
        .split_once("\n}\n")
        .context("the end of the copied function")?;
    Ok(fs::write(file, [before, after].concat())?)
}

fn run(label: &str, command: &mut Command) -> Result<()> {
    progress::run(label, command)?.or_fail("Citus could not be built. See the output above.")?;
    Ok(())
}
