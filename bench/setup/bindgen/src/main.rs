//! Writes the JavaScript of a module.

use wasm_bindgen_cli_support::Bindgen;

fn main() {
    let module = std::env::args().nth(1).expect("the path of a module");
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).web(true).expect("an option");
    bindgen.generate("pkg").expect("a module");
}
