//! Builds the Wasm modules: compiles with cargo, runs wasm-bindgen, and optimizes for size.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, fs};

use anyhow::Result;

use super::scripts::{ignore_stale_callbacks, minify, remove_streams};
use super::split::{self, SplitOptions};
use super::stamp::{self, Inputs};
use crate::setup::{self, TARGET, npm, system};
use crate::{progress, repo};

/// The crate's library name, which is the stem of the compiled file.
const LIBRARY: &str = "lead_workspace";

/// The stack of an optimized module in bytes: half of rustc's default. All of it is allocated when the module is
/// instantiated.
const STACK: u32 = 512 * 1024;

/// The same without optimization: the frames are several times as large.
const STACK_IN_DEV: u32 = 8 * STACK;

/// Compiles the standard library for size. The one that comes with the compiler is optimized for speed.
const FOR_SIZE: &str = "-Zbuild-std-features=optimize_for_size";

/// Leaves out the place in the sources of each possible panic. The stack of the trap has the position in the Wasm file.
const NO_PLACES: &str = "'-Zlocation-detail=none'";

/// Compiles the standard library with the module.
const WITH_STD: [&str; 1] = ["-Zbuild-std=std,panic_abort"];

/// The same, without the messages of panics and the code that writes them: the first page of the app is 10 kB smaller. A
/// panic is a trap, which `www/boot.js` shows. Not for the modules of the package, whose scripts a panic hook informs:
/// the client would be 2 kB smaller.
const WITHOUT_MESSAGES: [&str; 4] = [
    "-Zbuild-std=std",
    "-Zpanic-immediate-abort",
    "--config",
    "profile.wasm.panic=\"immediate-abort\"",
];

/// `{:?}` writes nothing, which is 2 kB less. Besides messages of panics, only serde uses it: its message about a text
/// of a wrong type does not have the text.
const NO_DEBUG: &str = "'-Zfmt-debug=none'";

/// wasm-bindgen would read the debug information, more than half of the file, and leave it out.
const NO_DEBUG_INFO: &str = "-Cstrip=debuginfo";

/// The splitter and the optimizer read the names of the functions.
const KEEP_NAMES: &str = "-Cstrip=none";

/// The sources of every module. A change in one of them triggers a rebuild.
const SOURCES: [&str; 4] = [
    "crates/api",
    "Cargo.toml",
    "Cargo.lock",
    ".cargo/config.toml",
];

/// Whether a warning of the compiler fails a release build.
static DENIES_WARNINGS: AtomicBool = AtomicBool::new(false);

/// Makes a warning of the compiler fail each release build from now on, for the tests: only these builds leave out some of
/// the crate's features. With a newer compiler, users may get new warnings.
pub fn deny_warnings() {
    DENIES_WARNINGS.store(true, Ordering::Relaxed);
}

/// The variants of the crate that are built as modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The review app in one file, not optimized.
    App,
    /// The review app, with lazily loaded parts.
    SplitApp,
    /// The client for JavaScript, without Leptos: the npm package's main entry.
    Client,
    /// The review UI for embedding in other pages, with lazily loaded parts: the npm package's `./ui`.
    Review,
    /// The workspace in memory, a crate of its own: the npm package's `./testing`.
    Memory,
}

impl Kind {
    /// Returns the crate that is compiled.
    fn package(self) -> &'static str {
        match self {
            Self::Memory => "lead-workspace-memory",
            _ => "lead-workspace",
        }
    }

    /// Returns the folders with its sources, besides [`SOURCES`].
    fn sources(self) -> &'static [&'static str] {
        match self {
            Self::Memory => &[
                "crates/demo",
                "crates/import",
                "crates/index",
                "crates/logic",
                "crates/memory",
            ],
            _ => &["src"],
        }
    }

    /// Returns the crate features that it needs. `module` adds the crate's own allocator, and only the methods that
    /// the npm package's scripts call.
    fn features(self) -> &'static str {
        match self {
            Self::App => "module,ui",
            Self::SplitApp => "module,ui,split",
            Self::Client => "module,js",
            Self::Review => "module,embed,split",
            Self::Memory => "",
        }
    }

    fn profile(self) -> &'static str {
        match self.is_release() {
            false => "dev",
            true => "wasm",
        }
    }

    fn stem(self) -> &'static str {
        match self {
            Self::App | Self::SplitApp => LIBRARY,
            Self::Client => "client",
            Self::Review => "review",
            Self::Memory => "memory",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::App => "UI",
            Self::SplitApp => "UI, split",
            Self::Client => "client module",
            Self::Review => "review module",
            Self::Memory => "memory module",
        }
    }

    /// Returns whether the module is smaller and faster than that of the profile `dev`, and takes longer to build.
    fn is_release(self) -> bool {
        self != Self::App
    }

    /// Returns how pages are split off for lazy loading.
    fn split_options(self) -> Option<SplitOptions> {
        let options = |prefix, through_asset| SplitOptions {
            stem: self.stem(),
            prefix,
            through_asset,
        };
        match self {
            Self::App | Self::Client | Self::Memory => None,
            Self::SplitApp => Some(options("", false)),
            Self::Review => Some(options("review-", true)),
        }
    }
}

/// The module's folder, and the fingerprint of its inputs.
pub struct Module {
    pub folder: PathBuf,
    pub fingerprint: String,
}

/// Has no extension, so that [`Module::files`] does not list it.
const STAMP: &str = ".stamp";

impl Module {
    /// Returns the module's files with their names: glue, Wasm, and the scripts that the glue imports.
    pub fn files(&self) -> Result<Vec<(PathBuf, PathBuf)>> {
        let mut files = repo::files_below(&self.folder)?;
        files.retain(|(path, _)| path.extension().is_some());
        Ok(files)
    }
}

/// Builds a module, unless it is current.
///
/// Cargo has one output path for the library regardless of features, and recompiles whenever they change. The
/// fingerprint avoids calling cargo unless an input changed since this kind was last built.
pub fn build(kind: Kind) -> Result<Module> {
    compile(kind)?.finish()
}

/// A module that cargo has compiled.
pub struct Compiled {
    kind: Kind,
    module: Module,
    /// None if the module is current.
    raw: Option<PathBuf>,
}

/// Runs cargo: the first part of [`build`].
pub fn compile(kind: Kind) -> Result<Compiled> {
    setup::target()?;
    let folder = repo::target()
        .join("xtask")
        .join(format!("{kind:?}").to_lowercase());
    let fingerprint = fingerprint(kind)?;
    let mut raw = None;
    if !stamp::is_current(&folder.join(STAMP), &fingerprint) {
        // Before the long part: Node may be missing.
        if kind.is_release() {
            setup::npm_tools()?;
            setup::library_source()?;
        }
        raw = Some(run_cargo(kind)?);
    }
    Ok(Compiled {
        kind,
        module: Module {
            folder,
            fingerprint,
        },
        raw,
    })
}

impl Compiled {
    /// Finishes the module, unless it is current.
    pub fn finish(self) -> Result<Module> {
        let Self { kind, module, raw } = self;
        if let Some(raw) = raw {
            repo::clear(&module.folder)?;
            bind(kind, &raw, &module.folder)?;
            fs::write(module.folder.join(STAMP), &module.fingerprint)?;
        }
        Ok(module)
    }
}

/// Returns the fingerprint of everything that the module is built from.
fn fingerprint(kind: Kind) -> Result<String> {
    let mut inputs = Inputs::of_recipe(concat!(
        include_str!("module.rs"),
        include_str!("scripts.rs"),
        include_str!("split.rs"),
        include_str!("parts_prelude.js"),
        include_str!("../setup/cargo_tool.rs"),
    ));
    inputs.add(kind.features());
    inputs.add(system::output(Command::new("rustc").arg("-vV")));
    inputs.add(env::var_os("RUSTFLAGS"));
    for source in SOURCES.iter().chain(kind.sources()) {
        inputs.add_all(&repo::root().join(source))?;
    }
    if kind.is_release() {
        for name in [
            "package-lock.json",
            "optimize.mjs",
            "order.mjs",
            "shorten.mjs",
            "wasm-reader.mjs",
        ] {
            inputs.add_file(&repo::root().join("xtask/npm").join(name))?;
        }
    }
    Ok(inputs.fingerprint())
}

/// Compiles the crate for the browser. Returns the path of the raw Wasm file.
fn run_cargo(kind: Kind) -> Result<PathBuf> {
    // With both crate types, cargo silently skips link-time optimization.
    let mut cargo = setup::cargo();
    cargo
        .args(["rustc", "--locked", "--package", kind.package(), "--lib"])
        .args(["--crate-type", "cdylib", "--target", TARGET])
        .args(["--no-default-features", "--features", kind.features()])
        .args(["--profile", kind.profile()]);
    if kind.is_release() {
        // Stable cargo and rustc accept options that are not stable only with this variable.
        cargo.env("RUSTC_BOOTSTRAP", "1").arg(FOR_SIZE);
        if DENIES_WARNINGS.load(Ordering::Relaxed) {
            cargo.args(["-Zwarnings", "--config", "build.warnings=\"deny\""]);
        }
        let flags = match kind {
            Kind::SplitApp => {
                cargo.args(WITHOUT_MESSAGES);
                [NO_PLACES, NO_DEBUG].join(",")
            }
            _ => {
                cargo.args(WITH_STD);
                NO_PLACES.to_owned()
            }
        };
        cargo.args(["--config", &format!("target.{TARGET}.rustflags=[{flags}]")]);
    }
    let (folder, stack, symbols) = match kind.is_release() {
        false => ("debug", STACK_IN_DEV, NO_DEBUG_INFO),
        true => (kind.profile(), STACK, KEEP_NAMES),
    };
    cargo
        .arg("--")
        .arg(format!("-Clink-arg=-zstack-size={stack}"))
        .arg(symbols);
    if kind.split_options().is_some() {
        cargo.arg(split::RUSTC_OPTION);
    }
    progress::run(kind.label(), &mut cargo)?
        .or_fail("Fix the compiler errors above, then try again.")?;
    Ok(repo::target()
        .join(TARGET)
        .join(folder)
        .join(format!("{}.wasm", kind.package().replace('-', "_"))))
}

/// Runs wasm-bindgen and the size optimizations on the compiled Wasm.
fn bind(kind: Kind, compiled: &Path, folder: &Path) -> Result<()> {
    let options = kind.split_options();
    match options {
        Some(options) => {
            let rest = split::split(compiled, options, folder)?;
            wasm_bindgen(kind, &rest, folder)?;
            split::clear(folder)?;
        }
        None => wasm_bindgen(kind, compiled, folder)?,
    }
    if !kind.is_release() {
        return Ok(());
    }
    let glue = folder.join(format!("{}.js", kind.stem()));
    let mut wasm = folder.join(format!("{}_bg.wasm", kind.stem()));
    if kind != Kind::SplitApp {
        let bound = wasm;
        wasm = folder.join(format!("{}.wasm", kind.stem()));
        fs::rename(bound, &wasm)?;
    }
    let mut files = split::parts(folder)?;
    files.push(wasm.clone());
    script(kind, "optimize.mjs", &files)?;
    script(kind, "shorten.mjs", &[wasm, glue.clone()])?;
    if kind == Kind::Client {
        // Its glue stays readable for stack traces: errors that reach the page come through it.
        return ignore_stale_callbacks(&glue);
    }
    if options.is_some() {
        remove_streams(&glue)?;
    }
    minify(&glue)?;
    if options.is_some() {
        split::pad_small(&split::parts(folder)?)?;
        minify(&split::loader(folder))?;
    }
    Ok(())
}

/// Runs one of the npm scripts on some files.
fn script(kind: Kind, name: &str, files: &[PathBuf]) -> Result<()> {
    let mut script = npm::script(name)?;
    progress::run(&format!("{}, {name}", kind.label()), script.args(files))?.or_fail(
        "The script cannot process the output of the compiler or wasm-bindgen; see the message above.",
    )?;
    Ok(())
}

/// Runs wasm-bindgen.
fn wasm_bindgen(kind: Kind, compiled: &Path, out: &Path) -> Result<()> {
    let mut command = Command::new(setup::bindgen()?);
    command.arg(compiled).arg(kind.stem()).arg(out);
    if matches!(kind, Kind::Client | Kind::Review | Kind::Memory) {
        // The package's loader names the Wasm file, so the glue must not name it to bundlers a second time. There is
        // no option for panic recovery either: wasm-bindgen's abort handler would need Wasm exceptions with
        // references, which Node 20 and browsers before 2025 do not support.
        command.arg("--omit-default-module-path");
    }
    if kind.split_options().is_some() {
        // The parts look up the module's functions in its table.
        command.arg("--keep-lld-exports");
    }
    progress::run(&format!("{}, wasm-bindgen", kind.label()), &mut command)?
        .or_fail("wasm-bindgen rejected the crate's exports; see the message above.")?;
    Ok(())
}
