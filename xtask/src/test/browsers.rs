//! The step `browsers`: the screen and the npm package in Firefox and WebKit.

use std::process::Command;

use anyhow::Result;

use super::count::Count;
use super::{steps, web};
use crate::setup::engines::{self, Engine};
use crate::setup::npm;

pub fn all() -> Result<Count> {
    let engines = [engines::firefox()?, engines::webkit()?];
    let mut count = Count::default();
    for engine in &engines {
        count += steps::count(engine.name, &mut tests(engine)?)?;
    }
    count += web::in_firefox(&engines[0])?;
    Ok(count)
}

/// Returns Node with all tests of `tests/browsers`, for one engine.
fn tests(engine: &Engine) -> Result<Command> {
    npm::ensure("WebDriver client", "tests/browsers")?;
    // The page objects are those of the end-to-end tests.
    npm::ensure("npm libraries", "tests/e2e")?;
    let node = steps::node("tests/browsers", 2, |_| true)?;
    let mut command = match engine.name {
        "webkit" => with_screen(&node),
        _ => node,
    };
    command
        .env("LEAD_WORKSPACE_ENGINE", engine.name)
        // WebKit's driver takes seconds for what Chromium does at once, and there is no faster build of it.
        .env("LEAD_WORKSPACE_TEST_WITHIN_MS", "60000")
        .env("LEAD_WORKSPACE_BROWSER", &engine.browser)
        .env("LEAD_WORKSPACE_DRIVER", &engine.driver);
    steps::set_package(&mut command)?;
    Ok(command)
}

/// Returns the command with an X server of its own, for a browser that cannot run without one.
fn with_screen(command: &Command) -> Command {
    let mut xvfb = Command::new("xvfb-run");
    xvfb.args([
        "--auto-servernum",
        "--server-args=-screen 0 1920x1200x24",
        "--",
    ])
    .arg(command.get_program())
    .args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        xvfb.current_dir(folder);
    }
    xvfb
}
