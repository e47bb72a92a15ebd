//! Chromium and its driver, for the headless and the end-to-end tests.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use anyhow::{Result, bail};
use serde_json::json;

use super::system;
use crate::repo;

const BROWSERS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
const MAC_BROWSER: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
const PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];

/// Arguments that stop the browser from making requests of its own.
const QUIET: [&str; 6] = [
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
];

pub struct Chromium {
    pub browser: PathBuf,
    pub driver: PathBuf,
}

impl Chromium {
    /// Returns the environment with which wasm-bindgen's test runner uses this browser. The runner itself adds the
    /// arguments for headless mode and for root.
    pub fn driver_env(&self) -> Result<Vec<(&'static str, OsString)>> {
        let options = json!({
            "goog:chromeOptions": { "binary": self.browser, "args": QUIET },
            // The tests start while the page loads, and some hold a download open: with the default strategy, the
            // driver would wait forever.
            "pageLoadStrategy": "eager",
            "timeouts": { "pageLoad": 60_000, "script": 60_000 }
        });
        let file = repo::target().join("xtask").join("webdriver.json");
        fs::create_dir_all(repo::target().join("xtask"))?;
        fs::write(&file, serde_json::to_vec_pretty(&options)?)?;
        Ok(vec![
            ("CHROMEDRIVER", self.driver.clone().into()),
            ("WASM_BINDGEN_TEST_WEBDRIVER_JSON", file.into()),
        ])
    }
}

/// Finds the browser and its driver: `CHROME` and `CHROMEDRIVER` first, then the system's. Installs Debian's if
/// missing.
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
         or https://googlechromelabs.github.io/chrome-for-testing, with CHROME and CHROMEDRIVER set to the programs' paths",
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
