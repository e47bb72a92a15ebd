//! `cargo xtask build`: builds the UI and the service binary.

use std::path::PathBuf;
use std::process::Command;
use std::{env, thread};

use anyhow::{Result, anyhow};
use clap::Args;

use self::module::Kind;
use crate::{progress, repo, setup};

pub mod assets;
pub mod module;
pub mod scripts;
pub mod split;
pub mod stamp;
pub mod style;

const PROGRAM: &str = "lead-workspace";

#[derive(Args)]
pub struct Options {
    /// Optimize both. Split the UI's Wasm and compress its files, into target/dist.
    #[arg(long)]
    release: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// In the profile `dev`, the UI in one Wasm file: for `cargo xtask start`.
    Dev,
    /// Optimized, the UI also split, minified and precompressed: for serving over a network.
    Release,
}

impl Flavour {
    /// Returns what the option `--release` chooses.
    pub fn of(release: bool) -> Self {
        match release {
            true => Self::Release,
            false => Self::Dev,
        }
    }

    /// Returns the folder of the finished UI.
    pub fn folder(self) -> PathBuf {
        repo::target().join(match self {
            Self::Dev => "dist-dev",
            Self::Release => "dist",
        })
    }

    /// Returns the module of the UI.
    fn module(self) -> Kind {
        match self {
            Self::Dev => Kind::App,
            Self::Release => Kind::SplitApp,
        }
    }

    /// Returns where cargo puts the service.
    fn program(self) -> PathBuf {
        let folder = match self {
            Self::Dev => "debug",
            Self::Release => "release",
        };
        let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
        repo::target().join(folder).join(name)
    }
}

/// Builds the UI and returns its folder. Skips what is up to date.
pub fn ui(flavour: Flavour) -> Result<PathBuf> {
    assets::assemble(flavour, &module::build(flavour.module())?)
}

/// Builds the service and returns the path of its binary.
pub fn service(flavour: Flavour) -> Result<PathBuf> {
    let mut cargo = setup::cargo();
    cargo
        .args(["build", "--locked", "--package", "lead-workspace-service"])
        .args(["--bin", PROGRAM]);
    if flavour == Flavour::Release {
        cargo.arg("--release");
    }
    finish_service(flavour, &mut cargo)
}

/// Builds the native tests, and returns the path of the service that comes with them. Cargo would compile most of its
/// packages again for the service alone, because the tests need more of their features.
pub fn service_of_tests() -> Result<PathBuf> {
    let mut cargo = setup::cargo_of_tests("test")?;
    finish_service(Flavour::Dev, cargo.arg("--no-run"))
}

fn finish_service(flavour: Flavour, cargo: &mut Command) -> Result<PathBuf> {
    progress::run("service", cargo)?.or_fail("Fix the compiler errors above, then try again.")?;
    Ok(flavour.program())
}

/// Builds the UI and the service at the same time, as the last steps of the UI run on a single core. Returns the folder
/// of the UI and the path of the service.
pub fn ui_and_service(flavour: Flavour) -> Result<(PathBuf, PathBuf)> {
    // First, because the UI needs it as soon as it is compiled.
    setup::bindgen()?;
    thread::scope(|scope| {
        let service = || scope.spawn(|| service(flavour));
        // In the profile `dev` both have one folder, which cargo locks. Then the service is compiled during the last step of
        // the UI, which is not cargo's.
        let at_once = (flavour == Flavour::Release).then(service);
        let compiled = module::compile(flavour.module())?;
        let service = at_once.unwrap_or_else(service);
        let module = compiled.finish();
        let folder = module.and_then(|module| assets::assemble(flavour, &module));
        let program = service
            .join()
            .map_err(|_| anyhow!("the build of the service panicked"))?;
        Ok((folder?, program?))
    })
}

/// `cargo xtask build`: builds the UI and the service, after setting up the tools they need.
pub fn run(options: &Options) -> Result<()> {
    let (folder, program) = ui_and_service(Flavour::of(options.release))?;
    println!("UI       {}", repo::relative(&folder));
    println!("service  {}", repo::relative(&program));
    Ok(())
}
