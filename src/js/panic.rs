//! Handling of a crashed module: the next call gets a new instance, and every promise that can no
//! longer settle is rejected.
//!
//! The panic hook, which runs before the trap, reports panics. The abort handler of wasm-bindgen
//! would also see other traps, but it needs WebAssembly features that Node 20 and browsers before
//! 2025 lack. JavaScript detects those traps instead: where a call throws, or by an uncaught error
//! in the page.

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
        // First, so that the next call gets a new instance even if the code below fails.
        schedule_reinit();
        crashed(&info.to_string());
    }));
}

thread_local! {
    static POLLING: Cell<bool> = const { Cell::new(false) };
}

/// Returns the same work, but [`died_polling`] reports whether a trap ended it.
pub(super) async fn noted<T>(mut work: Pin<Box<dyn Future<Output = T>>>) -> T {
    poll_fn(|context| {
        POLLING.set(true);
        let result = work.as_mut().poll(context);
        POLLING.set(false);
        result
    })
    .await
}

/// Whether a trap ended a future. Call it only while no future is being polled.
#[wasm_bindgen(js_name = diedPolling, skip_typescript)]
pub fn died_polling() -> bool {
    POLLING.get()
}

/// Makes the next call create a new instance, after a trap that the panic hook did not see.
#[wasm_bindgen(skip_typescript)]
pub fn restart() {
    schedule_reinit();
}
