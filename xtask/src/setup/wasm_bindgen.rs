//! wasm-bindgen's command line, of exactly the version the crate is locked to:
//! the two speak a format that changes with every release.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::system;
use crate::{progress, repo};

/// The two programs of the package that are used here.
pub struct Programs {
    pub bindgen: PathBuf,
    pub test_runner: PathBuf,
}

impl Programs {
    fn in_folder(folder: &Path) -> Self {
        let exe = |name: &str| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        Self {
            bindgen: exe("wasm-bindgen"),
            test_runner: exe("wasm-bindgen-test-runner"),
        }
    }

    /// The folder of both.
    pub fn folder(&self) -> Option<PathBuf> {
        self.bindgen.parent().map(Path::to_path_buf)
    }

    fn are(&self, version: &str) -> bool {
        let is = |program: &Path| {
            system::output(Command::new(program).arg("--version"))
                .is_some_and(|text| text.split_whitespace().nth(1) == Some(version))
        };
        is(&self.bindgen) && is(&self.test_runner)
    }
}

/// Finds the programs on the PATH or in the tool cache; installs them into the cache else.
pub fn ensure() -> Result<Programs> {
    let lock =
        fs::read_to_string(repo::root().join("Cargo.lock")).context("Cargo.lock is missing")?;
    let version = locked_version(&lock, "wasm-bindgen")?;
    if let Some(folder) = system::find("wasm-bindgen")
        .as_deref()
        .and_then(Path::parent)
    {
        let programs = Programs::in_folder(folder);
        if programs.are(&version) {
            return Ok(programs);
        }
    }
    let home = repo::tools().join(format!("wasm-bindgen-{version}"));
    let programs = Programs::in_folder(&home.join("bin"));
    if !programs.are(&version) {
        install(&version, &home)?;
    }
    Ok(programs)
}

fn install(version: &str, home: &Path) -> Result<()> {
    let mut cargo = Command::new("cargo");
    cargo
        .args(["install", "wasm-bindgen-cli", "--version", version])
        .args(["--bin", "wasm-bindgen", "--bin", "wasm-bindgen-test-runner"])
        .arg("--force")
        .arg("--root")
        .arg(home)
        // A tool that runs for a second: quick to build matters more than quick to run.
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env_remove("CARGO_TARGET_DIR");
    progress::run(&format!("wasm-bindgen {version}"), &mut cargo)?.or_fail(&format!(
        "Install it, then try again:\n    cargo install wasm-bindgen-cli --version {version}"
    ))?;
    Ok(())
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

/// The version of a package in the text of a Cargo.lock.
fn locked_version(lock: &str, name: &str) -> Result<String> {
    let lock: Lock = toml::from_str(lock).context("Cargo.lock cannot be read")?;
    lock.package
        .into_iter()
        .find(|package| package.name == name)
        .map(|package| package.version)
        .with_context(|| format!("Cargo.lock does not name {name}"))
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
    fn the_version_is_that_of_the_package_itself() {
        let version = locked_version(LOCK, "wasm-bindgen").expect("listed");
        assert_eq!(version, "0.2.130");
    }

    #[test]
    fn a_package_not_listed_is_named() {
        let error = locked_version(LOCK, "leptos").expect_err("not listed");
        assert_eq!(error.to_string(), "Cargo.lock does not name leptos");
    }

    #[test]
    fn a_broken_lock_file_is_an_error() {
        assert!(locked_version("[[package", "wasm-bindgen").is_err());
    }
}
