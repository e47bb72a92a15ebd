//! Tests of the npm package's scripts in Node, with a fake glue, and checks of its types. Also tests the statistics
//! of the benchmark.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::count::{Count, of_node};
use super::files;
use super::native::check;
use crate::setup::npm;
use crate::{progress, repo};

pub fn tests() -> Result<Count> {
    let mut node = Command::new(npm::node()?);
    node.current_dir(repo::root())
        .args(["--test", "--test-reporter=spec", "--test-timeout=60000"])
        .args(files(Path::new("tests/js"), ".test.mjs")?);
    let outcome = progress::run("tests in Node", &mut node)?;
    Ok(Count::of_tests(&outcome, of_node))
}

/// Checks the types of the package, with and without the browser's types.
pub fn types() -> Result<Count> {
    let folder = npm::ensure("TypeScript", "tests/types")?;
    let mut count = Count::default();
    for config in ["tsconfig.json", "tsconfig.node.json"] {
        let mut tsc = Command::new(npm::node()?);
        tsc.arg(folder.join("node_modules/typescript/bin/tsc"))
            .arg("--project")
            .arg(folder.join(config));
        count += check(&format!("types, {config}"), &mut tsc)?;
    }
    Ok(count)
}
