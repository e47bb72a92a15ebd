//! The step `web`: the tests that wasm-pack runs in headless Chromium. The step `browsers` runs them in Firefox.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use serde_json::Value;

use super::count::Count;
use super::steps;
use crate::repo;
use crate::setup::engines::Engine;
use crate::setup::{self, chromium};

/// Runs the command in the README. The feature adds tests and leaves none out.
pub fn all() -> Result<Count> {
    let mut options = options_of_driver()?;
    // The browser that `CHROME` may name.
    options["goog:chromeOptions"]["binary"] = chromium::ensure()?.to_string_lossy().into();
    run(
        "wasm-pack test",
        "--chrome",
        &options,
        setup::path_of_tests()?,
    )
}

/// Runs the same tests in Firefox.
pub fn in_firefox(firefox: &Engine) -> Result<Count> {
    let options = serde_json::json!({
        "moz:firefoxOptions": {
            "binary": firefox.browser,
            "args": ["--width=1440", "--height=900"],
        },
        "pageLoadStrategy": options_of_driver()?["pageLoadStrategy"],
    });
    let tools = setup::path_of_tests()?;
    let folders = firefox.driver.parent().map(Path::to_path_buf);
    let path = env::join_paths(folders.into_iter().chain(env::split_paths(&tools)))?;
    run("wasm-pack test, Firefox", "--firefox", &options, path)
}

fn options_of_driver() -> Result<Value> {
    let text = fs::read_to_string(repo::root().join("webdriver.json"))?;
    Ok(serde_json::from_str(&text)?)
}

fn run(label: &str, browser: &str, options: &Value, path: OsString) -> Result<Count> {
    let file = repo::target().join("xtask/webdriver.json");
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&file, options.to_string())?;
    let address = free_address()?;
    let mut wasm_pack = Command::new(setup::wasm_pack()?);
    wasm_pack
        .current_dir(repo::root())
        .args(["test", "--headless", browser, "--", "--features", "embed"])
        .env("PATH", path)
        .env("WASM_BINDGEN_TEST_ADDRESS", address.to_string())
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", &file)
        // Otherwise a port that other programs use.
        .env("GECKODRIVER_ARGS", "--websocket-port=0")
        .env("CARGO_TARGET_DIR", repo::target());
    setup::compile_with_clippy(&mut wasm_pack)?;
    with_connections(address, || steps::count(label, &mut wasm_pack))
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
