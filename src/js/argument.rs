//! Arguments from JavaScript: read at once, refused with a clear `ArgumentError`.

use js_sys::{JSON, Object, Reflect};
use lead_workspace_api::{Method, NewApprovalStatus};
use serde_json::{Map, Value};
use wasm_bindgen::{JsCast, JsValue};

use super::error::argument as refused;

/// The ids of a path, in order.
pub(super) fn ids(ids: &[(&str, &JsValue)]) -> Result<Vec<String>, JsValue> {
    ids.iter().map(|(name, id)| text(name, id)).collect()
}

/// The one id of a path.
pub(super) fn id(name: &str, id: &JsValue) -> Result<Vec<String>, JsValue> {
    ids(&[(name, id)])
}

pub(super) fn text(name: &str, value: &JsValue) -> Result<String, JsValue> {
    value
        .as_string()
        .ok_or_else(|| refused(&format!("{name} must be a string")))
}

pub(super) fn status(value: &JsValue) -> Result<NewApprovalStatus, JsValue> {
    text("status", value)?
        .parse()
        .map_err(|problem: lead_workspace_api::NotOneOf| refused(&format!("status {problem}")))
}

pub(super) fn method(value: &JsValue) -> Result<Method, JsValue> {
    match text("method", value)?.to_ascii_uppercase().as_str() {
        "GET" => Ok(Method::Get),
        "POST" => Ok(Method::Post),
        "PATCH" => Ok(Method::Patch),
        "DELETE" => Ok(Method::Delete),
        other => Err(refused(&format!(
            "method {other:?} is not one of GET, POST, PATCH, DELETE"
        ))),
    }
}

/// The parameters of an operation. Nothing at all is an empty object.
pub(super) fn object(name: &str, value: &JsValue) -> Result<Value, JsValue> {
    if value.is_undefined() || value.is_null() {
        return Ok(Value::Object(Map::new()));
    }
    let text = json(name, value)?.unwrap_or_default();
    match serde_json::from_str(&text) {
        Ok(object @ Value::Object(_)) => Ok(object),
        _ => Err(refused(&format!("{name} must be an object"))),
    }
}

/// One property of an object, where it is set, as parameters.
pub(super) fn only(value: &JsValue, name: &str) -> Result<Value, JsValue> {
    if value.is_undefined() || value.is_null() {
        return object(name, value);
    }
    let found = Reflect::get(value, &name.into())
        .map_err(|_| refused("the parameters must be an object"))?;
    let part = Object::new();
    if !found.is_undefined() {
        Reflect::set(&part, &name.into(), &found)?;
    }
    object(name, &part)
}

/// The JSON text of a value; nothing for undefined.
pub(super) fn json(name: &str, value: &JsValue) -> Result<Option<String>, JsValue> {
    if value.is_undefined() {
        return Ok(None);
    }
    // What JSON leaves out altogether, such as a function, gives undefined instead of a text.
    JSON::stringify(value)
        .ok()
        .and_then(|text| JsValue::from(text).as_string())
        .map(Some)
        .ok_or_else(|| refused(&format!("{name} cannot be written as JSON")))
}

/// Any JSON body as a value; undefined when there is none.
pub(super) fn parse(body: &[u8]) -> Result<JsValue, String> {
    let text = std::str::from_utf8(body).map_err(|_| "it is not UTF-8".to_owned())?;
    if text.trim().is_empty() {
        return Ok(JsValue::UNDEFINED);
    }
    JSON::parse(text).map_err(|problem| {
        let problem = problem.dyn_ref::<js_sys::Error>();
        problem.map_or_else(String::new, |problem| problem.message().into())
    })
}
