//! The splitter, which cuts the pages that are loaded later out of the app's Wasm.

use std::path::PathBuf;

use anyhow::Result;

use super::cargo_tool::{CargoTool, program};

/// A version that reads the marks of the `wasm_split_helpers` in Cargo.lock.
const VERSION: &str = "0.2.4";

/// Finds the program in the tool cache; installs it there else.
pub fn ensure() -> Result<PathBuf> {
    let tool = CargoTool {
        package: "wasm_split_cli_support",
        version: VERSION,
        programs: &["wasm-split-cli"],
        features: &["build-binary"],
    };
    Ok(program(&tool.ensure_cached()?, "wasm-split-cli"))
}
