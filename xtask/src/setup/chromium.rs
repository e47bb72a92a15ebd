//! Chromium and its driver, for the tests.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use super::{debian, system};

const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
const MAC_BROWSER: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/// Returns the browser: the one that `CHROME` names, or the system's. Makes sure that its driver is on the PATH. On
/// Debian, installs both if they are missing.
pub fn ensure() -> Result<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    debian::install(
        "Chromium",
        &["chromium", "chromium-driver", "chromium-headless-shell"],
    )?;
    let Some(found) = find() else {
        bail!(
            "Chromium or its driver is missing. Install both, then try again:\n    \
             sudo apt-get install chromium chromium-driver\n    \
             or https://googlechromelabs.github.io/chrome-for-testing, with CHROME set to the browser's path and \
             the driver on the PATH"
        );
    };
    Ok(found)
}

/// Returns the browser for the end-to-end tests, which run a third faster in Chromium without its user interface. If
/// that is not installed, or `CHROME` names a browser, it is the same as for all other tests.
pub fn ensure_headless() -> Result<PathBuf> {
    let browser = ensure()?;
    if env::var_os("CHROME").is_some() {
        return Ok(browser);
    }
    Ok(system::find("chromium-headless-shell").unwrap_or(browser))
}

/// Returns what the browser of the end-to-end tests calls itself, such as `Chromium 156.0.8078.73`.
pub fn version() -> Result<String> {
    let output = Command::new(ensure_headless()?).arg("--version").output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Returns the browsers of the tests that are installed now.
pub fn installed() -> Vec<PathBuf> {
    let headless = system::find("chromium-headless-shell");
    find().into_iter().chain(headless).collect()
}

fn find() -> Option<PathBuf> {
    // wasm-pack looks for it on the PATH.
    system::find("chromedriver")?;
    let named = env::var_os("CHROME").map(PathBuf::from);
    let mut found = named
        .into_iter()
        .chain(BROWSERS.into_iter().filter_map(system::find))
        .chain([PathBuf::from(MAC_BROWSER)]);
    found.find(|path| path.is_file())
}
