//! `cargo xtask build`: builds the UI and the service binary.

use std::path::PathBuf;
use std::thread;

use anyhow::{Result, anyhow};
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

/// Builds the UI and the service at the same time, as the compiler optimizes the UI's Wasm on a single core. Returns
/// the folder of the UI and the path of the service.
pub fn ui_and_service(flavour: Flavour) -> Result<(PathBuf, PathBuf)> {
    thread::scope(|scope| {
        let service = scope.spawn(|| {
            // First, because the UI needs it as soon as it is compiled.
            setup::wasm_bindgen()?;
            service()
        });
        let folder = ui(flavour);
        let program = service
            .join()
            .map_err(|_| anyhow!("the build of the service panicked"))?;
        Ok((folder?, program?))
    })
}

/// `cargo xtask build`: builds the UI and the service, after setting up the tools they need.
pub fn run(options: &Options) -> Result<()> {
    let (folder, program) = ui_and_service(match options.release {
        true => Flavour::Release,
        false => Flavour::Quick,
    })?;
    println!("UI       {}", repo::relative(&folder));
    println!("service  {}", repo::relative(&program));
    Ok(())
}
