//! Builds the Wasm modules: compiles with cargo, runs wasm-bindgen, and optimizes for size.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};

use super::Flavour;
use super::loader::Addresses;
use super::snippets;
use super::split::{self, Cut};
use super::stamp::{self, Inputs};
use crate::setup::{TARGET, WasmTools, npm, system};
use crate::{progress, repo};

/// The crate's library name, which is the stem of the compiled file.
const LIBRARY: &str = "lead_workspace";

/// The stack of a release module in bytes: half of rustc's default. All of it is allocated when the module is
/// instantiated.
const STACK: u32 = 512 * 1024;

/// The sources of a module. A change in one of them triggers a rebuild.
const SOURCES: [&str; 5] = [
    "src",
    "crates/api",
    "Cargo.toml",
    "Cargo.lock",
    ".cargo/config.toml",
];

/// The npm scripts that process a module. A change in one of them triggers a rebuild, too.
const SCRIPTS: [&str; 5] = [
    "wasm.mjs",
    "unused.mjs",
    "order.mjs",
    "optimize.mjs",
    "shorten.mjs",
];

/// The variants of the crate that are built as separate modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The review app that the service serves.
    App,
    /// The client for JavaScript, without Leptos: the npm package's main entry.
    Client,
    /// The review UI for embedding in other pages: the npm package's `./ui`.
    Review,
}

impl Kind {
    /// Returns the crate feature that enables it.
    fn feature(self) -> &'static str {
        match self {
            Self::App => "ui",
            Self::Client => "js",
            Self::Review => "embed",
        }
    }

    fn stem(self) -> &'static str {
        match self {
            Self::App => LIBRARY,
            Self::Client => "client",
            Self::Review => "review",
        }
    }

    fn wasm(self) -> String {
        match self {
            // The name that the page preloads.
            Self::App => bound_name(self),
            Self::Client | Self::Review => format!("{}.wasm", self.stem()),
        }
    }

    /// Returns the options for wasm-bindgen, besides the output paths.
    fn bindgen_options(self) -> &'static [&'static str] {
        match self {
            Self::App => &["--no-typescript"],
            // The package's loader names the Wasm file, so the glue must not name it to bundlers a second time. There
            // is no option for panic recovery either: wasm-bindgen's abort handler would need Wasm exceptions with
            // references, which Node 20 and browsers before 2025 do not support.
            Self::Client | Self::Review => &["--no-typescript", "--omit-default-module-path"],
        }
    }

    /// Returns how pages are split off for lazy loading. None for debug builds and the client, which stay in one
    /// file.
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
            // Vite inlines files of up to 4,096 bytes as data URLs, which a strict Content-Security-Policy blocks.
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

/// The module's folder, and the fingerprint of its inputs.
pub struct Module {
    pub folder: PathBuf,
    pub fingerprint: String,
}

impl Module {
    /// Returns the module's files: glue, Wasm, and the JavaScript that the glue imports.
    pub fn files(&self) -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(&self.folder).context("the module's folder is missing")?;
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

/// Has no extension, so that [`Module::files`] does not list it.
const STAMP: &str = ".stamp";

/// Returns the fingerprint of everything that the module is built from.
///
/// Cargo has one output path for the library regardless of features, and recompiles whenever they change. The
/// fingerprint avoids calling cargo unless an input changed since this kind was last built.
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

/// Compiles the crate for the browser. Returns the path of the raw Wasm file.
fn compile(tools: &WasmTools, kind: Kind, flavour: Flavour) -> Result<PathBuf> {
    let (profile, folder) = match flavour {
        Flavour::Release => ("wasm", "wasm"),
        Flavour::Debug => ("dev", "debug"),
    };
    // With both crate types, cargo silently skips link-time optimization.
    let mut cargo = tools.toolchain.cargo();
    cargo
        .args(["rustc", "--locked", "--package", "lead-workspace", "--lib"])
        .args(["--crate-type", "cdylib", "--target", TARGET])
        .args(["--no-default-features", "--features", kind.feature()])
        // Adds the crate's own allocator, and only the methods that the npm package's scripts call.
        .args(["--features", "module"])
        .args(["--profile", profile]);
    if let Some(registry) = system::registry_sources() {
        // Panic messages contain source paths. Paths relative to the crate are shorter and do not leak the build
        // machine's home folder.
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
        .or_fail("Fix the compiler errors above, then try again.")?;
    Ok(repo::wasm_target()
        .join(TARGET)
        .join(folder)
        .join(format!("{LIBRARY}.wasm")))
}

/// Runs wasm-bindgen and the size optimizations on the compiled Wasm.
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
    if kind == Kind::Client {
        ignore_stale_callbacks(&glue)?;
    }
    if flavour == Flavour::Release {
        script(tools, kind, "unused.mjs", &[&wasm, &glue])?;
        script(tools, kind, "optimize.mjs", &[&wasm])?;
        script(tools, kind, "shorten.mjs", &[&wasm, &glue])?;
        // The client's glue stays readable for stack traces: errors that reach the page come through it.
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

/// Makes callbacks of a stopped instance do nothing, from the moment it stops. wasm-bindgen calls it until the next
/// instance is made, and then throws an exception for each timer, request and listener that it left behind; in Node,
/// that would end the process.
fn ignore_stale_callbacks(glue: &Path) -> Result<()> {
    const CHECK: &str = "if (state.instance !== __wbg_instance_id) {";
    const STALE: &str = "throw new Error('Cannot invoke closure from previous WASM instance');";
    let text = fs::read_to_string(glue)?;
    if !text.contains(CHECK) || !text.contains(STALE) {
        bail!("wasm-bindgen's check for callbacks of a stopped instance has changed");
    }
    let text = text
        .replace(
            CHECK,
            "if (state.instance !== __wbg_instance_id || __wbg_reinit_scheduled) {",
        )
        .replace(STALE, "return;");
    Ok(fs::write(glue, text)?)
}

/// Minifies a JavaScript module in place.
pub fn minify(tools: &WasmTools, file: &Path) -> Result<()> {
    let mut terser = Command::new(npm::node()?);
    terser
        .arg(tools.npm.join("node_modules/terser/bin/terser"))
        .arg(file)
        .args(["--module", "--compress", "--mangle", "--output"])
        .arg(file);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    progress::run(&format!("minify {name}"), &mut terser)?
        .or_fail("terser cannot parse the file.")?;
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
        // The parts look up the module's functions in its table.
        bindgen.arg("--keep-lld-exports");
    }
    progress::run(&format!("{}, wasm-bindgen", kind.label()), &mut bindgen)?
        .or_fail("wasm-bindgen rejected the crate's exports; see the message above.")?;
    Ok(())
}

/// Runs one of the npm scripts on some files.
fn script(tools: &WasmTools, kind: Kind, name: &str, files: &[&Path]) -> Result<()> {
    let mut script = Command::new(npm::node()?);
    script.arg(tools.npm.join(name)).args(files);
    progress::run(&format!("{}, {name}", kind.label()), &mut script)?.or_fail(
        "The script cannot process the output of the compiler or wasm-bindgen; see the message above.",
    )?;
    Ok(())
}

/// Returns wasm-bindgen's name for the Wasm file.
fn bound_name(kind: Kind) -> String {
    format!("{}_bg.wasm", kind.stem())
}
