//! Bodies: read within limits, written as JSON.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderValue, Request, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::error::entry;
use super::{ApiError, Limits};

/// Reads a whole body, no larger and no slower than allowed.
pub(super) async fn read(request: Request<Body>, limits: Limits) -> Result<Bytes, ApiError> {
    let announced = request
        .headers()
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > limits.body_bytes as u64) {
        return Err(ApiError::TooLarge(limits.body_bytes));
    }
    let body = Limited::new(request.into_body(), limits.body_bytes).collect();
    match tokio::time::timeout(limits.body_time, body).await {
        Err(_) => Err(ApiError::BodyTimeout),
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Err(ApiError::TooLarge(limits.body_bytes))
        }
        Ok(Err(error)) => Err(ApiError::Broken(format!(
            "the body broke off: {error}; nothing was changed"
        ))),
    }
}

/// Reads JSON, or says where it stops being JSON.
pub(super) fn parse(body: &[u8]) -> Result<Value, ApiError> {
    if body.is_empty() {
        let msg = "a JSON body is required; {} will do where nothing is required";
        return Err(ApiError::invalid(&["body"], "missing", msg, Value::Null));
    }
    serde_json::from_slice(body).map_err(|error| {
        let mut ctx = Map::new();
        ctx.insert("error".into(), json!(error.to_string()));
        ctx.insert("line".into(), json!(error.line()));
        ctx.insert("column".into(), json!(error.column()));
        let msg = format!("the body is not JSON: {error}");
        ApiError::Invalid(vec![entry(
            &["body"],
            "json_invalid",
            msg,
            Value::Null,
            ctx,
        )])
    })
}

/// A JSON answer.
pub(super) fn json_response(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(text) => raw_json(status, text),
        // Only a map with keys that are no text could bring us here; there is none.
        Err(error) => {
            tracing::error!(%error, "an answer could not be written as JSON");
            let text = r#"{"detail":"an internal error occurred"}"#;
            raw_json(StatusCode::INTERNAL_SERVER_ERROR, text)
        }
    }
}

pub(super) fn raw_json(status: StatusCode, text: impl Into<Body>) -> Response {
    let mut response = Response::new(text.into());
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}
