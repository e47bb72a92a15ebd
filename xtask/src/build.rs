//! `cargo xtask build`: the UI into `target/dist`, and the service's program.

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

/// The name of the service's program.
const PROGRAM: &str = "lead-workspace";

/// How the UI is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// Profile `wasm`, wasm-opt, minified and precompressed: what people get.
    Release,
    /// Profile `dev`, as the compiler left it: quick to build, with debug names.
    Debug,
}

impl Flavour {
    /// The folder that holds the finished UI.
    pub fn folder(self) -> PathBuf {
        repo::target().join(match self {
            Self::Release => "dist",
            Self::Debug => "dist-debug",
        })
    }
}

/// Builds the UI and returns its folder. Only what changed is done again.
pub fn ui(tools: &WasmTools, flavour: Flavour) -> Result<PathBuf> {
    let module = module::build(tools, Kind::App, flavour)?;
    assets::assemble(tools, flavour, &module)
}

/// Builds the service and returns its program.
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
        .or_fail("Mend what the compiler names, then try again.")?;
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    Ok(repo::target().join(profile).join(name))
}

/// `cargo xtask build`: both, with the set-up they need.
pub fn all(flavour: Flavour) -> Result<()> {
    let tools = setup::wasm()?;
    let folder = ui(&tools, flavour)?;
    let program = service(flavour)?;
    println!("UI       {}", repo::relative(&folder));
    println!("service  {}", repo::relative(&program));
    Ok(())
}
