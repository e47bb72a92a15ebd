//! Arguments from JavaScript: read immediately, or refused with an `ArgumentError` that names the problem.

use js_sys::Array;
use lead_workspace_api::{Input, Method, NewApprovalStatus, Quoted};
use wasm_bindgen::JsValue;

use super::error::argument as refused;
use crate::client::{Client, Parameters, TableRow, property};

/// Reads the single id of a path.
pub(super) fn id(name: &str, id: &JsValue) -> Result<Vec<String>, JsValue> {
    Ok(vec![text(name, id)?])
}

pub(super) fn text(name: &str, value: &JsValue) -> Result<String, JsValue> {
    let text = value.as_string();
    let text = text.ok_or_else(|| refused(&format!("{name} must be a string")))?;
    if is_broken(value, &text) {
        return Err(refused(&format!(
            "{name} holds half of a character, as a text does that was cut in the middle of one"
        )));
    }
    Ok(text)
}

/// Whether a string lost data in the conversion: an unpaired surrogate becomes U+FFFD, which would
/// be another id.
pub(super) fn is_broken(value: &JsValue, text: &str) -> bool {
    text.chars().any(|c| c == char::REPLACEMENT_CHARACTER) && JsValue::from_str(text) != *value
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
            "method {} is not one of GET, POST, PATCH, DELETE",
            Quoted(other)
        ))),
    }
}

/// Puts parameters that JavaScript prepared into body or query. Fails if they must not be sent.
pub(super) fn place(
    client: &Client,
    row: TableRow,
    prepared: &JsValue,
) -> Result<Parameters, String> {
    let member = |name: &str| property(prepared, name).and_then(|member| member.as_string());
    if let Some(problems) = member("problems").filter(|problems| !problems.is_empty()) {
        return Err(problems);
    }
    let mut placed = Parameters::default();
    match row.input() {
        Input::Body => {
            let it = property(prepared, "it").unwrap_or_default();
            let nothing = |name: &str| match property(&it, name) {
                None => true,
                Some(items) => Array::is_array(&items) && Array::from(&items).length() == 0,
            };
            client.guard(row, &nothing)?;
            placed.body = member("body");
        }
        Input::Query => {
            let query = Array::from(&property(prepared, "query").unwrap_or_default());
            let mut texts = query.iter().filter_map(|text| text.as_string());
            while let (Some(name), Some(value)) = (texts.next(), texts.next()) {
                placed.query.push((name, value));
            }
        }
        Input::Nothing => {}
    }
    Ok(placed)
}
