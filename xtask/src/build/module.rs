//! The Wasm module: compiled by cargo, bound to JavaScript, made small.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::Flavour;
use super::stamp::{self, Inputs};
use crate::setup::{TARGET, WasmTools, npm, system};
use crate::{progress, repo};

/// The crate's library name: the stem of every file of the module.
const NAME: &str = "lead_workspace";

/// What the compiler may have used, all of it old news to browsers. Named one by
/// one: with `--all-features` wasm-opt writes modules that browsers refuse.
const WASM_FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-exception-handling",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// The module's folder, and the fingerprint of what is in it.
pub struct Module {
    pub folder: PathBuf,
    pub fingerprint: String,
}

impl Module {
    /// The files of the module.
    pub fn files(&self) -> [PathBuf; 2] {
        [glue(&self.folder), wasm(&self.folder)]
    }
}

/// Compiles the crate for the browser; returns the raw Wasm file.
pub fn compile(tools: &WasmTools, flavour: Flavour) -> Result<PathBuf> {
    let (profile, folder) = match flavour {
        Flavour::Release => ("wasm", "wasm"),
        Flavour::Debug => ("dev", "debug"),
    };
    // With both crate types cargo silently leaves link-time optimisation out.
    let mut cargo = tools.toolchain.cargo();
    cargo
        .args(["rustc", "--locked", "--package", "lead-workspace", "--lib"])
        .args(["--crate-type", "cdylib", "--target", TARGET])
        .args(["--profile", profile]);
    if let Some(registry) = system::registry_sources() {
        // Panic messages name source files: under their crate's name they are shorter, and what is
        // shipped does not tell whose machine built it.
        cargo.arg("--config").arg(format!(
            "target.{TARGET}.rustflags=['--remap-path-prefix={}=']",
            registry.display()
        ));
    }
    progress::run(&format!("UI, {profile} build"), &mut cargo)?
        .or_fail("Mend what the compiler names, then try again.")?;
    Ok(repo::wasm_target()
        .join(TARGET)
        .join(folder)
        .join(format!("{NAME}.wasm")))
}

/// Makes the module from the compiled Wasm, unless that is done already.
pub fn bind(tools: &WasmTools, flavour: Flavour, compiled: &Path) -> Result<Module> {
    let folder = repo::target().join("xtask").join(match flavour {
        Flavour::Release => "module",
        Flavour::Debug => "module-debug",
    });
    let mut inputs = Inputs::of_recipe(include_str!("module.rs"));
    inputs.add_file(compiled)?;
    inputs.add_file(&repo::root().join("Cargo.lock"))?;
    inputs.add_file(&tools.npm.join("package-lock.json"))?;
    let fingerprint = inputs.fingerprint();
    let stamp = folder.join(".stamp");
    if !stamp::is_current(&stamp, &fingerprint) {
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        wasm_bindgen(tools, flavour, compiled, &folder)?;
        if flavour == Flavour::Release {
            wasm_opt(tools, &folder)?;
            minify(tools, &glue(&folder))?;
        }
        fs::write(&stamp, &fingerprint)?;
    }
    Ok(Module {
        folder,
        fingerprint,
    })
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
    progress::run(&format!("UI, minify {name}"), &mut terser)?
        .or_fail("The file is not JavaScript that terser understands.")?;
    Ok(())
}

fn wasm_bindgen(tools: &WasmTools, flavour: Flavour, compiled: &Path, out: &Path) -> Result<()> {
    let mut bindgen = Command::new(&tools.programs.bindgen);
    bindgen
        .args(["--target", "web", "--out-name", NAME, "--no-typescript"])
        .arg("--out-dir")
        .arg(out)
        .arg(compiled);
    if flavour == Flavour::Debug {
        bindgen.arg("--keep-debug");
    }
    progress::run("UI, wasm-bindgen", &mut bindgen)?
        .or_fail("The crate's JavaScript face does not bind; see the message above.")?;
    Ok(())
}

fn wasm_opt(tools: &WasmTools, folder: &Path) -> Result<()> {
    let file = wasm(folder);
    let mut opt = Command::new(npm::node()?);
    opt.arg(tools.npm.join("node_modules/binaryen/bin/wasm-opt"))
        .arg(&file)
        .args(["-Oz", "--output"])
        .arg(&file)
        .args(WASM_FEATURES);
    progress::run("UI, wasm-opt", &mut opt)?
        .or_fail("wasm-opt refused the module; see the message above.")?;
    Ok(())
}

fn glue(folder: &Path) -> PathBuf {
    folder.join(format!("{NAME}.js"))
}

fn wasm(folder: &Path) -> PathBuf {
    folder.join(format!("{NAME}_bg.wasm"))
}
