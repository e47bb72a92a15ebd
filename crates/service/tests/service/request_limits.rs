//! Requests that are too large, too slow, or too many for their workspace.

use lead_workspace_service::http::{Limits, ServiceOptions, accept_loop};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::common::{Service, limited};

#[tokio::test]
async fn an_oversized_body_is_rejected() {
    let limits = Limits {
        body_bytes: 1000,
        ..Limits::default()
    };
    let service = Service::with(&limited(limits)).await;
    let body = json!({"search": "x".repeat(1000)}).to_string();
    // Once with content-length, once without.
    let mut announced = service.request("POST", "/api/leads/query", body.clone());
    announced
        .headers_mut()
        .insert("content-length", body.len().into());
    for request in [announced, service.request("POST", "/api/leads/query", body)] {
        let answer = service.send(request).await;
        assert_eq!(answer.status, 413);
        assert!(answer.detail().contains("1000 bytes"));
    }
}

#[tokio::test]
async fn a_rate_limited_workspace_gets_retry_after() {
    let options = ServiceOptions {
        rate_limit: Some(2),
        ..ServiceOptions::default()
    };
    let service = Service::with(&options).await;
    let mut statuses = Vec::new();
    for _ in 0..3 {
        let answer = service.call("POST", "/api/leads/query", json!({})).await;
        statuses.push(answer.status.as_u16());
        if answer.status == 429 {
            assert_eq!(answer.headers["retry-after"], "1");
            assert!(answer.json()["detail"].is_string());
        }
    }
    assert_eq!(statuses, [200, 200, 429]);
}

/// Serves on a real port with short timeouts, and returns the address.
async fn serve_with_short_timeouts() -> std::net::SocketAddr {
    let short = std::time::Duration::from_millis(100);
    let limits = Limits {
        header_time: short,
        body_time: short,
        ..Limits::default()
    };
    let service = Service::with(&limited(limits)).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = service.router.clone();
    tokio::spawn(async move {
        // Keeps the folder until the test ends.
        let _service = service;
        accept_loop::serve(listener, router, limits, std::future::pending()).await;
    });
    address
}

#[tokio::test]
async fn endless_headers_close_the_connection() {
    let mut stream = tokio::net::TcpStream::connect(serve_with_short_timeouts().await)
        .await
        .unwrap();
    stream
        .write_all(b"GET /health HTTP/1.1\r\nhost: loc")
        .await
        .unwrap();
    let mut answer = Vec::new();
    // Returns because the service closes the connection.
    stream.read_to_end(&mut answer).await.unwrap();
    assert!(!String::from_utf8_lossy(&answer).contains("200 OK"));
}

#[tokio::test]
async fn an_endless_body_gets_a_response() {
    let service = Service::empty().await;
    let short = std::time::Duration::from_millis(100);
    let limits = Limits {
        body_time: short,
        ..Limits::default()
    };
    let options = limited(limits);
    let router = lead_workspace_service::http::router(
        lead_workspace_service::http::App::new(service.store.clone(), &options),
        &options,
    );
    let endless = futures_util::stream::pending::<Result<bytes::Bytes, std::io::Error>>();
    let request = service.request(
        "POST",
        "/api/leads/query",
        axum::body::Body::from_stream(endless),
    );
    let answer = tower::ServiceExt::oneshot(router, request).await.unwrap();
    assert_eq!(answer.status(), 408);
}
