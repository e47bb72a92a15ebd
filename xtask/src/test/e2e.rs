//! End-to-end tests of the service and the UI in Chromium: directly, and through a gateway whose upstream is a second
//! instance of the service.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::count::{Count, of_node};
use super::files;
use crate::build::{self, Flavour};
use crate::setup::{self, npm};
use crate::{progress, repo};

/// The time limit for one test file, in milliseconds. Each wait in it has its own, shorter limit.
const TIMEOUT_MS: &str = "480000";

/// The areas that the step `e2e` also runs through a gateway: reading, decisions, and an upstream outage. The whole
/// suite takes minutes; the step `gateway` runs all of it.
const THROUGH_A_GATEWAY: [&str; 3] = ["decisions", "review", "view"];

/// The areas that cannot run through a gateway, which has no import.
const NOT_THROUGH_A_GATEWAY: [&str; 1] = ["import"];

/// Runs every file directly, and some of them through a gateway.
pub fn tests() -> Result<Count> {
    let suite = Suite::build()?;
    let mut count = suite.run("end-to-end tests", false, |_| true)?;
    count += suite.run("through a gateway", true, |area| {
        THROUGH_A_GATEWAY.contains(&area)
    })?;
    Ok(count)
}

/// Runs every file that can run through a gateway.
pub fn through_a_gateway() -> Result<Count> {
    Suite::build()?.run("through a gateway", true, |area| {
        !NOT_THROUGH_A_GATEWAY.contains(&area)
    })
}

struct Suite {
    folder: PathBuf,
    program: PathBuf,
    ui: PathBuf,
    browser: PathBuf,
}

impl Suite {
    fn build() -> Result<Self> {
        let tools = setup::wasm()?;
        let chromium = setup::chromium()?;
        let folder = setup::test_libraries("tests/e2e")?;
        let here = env::current_dir()?;
        Ok(Self {
            ui: here.join(build::ui(&tools, Flavour::Release)?),
            program: here.join(build::service(Flavour::Release)?),
            browser: chromium.browser,
            folder,
        })
    }

    /// Runs the files of the selected areas.
    fn run(&self, label: &str, gateway: bool, chosen: impl Fn(&str) -> bool) -> Result<Count> {
        let mut all = files(&self.folder, ENDING)?;
        all.retain(|file| {
            let name = file.file_name().and_then(|name| name.to_str());
            name.and_then(|name| name.strip_suffix(ENDING))
                .is_some_and(&chosen)
        });
        let mut node = Command::new(npm::node()?);
        node.current_dir(repo::root())
            // Two files at a time: the tests spend most of their time waiting.
            .args(["--test", "--test-reporter=spec", "--test-concurrency=2"])
            .arg(format!("--test-timeout={TIMEOUT_MS}"))
            .args(all)
            .env("LEAD_WORKSPACE_PROGRAM", &self.program)
            .env("LEAD_WORKSPACE_UI", &self.ui)
            .env("LEAD_WORKSPACE_GATEWAY", if gateway { "1" } else { "0" })
            .env("CHROME", &self.browser);
        let outcome = progress::run(label, &mut node)?;
        Ok(Count::of_tests(&outcome, of_node))
    }
}

/// The suffix of test file names.
const ENDING: &str = ".test.mjs";
