//! What happens when the module stops: the next call gets a fresh instance, and every promise that
//! would never settle now is rejected.
//!
//! Panics are told by the panic hook, which runs before the trap. wasm-bindgen's abort handler would also
//! see other traps, but what it needs of WebAssembly is unknown to Node 20 and browsers before 2025. Those
//! are seen by JavaScript: where a call throws, or where the page hears of an error that nobody caught.

use std::cell::Cell;
use std::future::poll_fn;
use std::pin::Pin;

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

thread_local! {
    static POLLING: Cell<bool> = const { Cell::new(false) };
}

/// The same work, of which [`died_polling`] tells when a trap ended it.
pub(super) async fn noted<T>(mut work: Pin<Box<dyn Future<Output = T>>>) -> T {
    poll_fn(|context| {
        POLLING.set(true);
        let result = work.as_mut().poll(context);
        POLLING.set(false);
        result
    })
    .await
}

/// Whether a trap ended a future: asked while none can be running.
#[wasm_bindgen(js_name = diedPolling, skip_typescript)]
pub fn died_polling() -> bool {
    POLLING.get()
}

/// Lets the next call find a fresh instance, after a trap that the panic hook did not see.
#[wasm_bindgen(skip_typescript)]
pub fn restart() {
    schedule_reinit();
}
