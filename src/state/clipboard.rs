//! The clipboard of the browser.

use js_sys::{Function, Promise, Reflect};
use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Copies a text, and says whether that went well. Pages that are not secure have no clipboard.
pub async fn copy(text: &str) -> bool {
    match write(text) {
        Some(writing) => JsFuture::from(writing).await.is_ok(),
        None => false,
    }
}

/// Asked for by name: the typed call would throw where there is no clipboard.
fn write(text: &str) -> Option<Promise> {
    let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok();
    let clipboard = get(&window().navigator(), "clipboard")?;
    let write: Function = get(&clipboard, "writeText")?.dyn_into().ok()?;
    let writing = write.call1(&clipboard, &text.into()).ok()?;
    writing.dyn_into().ok()
}
