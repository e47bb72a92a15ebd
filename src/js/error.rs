//! Errors for JavaScript: instances of the classes in `errors.js`.

use lead_workspace_api::Detail;
use wasm_bindgen::JsValue;

use super::face;
use crate::client::runtime::milliseconds;
use crate::client::{Error, ErrorKind, ServerMessage, property};

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        to_js(&error)
    }
}

/// Returns the error of a call. JavaScript writes the message; the messages of this crate are for the UI.
pub(super) fn to_js(error: &Error) -> JsValue {
    let mut limit = None;
    let said = match &error.kind {
        ErrorKind::Argument(text)
        | ErrorKind::NoKey(text)
        | ErrorKind::Network(text)
        | ErrorKind::Decode(text)
        | ErrorKind::Validation(Detail::Text(text)) => text,
        kind => {
            limit = match kind {
                ErrorKind::Timeout(after) => Some(milliseconds(*after)),
                ErrorKind::TooLarge(cap) => Some(*cap as u32),
                _ => None,
            };
            error.server_message()
        }
    };
    let cause = match &error.kind {
        ErrorKind::OutcomeUnknown(cause) => to_js(cause),
        _ => JsValue::UNDEFINED,
    };
    face::failed(
        kind(&error.kind),
        error.operation,
        error.status,
        error.request_id.as_deref(),
        error.attempts,
        error.is_transient(),
        error.writes,
        error.ambiguous,
        error.is_budget_exhausted(),
        error.retry_after.map(milliseconds),
        error.detail(),
        said,
        limit,
        &cause,
    )
}

/// Parses the body of an error with JavaScript's parser. The detail stays JSON; Rust gets only its text.
pub(super) fn explain(body: &str) -> Option<ServerMessage> {
    let told = face::explain(body);
    let member = |name: &str| property(&told, name).and_then(|member| member.as_string());
    if told.is_undefined() {
        return None;
    }
    let said = member("said").unwrap_or_default();
    let json = member("json");
    Some(ServerMessage {
        detail: Detail::Text(said.clone()),
        said,
        json,
    })
}

/// Returns the error for an argument that was refused before a call started.
pub(super) fn argument(reason: &str) -> JsValue {
    face::refused(reason)
}

/// Returns the index of the kind in the list of `face.js`: numbers are shorter than names.
fn kind(kind: &ErrorKind) -> u8 {
    match kind {
        ErrorKind::Argument(_) => 0,
        ErrorKind::Validation(_) => 1,
        ErrorKind::NoKey(_) => 2,
        ErrorKind::KeyRefused => 3,
        ErrorKind::Forbidden => 4,
        ErrorKind::NotFound => 5,
        ErrorKind::RateLimited => 6,
        ErrorKind::Timeout(_) => 7,
        ErrorKind::Network(_) => 8,
        ErrorKind::Redirected => 9,
        ErrorKind::TooLarge(_) => 10,
        ErrorKind::Decode(_) => 11,
        ErrorKind::Status(_) => 12,
        ErrorKind::OutcomeUnknown(_) => 13,
    }
}
