//! The Rust toolchain that compiles for the browser.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::{debian, system};
use crate::{progress, repo};

/// The target of everything that runs in the browser.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// A toolchain that has the standard library for [`TARGET`].
pub enum Toolchain {
    /// The active toolchain, used as it is.
    Active,
    /// Debian's Rust next to the active toolchain, used for Wasm only.
    Debian(debian::Rust),
}

impl Toolchain {
    /// Returns a cargo command that builds for the browser, with its own output folder.
    pub fn cargo(&self) -> Command {
        let mut cargo = match self.folder() {
            Some(folder) => Command::new(folder.join("cargo")),
            None => Command::new("cargo"),
        };
        cargo
            .current_dir(repo::root())
            .envs(self.env())
            .env("CARGO_TARGET_DIR", repo::wasm_target());
        if let Self::Debian(_) = self {
            // `cargo run` sets this to the active toolchain's libraries.
            cargo.env_remove("LD_LIBRARY_PATH");
        }
        cargo
    }

    /// Returns the output of `rustc -vV`. Another compiler may build a different module from the same source.
    pub fn version(&self) -> Option<String> {
        let rustc = self
            .folder()
            .map_or("rustc".into(), |folder| folder.join("rustc"));
        let mut command = Command::new(rustc);
        command
            .arg("-vV")
            .current_dir(repo::root())
            .envs(self.env());
        system::output(&mut command)
    }

    /// Returns the folder to search for `cargo` and `rustc` before the PATH, if any.
    pub fn folder(&self) -> Option<PathBuf> {
        match self {
            Self::Active => None,
            Self::Debian(rust) => rust.folder(),
        }
    }

    /// Returns the other variables that make `cargo` and `rustc` use this toolchain.
    pub fn env(&self) -> Vec<(&'static str, OsString)> {
        match self {
            Self::Active => Vec::new(),
            Self::Debian(rust) => rust.env(),
        }
    }
}

/// Finds the toolchain, and installs the target if it is missing: with rustup, or else with Debian's packages.
pub fn ensure() -> Result<Toolchain> {
    if system::find("cargo").is_none() {
        bail!("Rust is missing. Install it from https://rustup.rs, then try again.");
    }
    if active_has_target() {
        return Ok(Toolchain::Active);
    }
    if let Some(rust) = debian::Rust::installed() {
        return Ok(Toolchain::Debian(rust));
    }
    if system::find("rustup").is_some() {
        let mut add = Command::new("rustup");
        let added = progress::run(
            "wasm32 target, by rustup",
            add.args(["target", "add", TARGET]),
        )?;
        if added.ok && active_has_target() {
            return Ok(Toolchain::Active);
        }
        progress::note("rustup could not download the target; trying the system's packages");
    }
    if debian::available() {
        return debian::install().map(Toolchain::Debian);
    }
    bail!(
        "the Rust target {TARGET} is missing and could not be installed. Install it, then try again:\n    \
         rustup target add {TARGET}"
    );
}

fn active_has_target() -> bool {
    system::output(Command::new("rustc").args(["--print", "sysroot"]))
        .is_some_and(|sysroot| has_target(Path::new(&sysroot)))
}

/// Returns whether a sysroot has the standard library for [`TARGET`].
pub fn has_target(sysroot: &Path) -> bool {
    library_folder(sysroot).read_dir().is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with("libstd-") && name.ends_with(".rlib")
        })
    })
}

/// Returns the folder of a sysroot for the libraries of [`TARGET`].
pub fn library_folder(sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib").join(TARGET).join("lib")
}
