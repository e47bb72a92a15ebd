//! Ways to hand a page of leads to JavaScript. Each takes the body as the module has it after a
//! fetch, in its own memory, and gives the page as JavaScript wants it; the copies in both directions
//! are part of what is measured.

use lead_workspace_api::{Decode, LeadListItem, Page};
use serde::Serialize;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

// Names that the bench's page maps to the files.
#[wasm_bindgen(module = "shapes")]
extern "C" {
    #[wasm_bindgen(catch)]
    fn read(operation: &str, body: &[u8]) -> Result<JsValue, JsValue>;
}

#[wasm_bindgen(module = "plain")]
extern "C" {
    /// `JSON.parse` of bytes, and null for what is not there.
    #[wasm_bindgen(js_name = parseAndFill)]
    fn parse_and_fill(body: &[u8]) -> JsValue;
}

/// The shapes read by JavaScript, out of the module's memory: what the client does.
///
/// # Errors
/// When the body is no page.
#[wasm_bindgen]
pub fn by_shapes(body: Vec<u8>) -> Result<JsValue, JsValue> {
    read("query_leads", &body)
}

/// Decoded here, then built value by value. Free objects arrive as their JSON text only, so this is
/// less than what a caller would need.
///
/// # Errors
/// When the body is no page.
#[wasm_bindgen]
pub fn by_serde_wasm_bindgen(body: Vec<u8>) -> Result<JsValue, JsError> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    Ok(decode(&body)?.serialize(&serializer)?)
}

/// Decoded here, written as JSON again, parsed by JavaScript.
///
/// # Errors
/// When the body is no page.
#[wasm_bindgen]
pub fn by_json_text(body: Vec<u8>) -> Result<JsValue, JsError> {
    let text = serde_json::to_string(&decode(&body)?)?;
    js_sys::JSON::parse(&text).map_err(|_| JsError::new("no JSON"))
}

/// Checked here, then the same bytes parsed by JavaScript.
///
/// # Errors
/// When the body is no page.
#[wasm_bindgen]
pub fn checked_then_parsed(body: Vec<u8>) -> Result<JsValue, JsError> {
    decode(&body)?;
    Ok(parse_and_fill(&body))
}

fn decode(body: &[u8]) -> Result<Page<LeadListItem>, JsError> {
    Ok(Page::decode(body)?)
}
