//! Probes for supervisors and load balancers. They need no key and reveal no data.

use axum::extract::State;
use axum::response::Response;
use http::header::RETRY_AFTER;
use http::{HeaderValue, StatusCode};
use serde_json::json;

use super::App;
use super::json::json_response;
use super::request_context::set_operation;
use crate::store::Check;

/// Handles `GET /livez`: the process answers.
pub(super) async fn livez() -> Response {
    set_operation("livez");
    json_response(StatusCode::OK, &json!({"status": "ok"}))
}

/// Handles `GET /readyz`: the service can do its work, and is not stopping.
pub(super) async fn readyz(State(app): State<App>) -> Response {
    set_operation("readyz");
    let mut checks = app.store().health().await;
    checks.push(if app.is_stopping() {
        Check::failed("running", "the service is stopping")
    } else {
        Check::passed("running")
    });
    let mut failed = checks.iter().filter(|check| !check.ok).peekable();
    let (status, text) = if failed.peek().is_none() {
        (StatusCode::OK, "ready")
    } else if failed.any(|check| check.is_vital) {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready")
    } else {
        // A load balancer would otherwise take all processes out, and with them the workspaces that work.
        (StatusCode::OK, "ready in part")
    };
    let mut response = json_response(status, &json!({"status": text, "checks": checks}));
    if status == StatusCode::SERVICE_UNAVAILABLE {
        let seconds = HeaderValue::from_static("5");
        response.headers_mut().insert(RETRY_AFTER, seconds);
    }
    response
}
