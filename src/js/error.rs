//! Errors as JavaScript sees them: instances of the classes in `errors.js`.

use js_sys::Date;
use lead_workspace_api::Detail;
use serde::Serialize;
use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::client::{Error, ErrorKind};

#[wasm_bindgen(module = "/src/js/errors.js")]
extern "C" {
    #[wasm_bindgen(js_name = makeError)]
    fn make(class: &str, message: &str, fields: &JsValue) -> JsValue;
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fields<'a> {
    code: &'a str,
    operation: Option<String>,
    status: Option<u16>,
    request_id: Option<&'a str>,
    attempts: u32,
    retryable: bool,
    ambiguous: bool,
    retry_after_ms: Option<f64>,
    until: Option<f64>,
    detail: Option<Value>,
    cause: Option<String>,
}

/// The error of a call.
pub(super) fn to_js(error: &Error) -> JsValue {
    let (class, code) = class(&error.kind);
    let wait = error.retry_after.map(|wait| wait.as_secs_f64() * 1000.0);
    let detail = match &error.kind {
        ErrorKind::Validation(detail) => Some(match detail {
            Detail::Entries(entries) => serde_json::to_value(entries).unwrap_or_default(),
            Detail::Text(text) => Value::String(text.clone()),
            Detail::Other(raw) => raw.value(),
        }),
        _ => None,
    };
    let cause = match &error.kind {
        ErrorKind::Network(words) | ErrorKind::NoKey(words) | ErrorKind::Decode(words) => {
            Some(words.clone()).filter(|words| !words.is_empty())
        }
        ErrorKind::OutcomeUnknown(cause) => Some(cause.what()),
        _ => None,
    };
    let fields = Fields {
        code,
        operation: Some(camel(error.operation)),
        status: error.status,
        request_id: error.request_id.as_deref(),
        attempts: error.attempts,
        retryable: error.is_passing(),
        ambiguous: error.ambiguous,
        retry_after_ms: wait,
        until: wait
            .filter(|_| matches!(error.kind, ErrorKind::RateLimited))
            .map(|wait| Date::now() + wait),
        detail,
        cause,
    };
    made(class, &error.to_string(), &fields)
}

/// Something that was refused before it became a call.
pub(super) fn argument(reason: &str) -> JsValue {
    let fields = Fields {
        code: "argument",
        operation: None,
        status: None,
        request_id: None,
        attempts: 0,
        retryable: false,
        ambiguous: false,
        retry_after_ms: None,
        until: None,
        detail: None,
        cause: None,
    };
    made(
        "ArgumentError",
        // Some reasons are whole sentences already.
        &format!("Nothing was sent: {}.", reason.trim_end_matches('.')),
        &fields,
    )
}

fn made(class: &str, message: &str, fields: &Fields<'_>) -> JsValue {
    make(class, message, &value(fields))
}

/// A value as plain objects.
pub(super) fn value(of: &impl Serialize) -> JsValue {
    of.serialize(&serde_wasm_bindgen::Serializer::json_compatible())
        .unwrap_or(JsValue::NULL)
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

/// `update_lead` as JavaScript writes it.
pub(super) fn camel(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    for (index, word) in name.split('_').enumerate() {
        let mut chars = word.chars();
        match chars.next() {
            Some(first) if index > 0 => camel.push(first.to_ascii_uppercase()),
            Some(first) => camel.push(first),
            None => {}
        }
        camel.push_str(chars.as_str());
    }
    camel
}
