//! Checks of the code that runs in the browser.

use std::process::Command;

use anyhow::Result;

use super::count::{Count, of_cargo};
use super::native::check;
use crate::setup::{self, TARGET};
use crate::{progress, repo, size};

/// Runs the tests in headless Chromium by the commands in the README: the app, then the embedded review.
pub fn tests() -> Result<Count> {
    let tools = setup::wasm()?;
    setup::chromium()?;
    let mut count = Count::default();
    for (label, options) in [
        ("headless Chromium tests", &[][..]),
        (
            "headless Chromium tests, embedded",
            &["--", "--features", "embed"],
        ),
    ] {
        let mut wasm_pack = Command::new(setup::wasm_pack()?);
        wasm_pack
            .current_dir(repo::root())
            .args(["test", "--headless", "--chrome"])
            .args(options)
            .envs(setup::build_env(&tools)?)
            .env("CARGO_TARGET_DIR", repo::wasm_target())
            // `LD_LIBRARY_PATH` names the active toolchain's libraries; wasm-pack's cargo may be of another toolchain.
            .env_remove("LD_LIBRARY_PATH");
        let outcome = progress::run(label, &mut wasm_pack)?;
        count += Count::of_tests(&outcome, of_cargo);
    }
    Ok(count)
}

pub fn clippy() -> Result<Count> {
    let tools = setup::wasm()?;
    let mut count = Count::default();
    // Dependents may use the client alone, so it must compile without the UI.
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
            "clippy, wasm32, split, embed",
            &["--no-default-features", "--features", "split,embed"],
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
