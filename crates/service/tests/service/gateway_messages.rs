//! Error messages of a gateway when the upstream's answer is missing.

use serde_json::{Value, json};

use crate::fake_upstream::fake;

/// Requests that only read change nothing, regardless of their method.
#[tokio::test]
async fn only_changing_operations_can_be_uncertain() {
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
        for hanging in [true, false] {
            let upstream = fake("", hanging).await;
            let gateway = upstream.gateway().await;
            let answer = gateway.call(method, path, body.clone()).await;
            let status = if hanging { 504 } else { 502 };
            assert_eq!(answer.status, status, "{method} {path}");
            let detail = answer.detail();
            assert_eq!(
                detail.contains("may or may not have taken effect"),
                changes,
                "{method} {path}: {detail}"
            );
            assert!(detail.contains("ry again"), "{detail}");
        }
    }
}
