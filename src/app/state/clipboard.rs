//! Access to the browser's clipboard.

use js_sys::{Function, Promise, Reflect};
use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Copies a text, and returns whether that succeeded. There is no clipboard in insecure contexts.
pub async fn copy(text: &str) -> bool {
    match write(text) {
        Some(writing) => JsFuture::from(writing).await.is_ok(),
        None => false,
    }
}

/// Accessed by name: the typed binding would throw where there is no clipboard.
fn write(text: &str) -> Option<Promise> {
    let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok();
    let clipboard = get(&window().navigator(), "clipboard")?;
    let write: Function = get(&clipboard, "writeText")?.dyn_into().ok()?;
    let writing = write.call1(&clipboard, &text.into()).ok()?;
    writing.dyn_into().ok()
}
