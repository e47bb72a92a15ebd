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

/// A browser with the driver that controls it.
pub struct Chromium {
    pub browser: PathBuf,
    pub driver: PathBuf,
}

/// Finds both (`CHROME` and `CHROMEDRIVER` come first); installs Debian's else.
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
         or https://googlechromelabs.github.io/chrome-for-testing, with CHROME and CHROMEDRIVER naming the programs",
        PACKAGES.join(" ")
    );
}

fn find() -> Option<Chromium> {
    let browser = named("CHROME")
        .or_else(|| BROWSERS.into_iter().find_map(system::find))
        .or_else(|| Some(PathBuf::from(MAC_BROWSER)).filter(|path| path.is_file()))?;
    let driver = named("CHROMEDRIVER").or_else(|| system::find("chromedriver"))?;
    Some(Chromium { browser, driver })
}

fn named(variable: &str) -> Option<PathBuf> {
    env::var_os(variable)
        .map(PathBuf::from)
        .filter(|path| path.is_file())
}
