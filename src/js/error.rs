//! Errors as JavaScript sees them: instances of the classes in `errors.js`.

use lead_workspace_api::{Detail, ErrorEntry};
use wasm_bindgen::JsValue;

use super::face;
use crate::client::{Error, ErrorKind, Told, property};

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        to_js(&error)
    }
}

/// The error of a call.
pub(super) fn to_js(error: &Error) -> JsValue {
    let (class, code) = class(&error.kind);
    let wait = error.retry_after.map(|wait| wait.as_secs_f64() * 1000.0);
    let said = match &error.kind {
        ErrorKind::Validation(Detail::Text(text)) => Some(text.as_str()),
        _ => None,
    };
    let what;
    let cause = match &error.kind {
        ErrorKind::Network(words) | ErrorKind::NoKey(words) | ErrorKind::Decode(words) => {
            Some(words.as_str())
        }
        ErrorKind::OutcomeUnknown(cause) => {
            what = cause.what();
            Some(what.as_str())
        }
        _ => None,
    };
    face::failed(
        class,
        code,
        &error.to_string(),
        error.operation,
        error.status,
        error.request_id.as_deref(),
        error.attempts,
        error.is_passing(),
        error.ambiguous,
        wait,
        error.detail(),
        said,
        cause,
    )
}

/// Reads the body of an error with JavaScript's parser. What is more than a sentence stays JSON, and
/// its sentence is the one entry that Rust sees.
pub(super) fn explain(body: &str) -> Option<Told> {
    let told = face::explain(body);
    let member = |name: &str| property(&told, name).and_then(|member| member.as_string());
    if told.is_undefined() {
        return None;
    }
    let said = member("said").unwrap_or_default();
    let json = member("json");
    let detail = if json.is_some() {
        Detail::Entries(vec![ErrorEntry {
            msg: said,
            ..ErrorEntry::default()
        }])
    } else {
        Detail::Text(said)
    };
    Some(Told { detail, json })
}

/// Something that was refused before it became a call.
pub(super) fn argument(reason: &str) -> JsValue {
    face::refused(reason)
}

fn class(kind: &ErrorKind) -> (&'static str, &'static str) {
    match kind {
        ErrorKind::Argument(_) => ("ArgumentError", "argument"),
        ErrorKind::Validation(_) => ("ValidationError", "validation"),
        ErrorKind::NoKey(_) => ("AuthError", "no_key"),
        ErrorKind::KeyRefused => ("AuthError", "key_refused"),
        ErrorKind::Forbidden => ("AuthError", "forbidden"),
        ErrorKind::NotFound => ("NotFoundError", "not_found"),
        ErrorKind::RateLimited => ("RateLimitError", "rate_limited"),
        ErrorKind::Timeout(_) => ("TimeoutError", "timeout"),
        ErrorKind::Network(_) => ("NetworkError", "network"),
        ErrorKind::Redirected => ("WorkspaceError", "redirected"),
        ErrorKind::TooLarge(_) => ("DecodeError", "too_large"),
        ErrorKind::Decode(_) => ("DecodeError", "decode"),
        ErrorKind::Status(_) => ("WorkspaceError", "status"),
        ErrorKind::OutcomeUnknown(_) => ("OutcomeUnknownError", "outcome_unknown"),
    }
}
