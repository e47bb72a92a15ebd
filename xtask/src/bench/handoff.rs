//! Compares ways to pass a page of leads to JavaScript, in Chromium.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::setup::{self, TARGET, WasmTools, npm};
use crate::{progress, repo};

const SOURCE: &str = "xtask/bench-handoff";

pub fn run() -> Result<ExitCode> {
    let tools = setup::wasm()?;
    let chromium = setup::chromium()?;
    let libraries = npm::ensure("npm test libraries", "tests/e2e")?;
    let folder = repo::target().join("xtask/bench/handoff");
    fs::create_dir_all(&folder)?;
    bind(&tools, &folder)?;
    copy("src/js/shapes.js", &folder)?;
    for name in ["fixture.js", "measure.js", "plain.js"] {
        copy(&format!("{SOURCE}/page/{name}"), &folder)?;
    }
    let mut node = Command::new(npm::node()?);
    node.arg(repo::root().join(SOURCE).join("run.mjs"))
        .args([&folder, &libraries])
        .env("CHROME", chromium.browser);
    let outcome = progress::run("hand-off of a page of leads", &mut node)?;
    print!("{}", outcome.output);
    Ok(ExitCode::from(u8::from(!outcome.ok)))
}

/// Compiles the candidates with the same profile as the shipped module.
fn bind(tools: &WasmTools, folder: &Path) -> Result<()> {
    let mut cargo = tools.toolchain.cargo();
    cargo
        .args(["build", "--locked", "--package", "bench-handoff"])
        .args(["--target", TARGET, "--profile", "wasm"]);
    progress::run("candidates, wasm build", &mut cargo)?
        .or_fail("Fix the compiler errors above, then try again.")?;
    let compiled = repo::wasm_target()
        .join(TARGET)
        .join("wasm/bench_handoff.wasm");
    let mut bindgen = Command::new(&tools.programs.bindgen);
    bindgen
        .args(["--target", "web", "--out-name", "handoff"])
        .args(["--no-typescript", "--out-dir"])
        .arg(folder)
        .arg(compiled);
    progress::run("candidates, wasm-bindgen", &mut bindgen)?
        .or_fail("wasm-bindgen rejected the candidates; see the message above.")?;
    Ok(())
}

fn copy(file: &str, folder: &Path) -> Result<()> {
    let from = repo::root().join(file);
    let to = folder.join(from.file_name().unwrap_or_default());
    fs::copy(&from, to).with_context(|| format!("{file} cannot be copied"))?;
    Ok(())
}
