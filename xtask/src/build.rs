//! `cargo xtask build`: builds the UI into `target/dist`, and the service binary.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use self::module::Kind;
use crate::setup::{self, WasmTools};
use crate::{progress, repo};

mod assets;
mod loader;
pub mod module;
mod pack;
mod snippets;
pub mod split;
pub mod stamp;
pub mod style;

const PROGRAM: &str = "lead-workspace";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// Profile `wasm`, optimized by Binaryen, minified and precompressed: the shipped build.
    Release,
    /// Profile `dev`, not optimized: quick to build, with debug names.
    Debug,
}

impl Flavour {
    /// Returns the folder that holds the finished UI.
    pub fn folder(self) -> PathBuf {
        repo::target().join(match self {
            Self::Release => "dist",
            Self::Debug => "dist-debug",
        })
    }
}

/// Builds the UI and returns its folder. Skips what is up to date.
pub fn ui(tools: &WasmTools, flavour: Flavour) -> Result<PathBuf> {
    let module = module::build(tools, Kind::App, flavour)?;
    assets::assemble(tools, flavour, &module)
}

/// Builds the service and returns the path of its binary.
pub fn service(flavour: Flavour) -> Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(repo::root())
        .env("CARGO_TARGET_DIR", repo::target())
        .args(["build", "--locked", "--package", "lead-workspace-service"])
        .args(["--bin", PROGRAM]);
    let profile = match flavour {
        Flavour::Release => {
            cargo.arg("--release");
            "release"
        }
        Flavour::Debug => "debug",
    };
    progress::run(&format!("service, {profile} build"), &mut cargo)?
        .or_fail("Fix the compiler errors above, then try again.")?;
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    Ok(repo::target().join(profile).join(name))
}

/// `cargo xtask build`: builds the UI and the service, after setting up the tools they need.
pub fn all(flavour: Flavour) -> Result<()> {
    let tools = setup::wasm()?;
    let folder = ui(&tools, flavour)?;
    let program = service(flavour)?;
    println!("UI       {}", repo::relative(&folder));
    println!("service  {}", repo::relative(&program));
    Ok(())
}
