//! JSON values from JavaScript. The module for JavaScript has no parser of its own. It does not read
//! them through serde either, whose error messages would bring std's float formatting along.

use js_sys::{Array, Number, Object, Reflect};
use serde_json::{Map, Value};
use wasm_bindgen::{JsCast, JsValue};

/// Parses JSON text with the browser's parser.
#[cfg(all(target_arch = "wasm32", not(feature = "ui")))]
pub(crate) fn parse(text: &str) -> Option<Value> {
    Some(from_json(&js_sys::JSON::parse(text).ok()?))
}

/// Reads a value that consists of what JSON has.
pub(crate) fn from_json(value: &JsValue) -> Value {
    if let Some(text) = value.as_string() {
        text.into()
    } else if let Some(flag) = value.as_bool() {
        flag.into()
    } else if let Some(number) = value.as_f64() {
        integer(value).map_or_else(|| number.into(), Value::from)
    } else if Array::is_array(value) {
        let items = value.unchecked_ref::<Array>().iter();
        items.map(|item| from_json(&item)).collect()
    } else if value.is_object() {
        let mut members = Map::new();
        for name in Object::keys(value.unchecked_ref::<Object>()) {
            let member = Reflect::get(value, &name).unwrap_or_default();
            members.insert(name.as_string().unwrap_or_default(), from_json(&member));
        }
        members.into()
    } else {
        Value::Null
    }
}

/// Reads an integer that JavaScript represents exactly.
pub(crate) fn integer(value: &JsValue) -> Option<i64> {
    let number = value.as_f64()?;
    Number::is_safe_integer(value).then_some(number as i64)
}

/// Reads an integer in the range of `u32`.
pub(crate) fn to_u32(value: &JsValue) -> Option<u32> {
    u32::try_from(integer(value)?).ok()
}
