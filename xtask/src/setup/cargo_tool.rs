//! Command-line tools that cargo builds, each version in its own folder of a cache that all checkouts share.

use std::borrow::Cow;
use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::system;
use crate::{progress, repo};

/// A package of the registry, at one version.
pub struct CargoTool {
    package: &'static str,
    version: Cow<'static, str>,
    program: &'static str,
    features: &'static [&'static str],
}

impl CargoTool {
    pub const WASM_PACK: Self = Self {
        package: "wasm-pack",
        version: Cow::Borrowed("0.15.1"),
        program: "wasm-pack",
        features: &[],
    };

    /// Must support the version of `wasm_split_helpers` in Cargo.lock.
    pub const WASM_SPLIT: Self = Self {
        package: "wasm_split_cli_support",
        version: Cow::Borrowed("0.2.4"),
        program: "wasm-split-cli",
        features: &["--features", "build-binary"],
    };

    pub fn wasm_bindgen() -> Result<Self> {
        let lock = fs::read_to_string(repo::root().join("Cargo.lock"))?;
        let version = lock
            .split_once("name = \"wasm-bindgen\"\nversion = \"")
            .and_then(|(_, rest)| Some(rest.split_once('"')?.0.to_owned()))
            .context("Cargo.lock does not contain wasm-bindgen")?;
        Ok(Self {
            package: "wasm-bindgen-cli",
            version: Cow::Owned(version),
            program: "wasm-bindgen",
            features: &[],
        })
    }

    /// Returns the program: from the PATH if it has this version, or from the cache, where it is installed if it is
    /// missing.
    pub fn ensure(&self) -> Result<PathBuf> {
        let on_path = system::find(self.program).filter(|program| {
            system::output(Command::new(program).arg("--version"))
                .is_some_and(|text| text.split_whitespace().nth(1) == Some(&self.version))
        });
        if let Some(program) = on_path {
            return Ok(program);
        }
        let Self {
            package, version, ..
        } = self;
        let name = package.trim_end_matches("-cli");
        let home = repo::tools().join(format!("{name}-{version}"));
        let program = home
            .join("bin")
            .join(format!("{}{}", self.program, env::consts::EXE_SUFFIX));
        if !program.is_file() {
            let mut cargo = Command::new("cargo");
            cargo
                .args(["install", package, "--version", version, "--force"])
                .args(self.features)
                .arg("--root")
                .arg(home)
                // These tools run for a second, so build time matters more than run time.
                .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
                .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
                .env("CARGO_PROFILE_RELEASE_LTO", "off")
                .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
                .env_remove("CARGO_TARGET_DIR");
            progress::run(&format!("{package} {version}"), &mut cargo)?.or_fail(&format!(
                "Install it, then try again:\n    cargo install {package} --version {version}"
            ))?;
        }
        Ok(program)
    }
}
