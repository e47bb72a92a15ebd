//! Installs what the project needs on this machine, if it is missing.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;

pub use self::chromium::Chromium;
pub use self::rust_target::{TARGET, Toolchain};
pub use self::wasm_bindgen::Programs;

mod cargo_tool;
mod chromium;
mod debian;
pub mod npm;
mod rust_target;
pub mod system;
mod wasm_bindgen;
mod wasm_pack;
mod wasm_split;

pub struct WasmTools {
    pub toolchain: Toolchain,
    pub programs: Programs,
    pub npm: PathBuf,
}

/// Returns the tools of a Wasm build: the target, wasm-bindgen, and the npm tools.
pub fn wasm() -> Result<WasmTools> {
    // The quick check first: a missing Node is reported before the slow installations.
    npm::node()?;
    Ok(WasmTools {
        toolchain: rust_target::ensure()?,
        programs: wasm_bindgen::ensure()?,
        npm: npm::ensure("npm tools", "xtask/npm")?,
    })
}

pub fn chromium() -> Result<Chromium> {
    chromium::ensure()
}

/// Returns wasm-pack, for the test that builds the crate with it.
pub fn wasm_pack() -> Result<PathBuf> {
    wasm_pack::ensure()
}

/// Returns the splitter, for release builds of the app.
pub fn wasm_split() -> Result<PathBuf> {
    wasm_split::ensure()
}

/// Installs the npm libraries of a test folder.
pub fn test_libraries(folder: &str) -> Result<PathBuf> {
    npm::ensure(&format!("npm test libraries, {folder}"), folder)
}

/// `cargo xtask setup`: installs everything, including what the tests need.
pub fn everything() -> Result<()> {
    wasm()?;
    chromium()?;
    wasm_pack()?;
    wasm_split()?;
    for folder in ["tests/e2e", "tests/package"] {
        test_libraries(folder)?;
    }
    Ok(())
}

/// Returns the variables a shell needs so that `cargo`, `wasm-bindgen` and `wasm-pack` use the project's tools.
pub fn shell_env() -> Result<Vec<(&'static str, OsString)>> {
    build_env(&wasm()?)
}

/// Returns the variables that make wasm-pack, and the cargo it starts, use the project's tools.
pub fn build_env(tools: &WasmTools) -> Result<Vec<(&'static str, OsString)>> {
    let mut first: Vec<PathBuf> = Vec::new();
    first.extend(tools.toolchain.folder());
    first.extend(tools.programs.folder());
    first.extend(wasm_pack()?.parent().map(Into::into));
    let mut env = vec![("PATH", system::path_with(&first))];
    env.extend(tools.toolchain.env());
    Ok(env)
}
