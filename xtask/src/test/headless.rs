//! The tests in headless Chromium: built once, then run in the browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use self::watch::Watch;
use super::count::{Count, of_cargo};
use crate::setup::{self, Chromium, TARGET, WasmTools, npm};
use crate::{progress, repo};

mod watch;

/// How long the runner waits for chromedriver, in seconds. The watch gives up sooner.
const TIMEOUT: &str = "180";

/// The number of lines shown from chromedriver's log.
const DRIVER_LINES: usize = 30;

/// How the tests are loaded into the browser.
#[derive(Clone, Copy, PartialEq)]
enum Road {
    /// `tests/web/run.mjs`: Playwright, with its own server.
    Page,
    /// The test runner's own way: chromedriver, and a server that sometimes leaves the page waiting.
    Driver,
}

/// The attempts, until one of them starts the tests. On a loaded machine the browser may not start in time, which is
/// not a failure of the tests.
const ROADS: [(&str, Road); 3] = [
    ("headless Chromium tests", Road::Page),
    ("headless Chromium tests, second try", Road::Page),
    ("headless Chromium tests, chromedriver", Road::Driver),
];

pub fn tests() -> Result<Count> {
    let tools = setup::wasm()?;
    let chromium = setup::chromium()?;
    setup::test_libraries("tests/e2e")?;
    let file = build(&tools)?;
    let mut roads = ROADS.into_iter().peekable();
    while let Some((label, road)) = roads.next() {
        let mut watch = Watch::default();
        let outcome = progress::watched(
            label,
            &mut road.command(&tools, &chromium, &file)?,
            &mut |output, now| watch.goes_on(output, now),
        )?;
        let nothing = watch::says_nothing(outcome.ok, &outcome.output);
        if nothing && road == Road::Driver {
            eprintln!("\nLast lines of chromedriver's log:\n\n{}", driver_lines());
        }
        if !nothing || roads.peek().is_none() {
            return Ok(Count::of_tests(&outcome, of_cargo));
        }
        eprintln!("\n{}", outcome.failure());
        progress::note("no test started; trying again");
    }
    Ok(Count::FAILED)
}

/// Compiles the tests. Returns the path of the test module.
fn build(tools: &WasmTools) -> Result<PathBuf> {
    let mut cargo = tools.toolchain.cargo();
    cargo
        .args(["test", "--no-run", "--color", "never"])
        .args(["--locked", "--package", "lead-workspace"])
        .args(["--target", TARGET, "--test", "web"])
        .args(["--features", "embed"]);
    let built = progress::run("headless Chromium tests, build", &mut cargo)?
        .or_fail("The browser tests do not compile.")?;
    let file = executable(&built.output).context("cargo did not print the test module")?;
    // Cargo prints paths in the checkout relative to its root.
    Ok(repo::root().join(file))
}

/// Returns the file in cargo's line `Executable tests/web.rs (FILE)`.
fn executable(output: &str) -> Option<&str> {
    let line = output
        .lines()
        .rev()
        .find(|line| line.trim_start().starts_with("Executable "))?;
    line.split_once(" (")?.1.strip_suffix(')')
}

impl Road {
    fn command(self, tools: &WasmTools, chromium: &Chromium, file: &Path) -> Result<Command> {
        let runner = &tools.programs.test_runner;
        let mut command = match self {
            Self::Page => {
                let mut node = Command::new(npm::node()?);
                node.arg(repo::root().join("tests/web/run.mjs"))
                    .arg(runner)
                    .arg(file)
                    .env("CHROME", &chromium.browser);
                node
            }
            Self::Driver => {
                let arguments = format!("--verbose '--log-path={}'", driver_log().display());
                // The log of an earlier run must not be shown as this one's.
                let _ = fs::remove_file(driver_log());
                let mut runner = Command::new(runner);
                runner
                    .arg(file)
                    .envs(chromium.driver_env()?)
                    .env("CHROMEDRIVER_ARGS", arguments)
                    .env("WASM_BINDGEN_TEST_TIMEOUT", TIMEOUT);
                runner
            }
        };
        // The working directory that cargo would set: the runner serves files of the crate from here.
        command.current_dir(repo::root());
        Ok(command)
    }
}

fn driver_log() -> PathBuf {
    repo::logs().join("chromedriver.log")
}

/// Returns the end of chromedriver's log, without multi-line values and its constant polling.
fn driver_lines() -> String {
    let log = fs::read(driver_log()).unwrap_or_default();
    let log = String::from_utf8_lossy(&log).into_owned();
    let lines: Vec<&str> = log
        .lines()
        .filter(|line| line.starts_with('[') && !line.contains("Runtime.evaluate"))
        .collect();
    lines[lines.len().saturating_sub(DRIVER_LINES)..]
        .iter()
        .map(|line| format!("    {line}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::executable;

    #[test]
    fn cargo_names_the_file() {
        let output = "   Compiling lead-workspace v0.1.0 (/work)\n    \
            Finished `test` profile [unoptimized] target(s) in 0.34s\n  \
            Executable tests/web.rs (target/wasm/wasm32-unknown-unknown/debug/deps/web-88057a787f89bc89.wasm)\n";
        assert_eq!(
            executable(output),
            Some("target/wasm/wasm32-unknown-unknown/debug/deps/web-88057a787f89bc89.wasm")
        );
        assert_eq!(executable("error: could not compile"), None);
    }
}
