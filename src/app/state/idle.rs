//! Waits until the browser has painted and is idle.

use js_sys::Promise;
use leptos::prelude::window;
use wasm_bindgen_futures::JsFuture;
use web_sys::IdleRequestOptions;

/// The longest wait, in milliseconds.
const MAX_WAIT_MS: i32 = 200;

/// Resolves in the next idle period of the browser, or after 200 ms. Browsers without `requestIdleCallback` (Safari)
/// always take the 200 ms.
pub async fn idle() {
    let promise = Promise::new(&mut |resolve, _| {
        let options = IdleRequestOptions::new();
        options.set_timeout(MAX_WAIT_MS as u32);
        let scheduled = window().request_idle_callback_with_options(&resolve, &options);
        if scheduled.is_err() {
            // Setting a timer cannot fail.
            let _ = window()
                .set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, MAX_WAIT_MS);
        }
    });
    // The promise is never rejected.
    let _ = JsFuture::from(promise).await;
}
