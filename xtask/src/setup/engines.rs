//! Firefox and WebKit with their drivers, for the tests in other engines than Chromium.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{debian, system};

/// A browser, and the program through which tests drive it.
pub struct Engine {
    /// As the tests call it.
    pub name: &'static str,
    pub browser: PathBuf,
    pub driver: PathBuf,
}

/// Returns Firefox and its driver. On Debian, installs the browser if it is missing; cargo builds the driver.
pub fn firefox() -> Result<Engine> {
    let find = || system::find("firefox-esr").or_else(|| system::find("firefox"));
    Ok(Engine {
        name: "firefox",
        browser: installed("Firefox", &["firefox-esr"], find)?,
        driver: super::geckodriver()?,
    })
}

/// Returns WebKit's browser for tests, and its driver. On Debian, installs them and an X server without a screen, which
/// the browser needs.
pub fn webkit() -> Result<Engine> {
    let packages = &["webkit2gtk-driver", "xvfb", "xauth"];
    installed("Xvfb", packages, || system::find("xvfb-run"))?;
    Ok(Engine {
        name: "webkit",
        driver: installed("WebKit", packages, || system::find("WebKitWebDriver"))?,
        browser: installed("WebKit", packages, mini_browser)?,
    })
}

fn installed(name: &str, packages: &[&str], find: impl Fn() -> Option<PathBuf>) -> Result<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    debian::install(name, packages)?;
    find().with_context(|| {
        format!(
            "{name} is missing. Install it, then try again:\n    sudo apt-get install {}",
            packages.join(" ")
        )
    })
}

/// WebKit's packages install MiniBrowser next to the library, in a folder named after the version of its API.
fn mini_browser() -> Option<PathBuf> {
    let folders = ["/usr/lib", "/usr/libexec"].map(Path::new);
    let below = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let mut found: Vec<PathBuf> = folders
        .into_iter()
        .flat_map(below)
        .flat_map(|folder| [below(&folder), vec![folder]].concat())
        .map(|folder| folder.join("MiniBrowser"))
        .filter(|program| program.is_file())
        .collect();
    found.sort();
    found.pop()
}
