//! Checks of what runs in the browser.

use anyhow::Result;

use super::count::{Count, of_cargo};
use super::native::check;
use crate::setup::{self, TARGET};
use crate::{progress, size};

/// The longest a headless test may take, in seconds; the runner's own 20 are
/// short for a loaded machine.
const TIMEOUT: &str = "180";

pub fn clippy() -> Result<Count> {
    let tools = setup::wasm()?;
    let mut count = Count::default();
    // Dependents may take the client alone, so that must compile by itself.
    for (label, features) in [
        (
            "clippy, wasm32",
            &["--test", "web", "--features", "embed"][..],
        ),
        (
            "clippy, wasm32, split",
            &["--no-default-features", "--features", "split"],
        ),
        (
            "clippy, wasm32, client only",
            &["--no-default-features", "--features", "js"],
        ),
    ] {
        let mut clippy = tools.toolchain.cargo();
        clippy
            .args(["clippy", "--locked", "--package", "lead-workspace"])
            .args(["--target", TARGET, "--lib"])
            .args(features)
            .args(["--", "--deny", "warnings"]);
        count += check(label, &mut clippy)?;
    }
    Ok(count)
}

pub fn tests() -> Result<Count> {
    let tools = setup::wasm()?;
    let chromium = setup::chromium()?;
    let mut tests = tools.toolchain.cargo();
    tests
        .args(["test", "--locked", "--package", "lead-workspace"])
        .args(["--target", TARGET, "--test", "web"])
        .args(["--features", "embed"])
        .envs(chromium.driver_env()?)
        .env(
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER",
            &tools.programs.test_runner,
        )
        .env("WASM_BINDGEN_TEST_TIMEOUT", TIMEOUT);
    let mut outcome = progress::run("headless Chromium tests", &mut tests)?;
    // On a loaded machine the browser may hang before it runs a single test, which says nothing
    // of them.
    let begun = outcome.output.contains("Running headless tests");
    if !outcome.ok && begun && !outcome.output.contains("test result:") {
        progress::note("the browser never began: once more");
        outcome = progress::run("headless Chromium tests", &mut tests)?;
    }
    Ok(Count::of_tests(&outcome, of_cargo))
}

pub fn size() -> Result<Count> {
    let mut count = Count::default();
    for report in size::all()? {
        eprintln!("\n{}", report.text);
        count += if report.within {
            Count::PASSED
        } else {
            Count::FAILED
        };
    }
    Ok(count)
}
