//! JSON values from JavaScript, without serde_json's parser, of which the module for JavaScript has
//! no other use.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use wasm_bindgen::JsValue;

/// Reads a value that consists of what JSON has. `None` for anything else, such as a function.
pub(crate) fn from_js(value: JsValue) -> Option<Value> {
    let json: Json = serde_wasm_bindgen::from_value(value).ok()?;
    Some(json.0)
}

/// Parses JSON text with the browser's parser.
#[cfg(all(target_arch = "wasm32", not(feature = "ui")))]
pub(crate) fn parse(text: &str) -> Option<Value> {
    from_js(js_sys::JSON::parse(text).ok()?)
}

/// A [`Value`] whose own reader would bring serde_json's parser along, for numbers of any size.
struct Json(Value);

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json(value.into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut array = Vec::new();
        while let Some(Json(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(Json(array.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut object = Map::new();
        while let Some((name, Json(value))) = members.next_entry()? {
            object.insert(name, value);
        }
        Ok(Json(object.into()))
    }
}
