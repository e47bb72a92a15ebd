//! Results: the browser parses their JSON, and the generated readers of `shapes.js` give them their
//! shape. Building the objects from Rust would be several times slower (ARCHITECTURE.md has the
//! figures); a test compares the readers with the models of `lead-workspace-api`.

use lead_workspace_api::{Endpoint, StreamChanges};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use super::error::to_js;
use crate::client::{ApiResponse, Client, Error, TableRow};

#[wasm_bindgen(module = "/src/js/shapes.js")]
extern "C" {
    /// Parses the body of a response into the exact shape of its operation.
    #[wasm_bindgen(catch, js_name = read)]
    fn shape(operation: &str, body: &[u8]) -> Result<JsValue, JsValue>;
}

#[wasm_bindgen(module = "/src/js/body.js")]
extern "C" {
    /// Parses the body of a response outside of the table; undefined if it is empty.
    #[wasm_bindgen(catch, js_name = parseAny)]
    fn parse_any(body: &[u8]) -> Result<JsValue, JsValue>;
}

#[wasm_bindgen(module = "/src/js/responses.js")]
extern "C" {
    /// Stores the response to the call with this signal.
    #[wasm_bindgen(js_name = setResponse)]
    fn set_response(
        signal: &AbortSignal,
        status: Option<u16>,
        headers: &JsValue,
        request_id: Option<&str>,
        attempts: u32,
    );
}

/// Keeps the response for `withResponse()` of the package, which passes a signal to each call.
pub(super) fn keep_response(signal: Option<&AbortSignal>, response: &ApiResponse) {
    if let Some(signal) = signal {
        set_response(
            signal,
            response.status,
            response.headers.as_ref().unwrap_or(&JsValue::UNDEFINED),
            response.request_id.as_deref(),
            response.attempts,
        );
    }
}

/// Returns the result of an operation.
pub(super) fn read(
    client: &Client,
    row: TableRow,
    response: &ApiResponse,
) -> Result<JsValue, JsValue> {
    decode(client, row, response).map_err(|error| to_js(&error))
}

/// Like [`read`], with the client's own error.
pub(super) fn decode(
    client: &Client,
    row: TableRow,
    response: &ApiResponse,
) -> Result<JsValue, Error> {
    shape(row.name(), &response.body)
        .map_err(|problem| client.undecodable(row, response, &message(problem)))
}

/// Returns the data of an event of the stream of changes; `None` if it cannot be read.
pub(super) fn read_changes(data: &[u8]) -> Option<JsValue> {
    shape(StreamChanges::NAME, data).ok()
}

/// Returns the result of a request outside of the table.
pub(super) fn read_any(
    client: &Client,
    method: lead_workspace_api::Method,
    response: &ApiResponse,
) -> Result<JsValue, JsValue> {
    parse_any(&response.body)
        .map_err(|problem| to_js(&client.undecodable_request(method, response, &message(problem))))
}

/// Returns the message of an exception.
fn message(thrown: JsValue) -> String {
    js_sys::Error::from(thrown).message().into()
}
