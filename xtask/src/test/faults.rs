//! Tests of the client in Chromium and in Node, against a server that misbehaves.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::count::{Count, of_node};
use super::files;
use crate::setup::{self, npm};
use crate::{package, progress, repo};

/// The time limit for one file, in milliseconds. Node applies it to all tests of a file together as well.
const TIMEOUT_MS: &str = "600000";

pub fn tests() -> Result<Count> {
    let tools = setup::wasm()?;
    let chromium = setup::chromium()?;
    // The browser is started by the helpers of the end-to-end tests.
    setup::test_libraries("tests/e2e")?;
    let package = package::build(&tools)?;
    let mut node = Command::new(npm::node()?);
    node.current_dir(repo::root())
        // One file at a time: the client's short timeouts would fail if tests competed for the cores.
        .args(["--test", "--test-reporter=spec", "--test-concurrency=1"])
        .arg(format!("--test-timeout={TIMEOUT_MS}"))
        .args(files(Path::new("tests/faults"), ".test.mjs")?)
        .env("LEAD_WORKSPACE_PACKAGE", env::current_dir()?.join(package))
        .env("CHROME", chromium.browser);
    let outcome = progress::run("faults", &mut node)?;
    Ok(Count::of_tests(&outcome, of_node))
}
