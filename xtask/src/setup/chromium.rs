//! Chromium and its driver, for the headless and the end-to-end tests.

use std::env;
use std::path::PathBuf;

use anyhow::{Result, bail};

use super::system;
const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
const MAC_BROWSER: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
const PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];

pub struct Chromium {
    pub browser: PathBuf,
}

/// Finds the browser, named by `CHROME` or the system's, and makes sure that its driver is on the PATH. Installs
/// Debian's if missing.
pub fn ensure() -> Result<Chromium> {
    if let Some(found) = find() {
        return Ok(found);
    }
    if system::has_apt() {
        system::apt_install("Chromium", &PACKAGES)?;
    }
    if let Some(found) = find() {
        return Ok(found);
    }
    bail!(
        "Chromium or its driver is missing. Install both, then try again:\n    \
         sudo apt-get install {}\n    \
         or https://googlechromelabs.github.io/chrome-for-testing, with CHROME set to the browser's path \
         and the driver on the PATH",
        PACKAGES.join(" ")
    );
}

fn find() -> Option<Chromium> {
    let browser = named("CHROME")
        .or_else(|| BROWSERS.into_iter().find_map(system::find))
        .or_else(|| Some(PathBuf::from(MAC_BROWSER)).filter(|path| path.is_file()))?;
    // wasm-pack looks for it on the PATH.
    system::find("chromedriver")?;
    Some(Chromium { browser })
}

fn named(variable: &str) -> Option<PathBuf> {
    env::var_os(variable)
        .map(PathBuf::from)
        .filter(|path| path.is_file())
}
