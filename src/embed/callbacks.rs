//! Calls callbacks of the page.

use js_sys::{Function, Object, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Reports an error of the page's own callbacks like any uncaught error.
    #[wasm_bindgen(js_name = "reportError")]
    pub(super) fn report_error(error: &JsValue);
}

/// Calls a callback. Exceptions are reported.
pub(super) fn call(listener: &Function, event: &JsValue) {
    if let Err(thrown) = listener.call1(&JsValue::UNDEFINED, event) {
        report_error(&thrown);
    }
}

/// Calls a callback with an object.
pub(super) fn call_with(listener: &Function, fields: &[(&str, JsValue)]) {
    let event = Object::new();
    for (name, value) in fields {
        // Setting a property on a new object cannot fail.
        let _ = Reflect::set(&event, &(*name).into(), value);
    }
    call(listener, &event);
}
