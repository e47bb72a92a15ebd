//! A workspace for unit tests, and requests to it.

use jiff::Timestamp;
use serde_json::Value;

use crate::{Options, Request, Workspace};

pub fn workspace(leads: u64) -> Workspace {
    Workspace::new(Options {
        seed: 1,
        leads,
        now: Timestamp::UNIX_EPOCH,
        api_key: Some("key".into()),
        tenant_id: "default".into(),
    })
}

pub fn request<'a>(method: &'a str, path: &'a str) -> Request<'a> {
    Request {
        method,
        path,
        authorization: Some("Bearer key"),
        ..Request::default()
    }
}

/// Sends a request that must succeed, and returns the body of the response.
pub fn send(workspace: &mut Workspace, method: &str, path: &str, body: &Value) -> Value {
    send_at(workspace, Timestamp::UNIX_EPOCH, method, path, body)
}

pub fn send_at(
    workspace: &mut Workspace,
    now: Timestamp,
    method: &str,
    path: &str,
    body: &Value,
) -> Value {
    let body = body.to_string();
    let request = Request {
        body: body.as_bytes(),
        ..request(method, path)
    };
    let response = workspace.handle(&request, now);
    assert!(response.status < 300, "{path}: {}", response.body);
    serde_json::from_str(&response.body).unwrap_or_default()
}
