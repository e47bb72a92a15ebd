//! Arguments from JavaScript: read immediately, so that later changes to them have no effect, or
//! refused with an `ArgumentError` that names the problem.

use js_sys::{JSON, Object, Reflect};
use lead_workspace_api::{Method, NewApprovalStatus, NotOneOf, Quoted};
use serde_json::Value;
use wasm_bindgen::JsValue;

use super::error::argument as refused;
use super::members::check_members;
use crate::client::{js_value, text_search};

/// Reads a string.
pub(super) fn text(name: &str, value: &JsValue) -> Result<String, JsValue> {
    let text = value.as_string();
    let text = text.ok_or_else(|| refused(&format!("{name} must be a string")))?;
    // An unpaired surrogate becomes U+FFFD, which would be another id.
    if JsValue::from_str(&text) != *value {
        return Err(half_character(name));
    }
    Ok(text)
}

pub(super) fn status(value: &JsValue) -> Result<NewApprovalStatus, JsValue> {
    text("status", value)?
        .parse()
        .map_err(|problem: NotOneOf| refused(&format!("status {problem}")))
}

pub(super) fn method(value: &JsValue) -> Result<Method, JsValue> {
    match text("method", value)?.to_ascii_uppercase().as_str() {
        "GET" => Ok(Method::Get),
        "POST" => Ok(Method::Post),
        "PATCH" => Ok(Method::Patch),
        "DELETE" => Ok(Method::Delete),
        other => Err(refused(&format!(
            "method {} is not one of GET, POST, PATCH, DELETE",
            Quoted(other)
        ))),
    }
}

/// Reads the parameters of an operation, which are checked later. Null and undefined count as an
/// empty object. `more` has the names of members that are not parameters.
pub(super) fn params(value: &JsValue, fields: &[&str], more: &[&str]) -> Result<Value, JsValue> {
    check_members("the query", value, &[fields, more].concat())?;
    // Members may also be getters of a class.
    let plain = Object::new();
    for field in fields {
        if let Ok(member) = Reflect::get(value, &(*field).into())
            && !member.is_undefined()
        {
            Reflect::set(&plain, &(*field).into(), &member)?;
        }
    }
    let text = json_text("the query", &plain)?.unwrap_or_default();
    // The text follows the rules of JSON: a date is a string, and a cycle is refused.
    Ok(js_value::from_json(&JSON::parse(&text)?))
}

/// Returns the JSON text of a value; `None` for undefined.
pub(super) fn json_text(name: &str, value: &JsValue) -> Result<Option<String>, JsValue> {
    if value.is_undefined() {
        return Ok(None);
    }
    // For values that JSON omits, such as a function, the result is undefined instead of a text.
    let text = JSON::stringify(value)
        .ok()
        .and_then(|text| text.as_string());
    let text = text.ok_or_else(|| refused(&format!("{name} cannot be serialized as JSON")))?;
    // JSON escapes unpaired surrogates, which servers reject, and no other surrogates.
    if text_search::contains(&text_search::replaced(&text, r"\\", ""), r"\ud") {
        return Err(half_character(name));
    }
    Ok(Some(text))
}

fn half_character(name: &str) -> JsValue {
    refused(&format!(
        "{name} contains an unpaired surrogate, for example from a truncated emoji"
    ))
}
