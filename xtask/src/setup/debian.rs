//! Debian's Rust, for machines where rustup cannot download a target.
//!
//! Debian packages a current compiler with the source of its standard library, but without a build of it for the
//! browser. That is built here, once.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::rust_target::{TARGET, has_target, library_folder};
use super::system;
use crate::{progress, repo};

const PACKAGES: [&str; 5] = [
    "rustc-web",
    "cargo-web",
    "rust-web-src",
    "rust-web-clippy",
    "lld-22",
];
const SYSROOT: &str = "/usr";
const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
const LINKER: &str = "/usr/bin/wasm-ld-22";
/// The name of the toolchain in rustup: `cargo +lead-workspace-wasm`.
const NAME: &str = "lead-workspace-wasm";
/// Stores the version of the compiler that built the library. An upgrade makes the library stale.
const STAMP: &str = "lead-workspace-rustc-version";

/// Debian's compiler with the browser target.
pub struct Rust {
    rustup: bool,
}

impl Rust {
    /// Returns the compiler if it has the target, and was not upgraded since the library was built.
    pub fn installed() -> Option<Self> {
        let version = version()?;
        let library = library_folder(Path::new(SYSROOT));
        let stamp = fs::read_to_string(library.join(STAMP));
        // Without a stamp, a package installed the library and keeps it current.
        let current = stamp.map_or(true, |stamp| stamp.trim() == version);
        if !has_target(Path::new(SYSROOT)) || !current {
            return None;
        }
        let rustup = system::find("rustup").is_some();
        (!rustup || is_linked()).then_some(Self { rustup })
    }

    /// Returns the folder of its programs. None if rustup selects the toolchain.
    pub fn folder(&self) -> Option<PathBuf> {
        (!self.rustup).then(|| Path::new(SYSROOT).join("bin"))
    }

    /// Returns the variables that make `cargo` and `rustc` use this compiler, with a linker that it finds.
    pub fn env(&self) -> Vec<(&'static str, OsString)> {
        let mut env = vec![("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", LINKER.into())];
        if self.rustup {
            env.push(("RUSTUP_TOOLCHAIN", NAME.into()));
        } else {
            env.push(("RUSTC", RUSTC.into()));
        }
        env
    }
}

/// Returns whether this machine can install it.
pub fn available() -> bool {
    system::has_apt() && PACKAGES.iter().all(|package| system::apt_knows(package))
}

/// Installs the packages, builds the standard library and links the toolchain.
pub fn install() -> Result<Rust> {
    system::apt_install("wasm32 target, by apt-get", &PACKAGES)?;
    let Some(version) = version() else {
        bail!("{RUSTC} does not run although its package is installed");
    };
    let library = library_folder(Path::new(SYSROOT));
    if !has_target(Path::new(SYSROOT)) || library.join(STAMP).exists() {
        let built = build_library()?;
        place(&built, &library, &version)?;
    }
    let rustup = system::find("rustup").is_some();
    if rustup {
        let mut link = Command::new("rustup");
        progress::run(
            "wasm32 target, link",
            link.args(["toolchain", "link", NAME, SYSROOT]),
        )?
        .or_fail("Check `rustup toolchain list`, then try again.")?;
    }
    Ok(Rust { rustup })
}

/// Builds std for the browser in a temporary package. Returns the folder of its libraries.
fn build_library() -> Result<PathBuf> {
    let package = repo::target().join("xtask").join("wasm-std");
    fs::create_dir_all(package.join("src"))?;
    let manifest = "[workspace]\n[package]\nname = \"throwaway\"\nedition = \"2024\"\n";
    fs::write(package.join("Cargo.toml"), manifest)?;
    fs::write(package.join("src/lib.rs"), "")?;
    let mut cargo = Command::new(CARGO);
    cargo
        .args(["build", "--release", "--target", TARGET])
        .args([
            "-Z",
            "build-std=std,panic_abort,panic_unwind,proc_macro,test",
        ])
        .current_dir(&package)
        .env("CARGO_TARGET_DIR", package.join("target"))
        .env("RUSTC", RUSTC)
        // build-std is unstable; Debian builds its own library with it on the stable compiler, too.
        .env("RUSTC_BOOTSTRAP", "1")
        // Without bitcode in the library, link-time optimization fails.
        .env("RUSTFLAGS", "-Cembed-bitcode=yes")
        .env_remove("LD_LIBRARY_PATH");
    progress::run("wasm32 target, standard library", &mut cargo)?
        .or_fail("Try again; if it fails again, install the target with rustup on a machine that can download it.")?;
    let built = package.join("target").join(TARGET).join("release/deps");
    Ok(built)
}

/// Copies the libraries into the compiler's sysroot, with a stamp of the compiler's version.
fn place(built: &Path, library: &Path, version: &str) -> Result<()> {
    let stamp = built.join(STAMP);
    fs::write(&stamp, version)?;
    let rlibs: Vec<PathBuf> = fs::read_dir(built)
        .context("the built standard library is missing")?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "rlib"))
        .filter(|path| !path.to_string_lossy().contains("libthrowaway-"))
        .collect();
    // Two builds of std in one folder would be ambiguous to the compiler.
    root_command("rm", |rm| rm.arg("-rf").arg(library))?;
    root_command("mkdir", |mkdir| mkdir.arg("-p").arg(library))?;
    root_command("cp", |cp| cp.args(&rlibs).arg(&stamp).arg(library))
}

fn root_command(program: &str, fill: impl Fn(&mut Command) -> &mut Command) -> Result<()> {
    let Some(mut command) = system::as_root(program) else {
        bail!(
            "no permission to write to {SYSROOT}/lib/rustlib. Run `cargo xtask setup` once as root."
        );
    };
    progress::run(&format!("wasm32 target, {program}"), fill(&mut command))?
        .or_fail("Check the permissions of /usr/lib/rustlib, then try again.")?;
    Ok(())
}

fn version() -> Option<String> {
    let mut rustc = Command::new(RUSTC);
    system::output(rustc.arg("-vV").env_remove("LD_LIBRARY_PATH"))
}

fn is_linked() -> bool {
    system::output(Command::new("rustup").args(["toolchain", "list"]))
        .is_some_and(|list| list.lines().any(|line| line.starts_with(NAME)))
}
