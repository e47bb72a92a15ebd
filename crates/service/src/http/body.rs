//! Bodies: read within limits, written as JSON.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use http::{HeaderValue, Request, StatusCode};
use http_body_util::BodyExt;
use lead_workspace_api::limits::BODY_VALUES;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::error::entry;
use super::{ApiError, Limits};
use crate::store::StoreError;

/// How many bytes of a too large body are still received, so that the client gets to read the
/// response. A browser that is cut off while sending only sees a broken connection.
const DRAINED: usize = 64 << 20;

/// Reads a whole body of at most `most` bytes within the time limit.
pub(crate) async fn read(
    request: Request<Body>,
    most: usize,
    limits: Limits,
) -> Result<Bytes, ApiError> {
    let headers = request.headers();
    let announced = headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let is_too_large = announced.is_some_and(|length| length > most as u64);
    // With `Expect: 100-continue` the client has not sent the body yet.
    if is_too_large && headers.contains_key(EXPECT) {
        return Err(ApiError::TooLarge(most));
    }
    let mut body = request.into_body();
    let length = announced.map_or(0, |length| length.min(most as u64) as usize);
    let mut kept = Vec::with_capacity(length);
    let reading = async {
        let mut seen = 0;
        while let Some(frame) = body.frame().await {
            let broken = |error| {
                ApiError::Broken(format!("the body broke off: {error}; nothing was changed"))
            };
            let Ok(data) = frame.map_err(broken)?.into_data() else {
                continue;
            };
            seen += data.len();
            if seen <= most {
                kept.extend_from_slice(&data);
            } else if seen > most.saturating_add(DRAINED) {
                break;
            }
        }
        if seen > most {
            Err(ApiError::TooLarge(most))
        } else {
            Ok(())
        }
    };
    match tokio::time::timeout(limits.body_time, reading).await {
        Err(_) if is_too_large => Err(ApiError::TooLarge(most)),
        Err(_) => Err(ApiError::BodyTimeout),
        Ok(read) => read.map(|()| kept.into()),
    }
}

/// Runs parsing or serializing on a blocking thread, so that it does not delay other requests.
pub(crate) async fn on_blocking_thread<T: Send + 'static>(
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(compute).await;
    done.map_err(|_| ApiError::Store(StoreError::Panicked))
}

/// Parses a JSON body. Errors contain the position; bodies with too many values are refused.
pub(super) fn parse(body: &[u8]) -> Result<Value, ApiError> {
    if body.is_empty() {
        let msg = "a JSON body is required; {} will do where nothing is required";
        return Err(ApiError::invalid(&["body"], "missing", msg, Value::Null));
    }
    // Every value except the first follows one of these.
    let values = body
        .iter()
        .filter(|byte| matches!(byte, b',' | b'[' | b'{'));
    if values.count() > BODY_VALUES {
        let msg = format!("the body can hold at most {BODY_VALUES} values");
        let ctx = Map::from_iter([("max_values".into(), json!(BODY_VALUES))]);
        let kind = "too_many_values";
        return Err(ApiError::Invalid(vec![entry(
            &["body"],
            kind,
            msg,
            Value::Null,
            ctx,
        )]));
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

pub(crate) fn json_response(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(text) => raw_json(status, text),
        // Only a map with keys that are not strings could fail here; there is none.
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
