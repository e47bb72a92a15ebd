//! The service and the UI together, driven through Chromium.

use std::env;
use std::process::Command;

use anyhow::Result;

use super::count::{Count, of_node};
use super::files;
use crate::build::{self, Flavour};
use crate::setup::{self, npm};
use crate::{progress, repo};

/// The longest one file of tests may take, in milliseconds; each wait in it has a limit of its own.
const TIMEOUT_MS: &str = "480000";

pub fn tests() -> Result<Count> {
    let tools = setup::wasm()?;
    let chromium = setup::chromium()?;
    let folder = setup::test_libraries("tests/e2e")?;
    let ui = build::ui(&tools, Flavour::Release)?;
    let program = build::service(Flavour::Release)?;
    let mut node = Command::new(npm::node()?);
    node.current_dir(repo::root())
        // One browser at a time: two would compete for the cores and for the clock.
        .args(["--test", "--test-reporter=spec", "--test-concurrency=1"])
        .arg(format!("--test-timeout={TIMEOUT_MS}"))
        .args(files(&folder, ".test.mjs")?)
        .env("LEAD_WORKSPACE_PROGRAM", env::current_dir()?.join(program))
        .env("LEAD_WORKSPACE_UI", env::current_dir()?.join(ui))
        .env("CHROME", chromium.browser);
    let outcome = progress::run("end-to-end tests", &mut node)?;
    Ok(Count::of_tests(&outcome, of_node))
}
