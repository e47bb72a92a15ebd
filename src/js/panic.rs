//! What happens when the module stops: the next call gets a fresh instance, and every promise that
//! would never settle now is rejected.
//!
//! All of it in the panic hook, which runs before the trap. wasm-bindgen's abort handler would also
//! see other traps, but what it needs of WebAssembly is unknown to Node 20 and browsers before 2025.

use wasm_bindgen::handler::schedule_reinit;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(module = "/src/js/guard.js")]
extern "C" {
    fn crashed(message: &str);
}

pub(super) fn install() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        before(info);
        // First: whatever goes wrong below, the next call finds a fresh instance.
        schedule_reinit();
        crashed(&info.to_string());
    }));
}
