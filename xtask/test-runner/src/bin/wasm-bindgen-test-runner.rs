//! The program `wasm-bindgen-test-runner`, which wasm-pack runs tests with.

fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os())
}
