//! Runs wasm-bindgen on a compiled module. A program of its own, so that xtask builds quickly. Cargo keeps its version
//! equal to that of the crate `wasm-bindgen`, as both depend on one `wasm-bindgen-shared`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;
use wasm_bindgen_cli_support::Bindgen;

/// Writes a module's glue and its final Wasm, for `<script type="module">` and without TypeScript.
#[derive(Parser)]
struct Cli {
    /// The Wasm file that the compiler wrote.
    input: PathBuf,
    #[arg(long)]
    out_dir: PathBuf,
    /// The stem of the files.
    #[arg(long)]
    out_name: String,
    /// Keep the linker's exports, such as the function table.
    #[arg(long)]
    keep_lld_exports: bool,
    /// The caller names the Wasm file, not the glue.
    #[arg(long)]
    omit_default_module_path: bool,
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    Bindgen::new()
        .input_path(cli.input)
        .out_name(&cli.out_name)
        .web(true)?
        .typescript(false)
        .keep_lld_exports(cli.keep_lld_exports)
        .omit_default_module_path(cli.omit_default_module_path)
        .generate(cli.out_dir)
}
