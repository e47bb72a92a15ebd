//! The step `web`: the tests that wasm-pack runs in headless Chromium.

use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::Result;

use super::count::Count;
use super::steps;
use crate::repo;
use crate::setup::{self, chromium};

/// Runs the command in the README. The feature adds tests and leaves none out.
pub fn all() -> Result<Count> {
    let options_of_driver = webdriver_options(&chromium::ensure()?)?;
    let address = free_address()?;
    let mut wasm_pack = Command::new(setup::wasm_pack()?);
    wasm_pack
        .current_dir(repo::root())
        .args([
            "test",
            "--headless",
            "--chrome",
            "--",
            "--features",
            "embed",
        ])
        .env("PATH", setup::path()?)
        .env("WASM_BINDGEN_TEST_ADDRESS", address.to_string())
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", &options_of_driver)
        .env("CARGO_TARGET_DIR", repo::target());
    with_connections(address, || steps::count("wasm-pack test", &mut wasm_pack))
}

/// Writes the options of the tests' browser, with the browser that `CHROME` may name.
fn webdriver_options(browser: &Path) -> Result<PathBuf> {
    let text = fs::read_to_string(repo::root().join("webdriver.json"))?;
    let mut options: serde_json::Value = serde_json::from_str(&text)?;
    options["goog:chromeOptions"]["binary"] = browser.to_string_lossy().into();
    let file = repo::target().join("xtask/webdriver.json");
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&file, options.to_string())?;
    Ok(file)
}

/// Returns an address on this machine that no program listens on.
fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

/// Opens a connection to the test runner's server every second while `work` runs.
///
/// The server (tiny_http 0.12) has four threads, and one serves a connection until it is closed. When the browser opens
/// more at once on a busy machine, the server may leave one without a thread until the next connection arrives: the
/// page then waits for a script until the driver gives up, after five minutes.
fn with_connections<T>(address: SocketAddr, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        scope.spawn(move || {
            while is_done.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                // Fails while no runner listens.
                drop(TcpStream::connect(address));
            }
        });
        let outcome = work();
        drop(done);
        outcome
    })
}
