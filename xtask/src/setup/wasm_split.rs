//! The splitter, which moves lazily loaded pages out of the app's Wasm.

use std::path::PathBuf;

use anyhow::Result;

use super::cargo_tool::{CargoTool, program};

/// A version that supports the `wasm_split_helpers` version in Cargo.lock.
const VERSION: &str = "0.2.4";

/// Finds the program in the tool cache. Installs it there if it is missing.
pub fn ensure() -> Result<PathBuf> {
    let tool = CargoTool {
        package: "wasm_split_cli_support",
        version: VERSION,
        programs: &["wasm-split-cli"],
        features: &["build-binary"],
    };
    Ok(program(&tool.ensure_cached()?, "wasm-split-cli"))
}
