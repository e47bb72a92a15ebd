//! Checks of the code that runs in the browser.

use anyhow::Result;

use super::count::Count;
use super::native::check;
use crate::setup::{self, TARGET};
use crate::size;

pub fn clippy() -> Result<Count> {
    let tools = setup::wasm()?;
    let mut count = Count::default();
    // Dependents may use the client alone, so it must compile without the UI.
    for (label, features) in [
        (
            "clippy, wasm32",
            &["--test", "web", "--features", "embed"][..],
        ),
        (
            "clippy, wasm32, split",
            &["--no-default-features", "--features", "split"],
        ),
        (
            "clippy, wasm32, split, embed",
            &["--no-default-features", "--features", "split,embed"],
        ),
        (
            "clippy, wasm32, client only",
            &["--no-default-features", "--features", "js"],
        ),
    ] {
        let mut clippy = tools.toolchain.cargo();
        clippy
            .args(["clippy", "--locked", "--package", "lead-workspace"])
            .args(["--target", TARGET, "--lib"])
            .args(features)
            .args(["--", "--deny", "warnings"]);
        count += check(label, &mut clippy)?;
    }
    Ok(count)
}

pub fn size() -> Result<Count> {
    let mut count = Count::default();
    for report in size::all()? {
        eprintln!("\n{}", report.text);
        count += if report.within {
            Count::PASSED
        } else {
            Count::FAILED
        };
    }
    Ok(count)
}
