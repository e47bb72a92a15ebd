//! Command-line tools that cargo builds, each into a folder of the tool cache.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::system;
use crate::{progress, repo};

/// A package of the registry, at one version.
pub struct CargoTool<'a> {
    pub package: &'a str,
    pub version: &'a str,
    /// The programs of it that are used here.
    pub programs: &'a [&'a str],
    /// The features that the programs want.
    pub features: &'a [&'a str],
}

impl CargoTool<'_> {
    /// Where its programs are in the tool cache.
    pub fn folder(&self) -> PathBuf {
        self.home().join("bin")
    }

    /// Whether a folder has all its programs, at this version.
    pub fn is_in(&self, folder: &Path) -> bool {
        self.programs.iter().all(|name| {
            system::output(Command::new(program(folder, name)).arg("--version"))
                .is_some_and(|text| text.split_whitespace().nth(1) == Some(self.version))
        })
    }

    /// The folder of its programs: that on the PATH, or the one in the cache, filled when need be.
    pub fn ensure(&self) -> Result<PathBuf> {
        let on_path = self.programs.first().and_then(|name| system::find(name));
        if let Some(folder) = on_path.as_deref().and_then(Path::parent)
            && self.is_in(folder)
        {
            return Ok(folder.to_path_buf());
        }
        if !self.is_in(&self.folder()) {
            self.install()?;
        }
        Ok(self.folder())
    }

    /// The same for programs that do not tell their version: those in the cache, whose folder does.
    pub fn ensure_cached(&self) -> Result<PathBuf> {
        let folder = self.folder();
        if !self
            .programs
            .iter()
            .all(|name| program(&folder, name).is_file())
        {
            self.install()?;
        }
        Ok(folder)
    }

    fn install(&self) -> Result<()> {
        let Self {
            package, version, ..
        } = self;
        let mut cargo = Command::new("cargo");
        cargo
            .args(["install", package, "--version", version])
            .args(self.programs.iter().flat_map(|name| ["--bin", name]))
            .args(self.features.iter().flat_map(|name| ["--features", name]))
            .arg("--force")
            .arg("--root")
            .arg(self.home())
            // A tool that runs for a second: quick to build matters more than quick to run.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
            .env_remove("CARGO_TARGET_DIR");
        progress::run(&format!("{package} {version}"), &mut cargo)?.or_fail(&format!(
            "Install it, then try again:\n    cargo install {package} --version {version}"
        ))?;
        Ok(())
    }

    fn home(&self) -> PathBuf {
        let name = self.package.trim_end_matches("-cli");
        repo::tools().join(format!("{name}-{}", self.version))
    }
}

/// A program of a folder.
pub fn program(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
