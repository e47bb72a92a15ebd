//! Requests with headers or bodies that must not be guessed at.

use axum::body::Body;
use http::{HeaderName, HeaderValue, Request};
use serde_json::json;

use crate::common::{Service, without_key};

/// A request with a header more, which it may have already.
fn added(mut request: Request<Body>, header: &'static str, value: &str) -> Request<Body> {
    let value = HeaderValue::from_str(value).unwrap();
    let name = HeaderName::from_static(header);
    request.headers_mut().append(name, value);
    request
}

#[tokio::test]
async fn a_header_that_decides_is_given_once() {
    let service = Service::empty().await;
    let request = || service.request("POST", "/api/leads/query", "{}");
    let key = format!("Bearer {}", service.key);
    let one_workspace = added(request(), "x-tenant-id", "default");
    for request in [
        added(request(), "authorization", "Bearer other"),
        added(request(), "authorization", &key),
        added(request(), "host", "127.0.0.1"),
        added(one_workspace, "x-tenant-id", "other"),
    ] {
        let headers = request.headers();
        let twice = headers
            .keys()
            .find(|name| headers.get_all(*name).iter().count() > 1);
        let name = twice.unwrap().clone();
        let answer = service.send(request).await;
        assert_eq!(answer.status, 400, "{name}: {}", answer.text);
        let detail = answer.detail();
        assert!(
            detail.contains(&format!("more than one {name}")),
            "{detail}"
        );
    }
    let one_workspace = added(request(), "x-tenant-id", "default");
    assert_eq!(service.send(one_workspace).await.status, 200);
}

#[tokio::test]
async fn a_compressed_body_is_refused_with_the_reason() {
    let service = Service::empty().await;
    let small = vec![0x1f, 0x8b, 8, 0];
    let large = vec![0x1f; 100_000];
    for (path, body) in [
        ("/api/leads/query", &small),
        ("/api/leads/query", &large),
        ("/import", &small),
        ("/import/preview", &small),
    ] {
        for encoding in ["gzip", "identity, br"] {
            let request = service.request("POST", path, body.clone());
            let request = added(request, "content-encoding", encoding);
            let answer = service.send(request).await;
            assert_eq!(answer.status, 415, "{path}: {}", answer.text);
            assert_eq!(answer.headers["accept-encoding"], "identity");
            let detail = answer.detail();
            assert!(
                detail.contains(encoding) && detail.contains("Nothing was changed"),
                "{detail}"
            );
        }
    }
    // Without a key, nothing else is told.
    let request = without_key(service.request("POST", "/api/leads/query", small));
    let request = added(request, "content-encoding", "gzip");
    assert_eq!(service.send(request).await.status, 401);
    let plain = added(
        service.request("POST", "/api/leads/query", "{}"),
        "content-encoding",
        "Identity",
    );
    assert_eq!(service.send(plain).await.status, 200);
}

#[tokio::test]
async fn a_body_may_begin_with_a_byte_order_mark() {
    let service = Service::demo(5).await;
    let body = format!("\u{feff}{}", json!({"page_size": 2}));
    let request = service.request("POST", "/api/leads/query", body);
    let answer = service.send(request).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.json()["data"].as_array().unwrap().len(), 2);
    let large = format!("\u{feff}{}{}", " ".repeat(10_000), json!({"page_size": 2}));
    let request = service.request("POST", "/api/leads/query", large);
    assert_eq!(service.send(request).await.status, 200);
    let alone = service.request("POST", "/api/leads/query", "\u{feff}");
    let answer = service.send(alone).await;
    assert_eq!(answer.status, 422);
    assert!(
        answer.text.contains("a JSON body is required"),
        "{}",
        answer.text
    );
}
