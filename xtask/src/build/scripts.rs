//! Changes of the scripts that wasm-bindgen writes, and minification.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::progress;
use crate::setup::npm;

/// Makes callbacks of a stopped instance do nothing, from the moment it stops. wasm-bindgen calls it until the next
/// instance is made, and then throws an exception for each timer, request and listener that it left behind; in Node,
/// that would end the process.
pub(super) fn ignore_stale_callbacks(glue: &Path) -> Result<()> {
    const CHECK: &str = "if (state.instance !== __wbg_instance_id) {";
    const STALE: &str = "throw new Error('Cannot invoke closure from previous WASM instance');";
    let text = fs::read_to_string(glue)?;
    if !text.contains(CHECK) || !text.contains(STALE) {
        bail!("wasm-bindgen's check for callbacks of a stopped instance has changed");
    }
    let text = text
        .replace(
            CHECK,
            "if (state.instance !== __wbg_instance_id || __wbg_reinit_scheduled) {",
        )
        .replace(STALE, "return;");
    Ok(fs::write(glue, text)?)
}

/// Removes the classes of the streams that `optimize.mjs` removes from the module.
pub(super) fn remove_streams(glue: &Path) -> Result<()> {
    let mut text = fs::read_to_string(glue)?;
    for (start, end) in [
        ("export class IntoUnderlying", ".prototype.free;\n"),
        ("const IntoUnderlying", ", 1));\n"),
    ] {
        while let Some(from) = text.find(start) {
            let length = text[from..].find(end);
            let length = length.context("wasm-bindgen's classes have changed")? + end.len();
            text.replace_range(from..from + length, "");
        }
    }
    Ok(fs::write(glue, text)?)
}

/// Minifies a script or a style sheet in place.
pub fn minify(file: &Path) -> Result<()> {
    let mut esbuild = npm::tool("esbuild/bin/esbuild")?;
    esbuild
        .arg(file)
        .args(["--minify", "--charset=utf8", "--legal-comments=none"])
        .args([
            "--target=es2022",
            "--allow-overwrite",
            "--log-level=warning",
        ])
        .arg(format!("--outfile={}", file.display()));
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    progress::run(&format!("minify {name}"), &mut esbuild)?
        .or_fail("esbuild cannot parse the file; see the message above.")?;
    Ok(())
}
