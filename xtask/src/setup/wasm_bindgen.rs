//! wasm-bindgen's command line, at exactly the version in Cargo.lock: the format between the crate and the tool
//! changes with every release.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::cargo_tool::{CargoTool, program};
use crate::repo;

pub struct Programs {
    pub bindgen: PathBuf,
}

impl Programs {
    /// Returns the folder of both programs.
    pub fn folder(&self) -> Option<PathBuf> {
        self.bindgen.parent().map(Path::to_path_buf)
    }
}

/// Finds the programs on the PATH or in the tool cache. Installs them into the cache if they are missing.
pub fn ensure() -> Result<Programs> {
    let lock =
        fs::read_to_string(repo::root().join("Cargo.lock")).context("Cargo.lock is missing")?;
    let tool = CargoTool {
        package: "wasm-bindgen-cli",
        version: &locked_version(&lock, "wasm-bindgen")?,
        programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
        features: &[],
    };
    let folder = tool.ensure()?;
    Ok(Programs {
        bindgen: program(&folder, "wasm-bindgen"),
    })
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
}

/// Returns the version of a package in the text of a Cargo.lock.
fn locked_version(lock: &str, name: &str) -> Result<String> {
    let lock: Lock = toml::from_str(lock).context("Cargo.lock cannot be read")?;
    lock.package
        .into_iter()
        .find(|package| package.name == name)
        .map(|package| package.version)
        .with_context(|| format!("Cargo.lock does not contain {name}"))
}

#[cfg(test)]
mod tests {
    use super::locked_version;

    const LOCK: &str = r#"
        version = 4
        [[package]]
        name = "wasm-bindgen-backend"
        version = "0.2.99"
        [[package]]
        name = "wasm-bindgen"
        version = "0.2.130"
        dependencies = ["once_cell"]
    "#;

    #[test]
    fn the_version_is_that_of_the_package() {
        let version = locked_version(LOCK, "wasm-bindgen").expect("listed");
        assert_eq!(version, "0.2.130");
    }

    #[test]
    fn a_missing_package_is_named() {
        let error = locked_version(LOCK, "leptos").expect_err("not listed");
        assert_eq!(error.to_string(), "Cargo.lock does not contain leptos");
    }

    #[test]
    fn a_broken_lock_file_is_an_error() {
        assert!(locked_version("[[package", "wasm-bindgen").is_err());
    }
}
