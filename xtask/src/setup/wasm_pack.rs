//! wasm-pack: a test builds the crate with it, for users who prefer it.

use std::path::PathBuf;

use anyhow::Result;

use super::cargo_tool::{CargoTool, program};

/// A version that is known to work with the crate.
const VERSION: &str = "0.15.1";

/// Finds the program on the PATH or in the tool cache. Installs it into the cache if it is missing.
pub fn ensure() -> Result<PathBuf> {
    let tool = CargoTool {
        package: "wasm-pack",
        version: VERSION,
        programs: &["wasm-pack"],
        features: &[],
    };
    Ok(program(&tool.ensure()?, "wasm-pack"))
}
