//! Error messages of a gateway when the upstream's answer is missing.

use serde_json::{Value, json};

use crate::fake_upstream::fake;

/// Requests that only read change nothing, regardless of their method.
#[tokio::test]
async fn only_what_changes_something_may_have_been_done() {
    let lead = json!({"approval_status": "approved"});
    for (method, path, body, changes) in [
        ("POST", "/api/leads/query", json!({}), false),
        ("POST", "/api/accounts/query", json!({}), false),
        ("GET", "/api/leads/facets", Value::Null, false),
        ("GET", "/api/leads/x", Value::Null, false),
        ("GET", "/api/jobs/x", Value::Null, false),
        ("PATCH", "/api/leads/x", lead, true),
        ("DELETE", "/api/leads/x", Value::Null, true),
        ("POST", "/api/leads/score", json!({}), true),
        // The effect of this route is unknown.
        ("POST", "/api/allowed/x", json!({}), true),
        ("GET", "/api/allowed/x", Value::Null, false),
    ] {
        for hangs in [true, false] {
            let upstream = fake("", hangs).await;
            let gateway = upstream.gateway().await;
            let answer = gateway.call(method, path, body.clone()).await;
            let status = if hangs { 504 } else { 502 };
            assert_eq!(answer.status, status, "{method} {path}");
            let told = answer.json()["detail"].as_str().unwrap().to_owned();
            assert_eq!(
                told.contains("may or may not have been done"),
                changes,
                "{method} {path}: {told}"
            );
            assert!(told.contains("ry again"), "{told}");
        }
    }
}
