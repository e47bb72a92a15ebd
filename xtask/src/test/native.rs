//! Checks that run natively, without a browser or the Wasm toolchain.

use std::process::Command;

use anyhow::Result;

use super::count::{Count, of_cargo};
use crate::{progress, repo};

pub fn fmt() -> Result<Count> {
    check("fmt", cargo().args(["fmt", "--all", "--check"]))
}

pub fn clippy() -> Result<Count> {
    check(
        "clippy, native",
        cargo()
            .args(["clippy", "--locked", "--workspace", "--all-targets"])
            .args(["--", "--deny", "warnings"]),
    )
}

pub fn tests() -> Result<Count> {
    let mut tests = cargo();
    tests.args(["test", "--locked", "--workspace", "--no-fail-fast"]);
    let outcome = progress::run("native tests", &mut tests)?;
    Ok(Count::of_tests(&outcome, of_cargo))
}

pub fn docs() -> Result<Count> {
    check(
        "docs",
        cargo()
            .args(["doc", "--locked", "--workspace", "--no-deps"])
            .env("RUSTDOCFLAGS", "--deny warnings"),
    )
}

/// Runs a command that counts as a single check.
pub fn check(label: &str, command: &mut Command) -> Result<Count> {
    Ok(Count::of_check(&progress::run(label, command)?))
}

fn cargo() -> Command {
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(repo::root())
        .env("CARGO_TARGET_DIR", repo::target());
    cargo
}
