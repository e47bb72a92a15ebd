//! Tests of the npm package: its content, and that it works in every supported environment.

use std::env;
use std::process::Command;

use anyhow::Result;

use super::count::{Count, of_node};
use super::files;
use crate::build::{self, Flavour};
use crate::setup::{self, npm};
use crate::{package, progress, repo, size};

/// The time limit for one test, in milliseconds. wasm-pack compiles everything if nothing is cached.
const TIMEOUT_MS: &str = "900000";

pub fn tests() -> Result<Count> {
    let tools = setup::wasm()?;
    let chromium = setup::chromium()?;
    let build_env = setup::build_env(&tools)?;
    // The service and the browser are started by the helpers of the end-to-end tests.
    setup::test_libraries("tests/e2e")?;
    let folder = setup::test_libraries("tests/package")?;
    let package = package::build(&tools)?;
    let ui = build::ui(&tools, Flavour::Release)?;
    let program = build::service(Flavour::Release)?;
    let here = env::current_dir()?;
    let mut node = Command::new(npm::node()?);
    node.current_dir(repo::root())
        .args(["--test", "--test-reporter=spec", "--test-concurrency=1"])
        .arg(format!("--test-timeout={}", TIMEOUT_MS))
        .args(files(&folder, ".test.mjs")?)
        .envs(build_env)
        .envs(size::mount_limits()?)
        // `LD_LIBRARY_PATH` names the active toolchain's libraries; wasm-pack's cargo may be of another toolchain.
        .env_remove("LD_LIBRARY_PATH")
        .env("LEAD_WORKSPACE_PACKAGE", here.join(package))
        .env("LEAD_WORKSPACE_PROGRAM", here.join(program))
        .env("LEAD_WORKSPACE_UI", here.join(ui))
        .env("WASM_PACK_TARGET_DIR", here.join(repo::wasm_target()))
        .env("CHROME", chromium.browser);
    let outcome = progress::run("package tests", &mut node)?;
    Ok(Count::of_tests(&outcome, of_node))
}
