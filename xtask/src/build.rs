//! `cargo xtask build`: builds the UI and the service binary.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use self::module::Kind;
use crate::{progress, repo, setup};

pub mod assets;
pub mod module;
pub mod split;
pub mod stamp;
pub mod style;

const PROGRAM: &str = "lead-workspace";

#[derive(Args)]
pub struct Options {
    /// Split the UI's Wasm, optimize and compress its files, into target/dist.
    #[arg(long)]
    release: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// One Wasm file, as the compiler wrote it: for `cargo xtask start` and the tests.
    Quick,
    /// Split, optimized, minified and precompressed: for serving over a network.
    Release,
}

impl Flavour {
    /// Returns the folder of the finished UI.
    pub fn folder(self) -> PathBuf {
        repo::target().join(match self {
            Self::Quick => "dist-quick",
            Self::Release => "dist",
        })
    }
}

/// Builds the UI and returns its folder. Skips what is up to date.
pub fn ui(flavour: Flavour) -> Result<PathBuf> {
    let kind = match flavour {
        Flavour::Quick => Kind::App,
        Flavour::Release => Kind::SplitApp,
    };
    assets::assemble(flavour, &module::build(kind)?)
}

/// Builds the service and returns the path of its binary.
pub fn service() -> Result<PathBuf> {
    let mut cargo = setup::cargo();
    cargo.args(["build", "--locked", "--release"]).args([
        "--package",
        "lead-workspace-service",
        "--bin",
        PROGRAM,
    ]);
    progress::run("service", &mut cargo)?
        .or_fail("Fix the compiler errors above, then try again.")?;
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    Ok(repo::target().join("release").join(name))
}

/// `cargo xtask build`: builds the UI and the service, after setting up the tools they need.
pub fn run(options: &Options) -> Result<()> {
    let folder = ui(match options.release {
        true => Flavour::Release,
        false => Flavour::Quick,
    })?;
    let program = service()?;
    println!("UI       {}", repo::relative(&folder));
    println!("service  {}", repo::relative(&program));
    Ok(())
}
