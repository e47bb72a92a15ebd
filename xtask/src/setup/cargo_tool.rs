//! Command-line tools built by cargo, each in its own folder of the tool cache.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::system;
use crate::{progress, repo};

/// A package of the registry, at one version.
pub struct CargoTool<'a> {
    pub package: &'a str,
    pub version: &'a str,
    /// The programs used from the package.
    pub programs: &'a [&'a str],
    /// The features that the programs need.
    pub features: &'a [&'a str],
}

impl CargoTool<'_> {
    /// Returns the folder of its programs in the tool cache.
    pub fn folder(&self) -> PathBuf {
        self.home().join("bin")
    }

    /// Returns whether a folder has all its programs at this version.
    pub fn is_in(&self, folder: &Path) -> bool {
        self.programs.iter().all(|name| {
            system::output(Command::new(program(folder, name)).arg("--version"))
                .is_some_and(|text| text.split_whitespace().nth(1) == Some(self.version))
        })
    }

    /// Returns the folder of its programs: on the PATH, or in the cache, where they are installed if needed.
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

    /// Like [`Self::ensure`], for programs without `--version`: looks only in the cache, whose folder name has the
    /// version.
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
            // These tools run for a second, so build time matters more than run time.
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

/// Returns the path of a program in a folder.
pub fn program(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
