//! The stream of changes of the workspace in memory against that of the service.

use serde_json::{Value, json};

use super::both::{Both, Headers};

#[tokio::test]
async fn the_streams_report_the_same_changes() {
    let mut both = Both::new(30).await;
    let ids = both.column("SELECT lead_id FROM leads ORDER BY id").await;
    let mut streams = both.streams().await;
    let one = format!("/api/leads/{}", ids[3]);
    for (method, path, body) in [
        ("PATCH", &*one, json!({"approval_status": "approved"})),
        ("PATCH", &*one, json!({"approval_status": "rejected"})),
        (
            "PATCH",
            "/api/leads",
            json!({"lead_ids": ids[..9], "approval_status": "filtered"}),
        ),
        ("DELETE", &*one, Value::Null),
    ] {
        let body = match body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        both.send(method, path, &body, &Headers::VALID).await;
        let [of_service, of_memory] = streams.next(&both).await;
        assert_eq!(of_service, of_memory, "{method} {path} {body}");
        assert!(!of_service.as_array().unwrap().is_empty());
    }
}
