//! Errors for JavaScript: instances of the classes in `errors.js`.

use js_sys::Date;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::convert::{camel_case, object, or_null, to_data};
use crate::client::runtime::milliseconds;
use crate::client::{Error, ErrorKind};

#[wasm_bindgen(module = "/src/js/errors.js")]
extern "C" {
    /// Returns a new error of a class.
    #[wasm_bindgen(js_name = makeError)]
    fn make_error(class: &str, message: &str, fields: &JsValue) -> JsValue;
}

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        to_js(&error)
    }
}

/// Returns the error of a call.
pub(super) fn to_js(error: &Error) -> JsValue {
    with_message(error, &error.to_string())
}

fn with_message(error: &Error, message: &str) -> JsValue {
    let (class, code) = class_and_code(&error.kind);
    let retry_after_ms = error.retry_after.map(milliseconds);
    // When to try again, in milliseconds since 1970.
    let until = retry_after_ms.map(|wait| Date::now() + f64::from(wait));
    // As declared in `www/npm/errors.d.ts`.
    let fields = object(&[
        ("code", code.into()),
        ("operation", camel_case(error.operation).into()),
        ("status", or_null(error.status)),
        ("requestId", or_null(error.request_id.as_deref())),
        ("attempts", error.attempts.into()),
        ("retryable", error.is_transient().into()),
        ("ambiguous", error.ambiguous.into()),
        ("retryAfterMs", or_null(retry_after_ms)),
        ("until", or_null(until)),
        ("detail", error.detail().map(to_data).unwrap_or_default()),
        ("cause", cause(error)),
    ]);
    make_error(class, message, &fields)
}

fn cause(error: &Error) -> JsValue {
    match &error.kind {
        // The outer error says what to do.
        ErrorKind::OutcomeUnknown(cause) => with_message(cause, &format!("{}.", cause.summary())),
        ErrorKind::NoKey(reason) | ErrorKind::Decode(reason) => JsValue::from_str(reason),
        ErrorKind::Network(message) => {
            let exception = error
                .exception()
                .and_then(|exception| exception.value.clone());
            exception.unwrap_or_else(|| JsValue::from_str(message))
        }
        _ => JsValue::UNDEFINED,
    }
}

/// Returns the error for an argument that was refused before a call started.
pub(super) fn argument(reason: &str) -> JsValue {
    refused("argument", reason)
}

/// Returns the error for options that were refused before a call started.
pub(super) fn options(reason: &str) -> JsValue {
    refused("options", reason)
}

fn refused(code: &str, reason: &str) -> JsValue {
    // Some reasons are whole sentences already.
    let message = format!("Nothing was sent: {}.", reason.trim_end_matches('.'));
    let fields = object(&[("code", code.into()), ("attempts", 0.into())]);
    make_error("ArgumentError", &message, &fields)
}

fn class_and_code(kind: &ErrorKind) -> (&'static str, &'static str) {
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
        ErrorKind::Status => ("WorkspaceError", "status"),
        ErrorKind::OutcomeUnknown(_) => ("OutcomeUnknownError", "outcome_unknown"),
    }
}
