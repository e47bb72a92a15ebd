//! The Wasm modules: compiled by cargo, bound to JavaScript, made small.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result};

use super::Flavour;
use super::loader::Addresses;
use super::snippets;
use super::split::{self, Cut};
use super::stamp::{self, Inputs};
use crate::setup::{TARGET, WasmTools, npm, system};
use crate::{progress, repo};

/// The crate's library name: what cargo calls the compiled file.
const LIBRARY: &str = "lead_workspace";

/// The stack of a release module, in bytes: half of what rustc would ask the linker for. All of it is memory of the page from
/// the start.
const STACK: u32 = 512 * 1024;

/// What a module is compiled of; everything else is decided by a change in these.
const SOURCES: [&str; 5] = [
    "src",
    "crates/api",
    "Cargo.toml",
    "Cargo.lock",
    ".cargo/config.toml",
];

/// What else a module passes through.
const SCRIPTS: [&str; 5] = [
    "wasm.mjs",
    "unused.mjs",
    "order.mjs",
    "optimize.mjs",
    "shorten.mjs",
];

/// The faces of the crate that become a module of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The review app, as the service serves it.
    App,
    /// The client for JavaScript, without Leptos: the npm package's main entry.
    Client,
    /// The review UI for pages of others: the npm package's `./ui`.
    Review,
}

impl Kind {
    /// The feature of the crate that makes it.
    fn feature(self) -> &'static str {
        match self {
            Self::App => "ui",
            Self::Client => "js",
            Self::Review => "embed",
        }
    }

    /// The stem of the module's files.
    fn stem(self) -> &'static str {
        match self {
            Self::App => LIBRARY,
            Self::Client => "client",
            Self::Review => "review",
        }
    }

    /// The name of the Wasm file.
    fn wasm(self) -> String {
        match self {
            // As the page preloads it.
            Self::App => bound_name(self),
            Self::Client | Self::Review => format!("{}.wasm", self.stem()),
        }
    }

    /// What wasm-bindgen is told besides where to write.
    fn bindgen_options(self) -> &'static [&'static str] {
        match self {
            Self::App => &["--no-typescript"],
            // The package's loader knows where the Wasm is, so the glue must not name it a second
            // time to bundlers. Recovery from a panic takes no option: the abort handler would need
            // Wasm exceptions with references, which Node 20 and browsers before 2025 cannot read.
            Self::Client | Self::Review => &["--no-typescript", "--omit-default-module-path"],
        }
    }

    /// How pages are cut out of it. Where all is quick to build and near, it stays whole.
    fn cut(self, flavour: Flavour) -> Option<Cut> {
        let cut = |prefix, small, glue, through_asset| Cut {
            stem: self.stem(),
            prefix,
            small,
            addresses: Addresses {
                glue,
                through_asset,
            },
        };
        match (self, flavour) {
            (Self::Client, _) | (_, Flavour::Debug) => None,
            (Self::App, Flavour::Release) => Some(cut("", 2_500, "./lead_workspace.js", false)),
            // Vite puts files of up to 4,096 bytes into the script, as addresses that a strict
            // Content-Security-Policy does not let it load.
            (Self::Review, Flavour::Release) => Some(cut("review-", 4_096, "./review.js", true)),
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::App => "UI",
            Self::Client => "client module",
            Self::Review => "review module",
        }
    }
}

/// The module's folder, and the fingerprint of what it was made of.
pub struct Module {
    pub folder: PathBuf,
    pub fingerprint: String,
}

impl Module {
    /// The files of the module: glue, Wasm, and the JavaScript that the glue imports.
    pub fn files(&self) -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(&self.folder).context("the module's folder is gone")?;
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| path.extension().is_some());
        files.sort();
        Ok(files)
    }
}

/// Builds a module, unless it is current.
pub fn build(tools: &WasmTools, kind: Kind, flavour: Flavour) -> Result<Module> {
    let name = match (kind, flavour) {
        (Kind::App, Flavour::Release) => "module".to_owned(),
        (Kind::App, Flavour::Debug) => "module-debug".to_owned(),
        (kind, Flavour::Release) => kind.stem().to_owned(),
        (kind, Flavour::Debug) => format!("{}-debug", kind.stem()),
    };
    let folder = repo::target().join("xtask").join(name);
    let fingerprint = fingerprint(tools, kind, flavour)?;
    let stamp = folder.join(STAMP);
    if !stamp::is_current(&stamp, &fingerprint) {
        let compiled = compile(tools, kind, flavour)?;
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        bind(tools, kind, flavour, &compiled, &folder)?;
        fs::write(&stamp, &fingerprint)?;
    }
    Ok(Module {
        folder,
        fingerprint,
    })
}

/// Without an extension, so that it is not among the module's files.
const STAMP: &str = ".stamp";

/// Cargo has one place for the compiled library whatever its features, and compiles again each time
/// they change. So it is asked only when a source changed since this kind was built.
fn fingerprint(tools: &WasmTools, kind: Kind, flavour: Flavour) -> Result<String> {
    let mut inputs = Inputs::of_recipe(include_str!("module.rs"));
    inputs.add(include_str!("snippets.rs"));
    inputs.add(include_str!("split.rs"));
    inputs.add(include_str!("pack.rs"));
    inputs.add(include_str!("loader.rs"));
    inputs.add(include_str!("parts.js"));
    inputs.add(include_str!("../setup/wasm_split.rs"));
    inputs.add((kind.stem(), flavour == Flavour::Release));
    inputs.add(tools.toolchain.version());
    inputs.add(env::var_os("RUSTFLAGS"));
    for source in SOURCES {
        inputs.add_all(&repo::root().join(source))?;
    }
    inputs.add_file(&tools.npm.join("package-lock.json"))?;
    for script in SCRIPTS {
        inputs.add_file(&tools.npm.join(script))?;
    }
    Ok(inputs.fingerprint())
}

/// Compiles the crate for the browser; returns the raw Wasm file.
fn compile(tools: &WasmTools, kind: Kind, flavour: Flavour) -> Result<PathBuf> {
    let (profile, folder) = match flavour {
        Flavour::Release => ("wasm", "wasm"),
        Flavour::Debug => ("dev", "debug"),
    };
    // With both crate types cargo silently leaves link-time optimisation out.
    let mut cargo = tools.toolchain.cargo();
    cargo
        .args(["rustc", "--locked", "--package", "lead-workspace", "--lib"])
        .args(["--crate-type", "cdylib", "--target", TARGET])
        .args(["--no-default-features", "--features", kind.feature()])
        // Its allocator: nobody else's program is around it.
        .args(["--features", "module"])
        .args(["--profile", profile]);
    if let Some(registry) = system::registry_sources() {
        // Panic messages name source files: under their crate's name they are shorter, and what is
        // shipped does not tell whose machine built it.
        cargo.arg("--config").arg(format!(
            "target.{TARGET}.rustflags=['--remap-path-prefix={}=']",
            registry.display()
        ));
    }
    let is_cut = kind.cut(flavour).is_some();
    if is_cut {
        cargo.args(["--features", split::FEATURE]);
    }
    cargo.arg("--");
    if flavour == Flavour::Release {
        cargo.arg(format!("-Clink-arg=-zstack-size={STACK}"));
    }
    if is_cut {
        cargo.args(split::RUSTC_OPTIONS);
    }
    progress::run(&format!("{}, {profile} build", kind.label()), &mut cargo)?
        .or_fail("Mend what the compiler names, then try again.")?;
    Ok(repo::wasm_target()
        .join(TARGET)
        .join(folder)
        .join(format!("{LIBRARY}.wasm")))
}

/// Makes the module from the compiled Wasm.
fn bind(
    tools: &WasmTools,
    kind: Kind,
    flavour: Flavour,
    compiled: &Path,
    folder: &Path,
) -> Result<()> {
    let cut = kind.cut(flavour);
    if let Some(cut) = cut {
        let rest = split::cut(compiled, cut, folder)?;
        wasm_bindgen(tools, kind, flavour, &rest, folder)?;
        split::clear(folder)?;
    } else {
        wasm_bindgen(tools, kind, flavour, compiled, folder)?;
    }
    let wasm = folder.join(kind.wasm());
    fs::rename(folder.join(bound_name(kind)), &wasm)?;
    let glue = folder.join(format!("{}.js", kind.stem()));
    snippets::flatten(folder, &glue)?;
    if flavour == Flavour::Release {
        script(tools, kind, "unused.mjs", &[&wasm, &glue])?;
        script(tools, kind, "optimize.mjs", &[&wasm])?;
        script(tools, kind, "shorten.mjs", &[&wasm, &glue])?;
        // The client's stays readable, for stack traces: what a page is told of comes through it.
        if kind != Kind::Client {
            minify(tools, &glue)?;
        }
    }
    if let Some(cut) = cut {
        let parts = split::parts(folder)?;
        let parts: Vec<&Path> = parts.iter().map(PathBuf::as_path).collect();
        script(tools, kind, "optimize.mjs", &parts)?;
        split::finish(folder, cut)?;
        minify(tools, &split::loader(folder))?;
    }
    Ok(())
}

/// Shrinks a JavaScript module in place.
pub fn minify(tools: &WasmTools, file: &Path) -> Result<()> {
    let mut terser = Command::new(npm::node()?);
    terser
        .arg(tools.npm.join("node_modules/terser/bin/terser"))
        .arg(file)
        .args(["--module", "--compress", "--mangle", "--output"])
        .arg(file);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    progress::run(&format!("minify {name}"), &mut terser)?
        .or_fail("The file is not JavaScript that terser understands.")?;
    Ok(())
}

fn wasm_bindgen(
    tools: &WasmTools,
    kind: Kind,
    flavour: Flavour,
    compiled: &Path,
    out: &Path,
) -> Result<()> {
    let mut bindgen = Command::new(&tools.programs.bindgen);
    bindgen
        .args(["--target", "web", "--out-name", kind.stem()])
        .args(kind.bindgen_options())
        .arg("--out-dir")
        .arg(out)
        .arg(compiled);
    if flavour == Flavour::Debug {
        bindgen.arg("--keep-debug");
    }
    if kind.cut(flavour).is_some() {
        // The parts find the functions of the module in its table.
        bindgen.arg("--keep-lld-exports");
    }
    progress::run(&format!("{}, wasm-bindgen", kind.label()), &mut bindgen)?
        .or_fail("The crate's JavaScript face does not bind; see the message above.")?;
    Ok(())
}

/// Has a script of the npm tools work on some files.
fn script(tools: &WasmTools, kind: Kind, name: &str, files: &[&Path]) -> Result<()> {
    let mut script = Command::new(npm::node()?);
    script.arg(tools.npm.join(name)).args(files);
    progress::run(&format!("{}, {name}", kind.label()), &mut script)?.or_fail(
        "The script does not understand what the compiler or wasm-bindgen wrote; see the message above.",
    )?;
    Ok(())
}

/// What wasm-bindgen calls the Wasm file.
fn bound_name(kind: Kind) -> String {
    format!("{}_bg.wasm", kind.stem())
}
