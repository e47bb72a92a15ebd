//! `xtask-bindgen MODULE STEM FOLDER [OPTION]...`: writes the JavaScript of a compiled module.
//!
//! A program of its own, because few commands of `cargo xtask` need the library. wasm-bindgen's own program, with its
//! command line and its test runner, takes three times as long to compile.

use std::env;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let mut next = |name: &str| {
        arguments
            .next()
            .with_context(|| format!("{name} is missing"))
    };
    let (module, stem, folder) = (next("MODULE")?, next("STEM")?, next("FOLDER")?);
    let options: Vec<String> = arguments.collect();
    let has = |option: &str| options.iter().any(|given| given == option);
    Bindgen::new()
        .web(true)?
        .input_path(module)
        .out_name(&stem)
        .omit_default_module_path(has("--omit-default-module-path"))
        .keep_lld_exports(has("--keep-lld-exports"))
        .generate(folder)
}
