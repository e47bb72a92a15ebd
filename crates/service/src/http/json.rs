//! JSON responses.

use axum::body::Body;
use axum::response::Response;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use serde::Serialize;

pub(super) fn json_response(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(text) => raw_json(status, text),
        // Only a map with keys that are not strings could fail here; there is none.
        Err(error) => {
            tracing::error!(%error, "a response could not be serialized as JSON");
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
