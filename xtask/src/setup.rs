//! What the project needs on this machine, installed where it is missing.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;

pub use self::chromium::Chromium;
pub use self::rust_target::{TARGET, Toolchain};
pub use self::wasm_bindgen::Programs;

mod chromium;
mod debian;
pub mod npm;
mod rust_target;
pub mod system;
mod wasm_bindgen;

/// What building for the browser takes.
pub struct WasmTools {
    pub toolchain: Toolchain,
    pub programs: Programs,
    pub npm: PathBuf,
}

/// The tools of a Wasm build: the target, wasm-bindgen, and the npm tools.
pub fn wasm() -> Result<WasmTools> {
    // The quick check first: nobody waits minutes to be told that Node is missing.
    npm::node()?;
    Ok(WasmTools {
        toolchain: rust_target::ensure()?,
        programs: wasm_bindgen::ensure()?,
        npm: npm::ensure("npm tools", "xtask/npm")?,
    })
}

/// The browser for the tests.
pub fn chromium() -> Result<Chromium> {
    chromium::ensure()
}

/// `cargo xtask setup`: everything, tests included.
pub fn everything() -> Result<()> {
    wasm()?;
    chromium()?;
    npm::ensure("npm test libraries", "tests/e2e")?;
    Ok(())
}

/// What a shell needs so that `cargo`, `wasm-bindgen` and `wasm-pack` use the same tools.
pub fn shell_env() -> Result<Vec<(&'static str, OsString)>> {
    let tools = wasm()?;
    let mut first: Vec<PathBuf> = Vec::new();
    first.extend(tools.toolchain.folder());
    first.extend(tools.programs.folder());
    let mut env = vec![("PATH", system::path_with(&first))];
    env.extend(tools.toolchain.env());
    env.extend(chromium()?.driver_env()?);
    Ok(env)
}
