//! Command-line tools that cargo builds, each version in its own folder of a cache that all checkouts share.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::system;
use crate::{progress, repo};

/// A package of the registry, at one version.
pub struct CargoTool {
    package: &'static str,
    version: &'static str,
    program: &'static str,
    features: &'static [&'static str],
}

impl CargoTool {
    pub const WASM_PACK: Self = Self {
        package: "wasm-pack",
        version: "0.15.1",
        program: "wasm-pack",
        features: &[],
    };

    /// Must support the version of `wasm_split_helpers` in Cargo.lock.
    pub const WASM_SPLIT: Self = Self {
        package: "wasm_split_cli_support",
        version: "0.2.4",
        program: "wasm-split-cli",
        features: &["--features", "build-binary"],
    };

    pub const GECKODRIVER: Self = Self {
        package: "geckodriver",
        version: "0.37.1",
        program: "geckodriver",
        features: &[],
    };

    pub const CARGO_FUZZ: Self = Self {
        package: "cargo-fuzz",
        version: "0.13.2",
        program: "cargo-fuzz",
        features: &[],
    };

    /// Returns the program: from the PATH if it has this version, or from the cache, where it is installed if it is
    /// missing.
    pub fn ensure(&self) -> Result<PathBuf> {
        let on_path = system::find(self.program).filter(|program| {
            system::output(Command::new(program).arg("--version"))
                .is_some_and(|text| text.split_whitespace().nth(1) == Some(self.version))
        });
        if let Some(program) = on_path {
            return Ok(program);
        }
        let Self {
            package, version, ..
        } = self;
        let home = repo::tools().join(format!("{package}-{version}"));
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
                .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
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
