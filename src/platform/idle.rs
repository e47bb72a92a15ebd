//! Waits until the browser has painted and is idle.

use js_sys::{Function, Object, Promise, Reflect, global};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen_futures::JsFuture;

use crate::client::browser::{method, set_timeout};
use crate::client::property;

/// The longest wait, in milliseconds.
const MAX_WAIT_MS: u32 = 200;

/// Resolves in the next idle period of the page, or after 200 ms. Browsers without `requestIdleCallback` (Safari) resolve
/// in the first task after the next frame instead, or after 200 ms if no frame is painted, as in a hidden tab. Where
/// there is no page, nothing is painted, so there is no wait.
pub async fn idle() {
    let global = global();
    if property(&global, "document").is_none() {
        return;
    }
    let promise = Promise::new(&mut |resolve, _| {
        let options = Object::new();
        // Setting a member of a plain object cannot fail.
        let _ = Reflect::set(&options, &"timeout".into(), &MAX_WAIT_MS.into());
        let scheduled = method(&global, "requestIdleCallback")
            .map(|request| request.call2(&JsValue::UNDEFINED, &resolve, &options));
        if !matches!(scheduled, Some(Ok(_))) {
            after_next_frame(&global, &resolve);
            set_timeout(&resolve, MAX_WAIT_MS);
        }
    });
    // The promise is never rejected.
    let _ = JsFuture::from(promise).await;
}

/// Callbacks of a frame run before it is painted, so this calls `resolve` in the task after it.
fn after_next_frame(global: &Object, resolve: &Function) {
    if let Some(request) = method(global, "requestAnimationFrame") {
        let resolve = resolve.clone();
        let painted = Closure::once_into_js(move || {
            set_timeout(&resolve, 0);
        });
        // Where it fails, the longest wait remains.
        let _ = request.call1(&JsValue::UNDEFINED, &painted);
    }
}
