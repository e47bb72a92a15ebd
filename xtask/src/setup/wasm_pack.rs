//! wasm-pack, for the people who expect it: the tests build the crate with it once.

use std::path::PathBuf;

use anyhow::Result;

use super::cargo_tool::{CargoTool, program};

/// A version that is known to work with the crate.
const VERSION: &str = "0.15.1";

/// Finds the program on the PATH or in the tool cache; installs it into the cache else.
pub fn ensure() -> Result<PathBuf> {
    let tool = CargoTool {
        package: "wasm-pack",
        version: VERSION,
        programs: &["wasm-pack"],
        features: &[],
    };
    Ok(program(&tool.ensure()?, "wasm-pack"))
}
