//! Properties of JavaScript objects.

use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// Returns a property that is not undefined or null.
pub(crate) fn property(of: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(of, &name.into())
        .ok()
        .filter(|value| !value.is_undefined() && !value.is_null())
}
