//! Conversions between Rust and JavaScript that several bindings need.

use js_sys::{Array, Function, Object, Reflect, global};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::{JsCast, JsValue};

use crate::client::property;

/// Returns the value as plain data.
pub(super) fn to_data(value: &impl Serialize) -> JsValue {
    // Fails for integers beyond 2^53 only, which none of our types has.
    value
        .serialize(&Serializer::json_compatible())
        .unwrap_or_default()
}

/// Returns an array of strings.
pub(super) fn texts(texts: impl IntoIterator<Item = impl AsRef<str>>) -> JsValue {
    let texts = texts.into_iter();
    let texts = texts.map(|text| JsValue::from_str(text.as_ref()));
    texts.collect::<Array>().into()
}

/// Returns a plain object with these members. A derived `Serialize` of a struct with the same members would declare
/// them a second time, and adds serde-wasm-bindgen's cache of member names to the Wasm.
pub(super) fn object(members: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in members {
        // Setting a member of a plain object cannot fail.
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}

/// Returns null for a missing value.
pub(super) fn or_null(value: Option<impl Into<JsValue>>) -> JsValue {
    value.map_or(JsValue::NULL, Into::into)
}

/// Returns the JavaScript name of an operation: `updateLead` for `update_lead`.
pub(super) fn camel_case(name: &str) -> String {
    let mut camel = String::new();
    for (index, word) in name.split('_').enumerate() {
        match word.split_at_checked(1) {
            Some((first, rest)) if index > 0 => {
                camel.push_str(&first.to_ascii_uppercase());
                camel.push_str(rest);
            }
            _ => camel.push_str(word),
        }
    }
    camel
}

/// Calls a callback of the page. Exceptions are reported and do not end the call.
pub(super) fn notify(listener: &Function, event: &JsValue) {
    if let Err(thrown) = listener.call1(&JsValue::UNDEFINED, event) {
        let report = property(&global(), "reportError")
            .and_then(|report| report.dyn_into::<Function>().ok());
        match report {
            // If reporting fails as well, there is nothing left to do.
            Some(report) => drop(report.call1(&JsValue::UNDEFINED, &thrown)),
            None => web_sys::console::error_1(&thrown),
        }
    }
}
