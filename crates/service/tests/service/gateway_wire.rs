//! A gateway in front of arbitrary upstreams: which requests arrive there, and which answers are
//! returned.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use http::Request;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::common::{Answer, Service, with};
use crate::fake_upstream::{fake, response};
use crate::gateway::{gateway_to, on_a_port, short};

async fn send(gateway: &Service) -> Answer {
    gateway.call("POST", "/api/leads/query", json!({})).await
}

#[tokio::test]
async fn the_upstream_receives_its_own_key_and_few_headers() {
    let upstream = fake(
        response("200 OK\r\ncontent-type: application/json", "{}"),
        false,
    )
    .await;
    let gateway = upstream.gateway().await;
    let mut request = gateway.request("PATCH", "/api/leads/a%20b?x=%2F..", "{\"a\":1}");
    for (name, value) in [
        ("cookie", "session=1"),
        ("forwarded", "for=1.2.3.4"),
        ("x-forwarded-for", "1.2.3.4"),
        ("x-forwarded-host", "evil.example"),
        ("x-real-ip", "1.2.3.4"),
        ("connection", "close, x-named"),
        ("x-named", "1"),
        ("keep-alive", "timeout=5"),
        ("te", "trailers"),
        ("trailer", "x"),
        ("upgrade", "websocket"),
        ("proxy-authorization", "Basic eDp5"),
        ("proxy-connection", "close"),
        ("origin", "http://localhost"),
        ("referer", "http://localhost/leads?q=somebody"),
        ("x-method-override", "DELETE"),
        ("content-type", "application/json"),
        ("x-request-id", "r-1"),
    ] {
        request = with(request, name, value);
    }
    assert_eq!(gateway.send(request).await.status, 200);
    let request = upstream.requests().pop().unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let mut lines: Vec<&str> = head.lines().collect();
    assert_eq!(lines.remove(0), "PATCH /base/api/leads/a%20b HTTP/1.1");
    lines.sort_unstable();
    let host = format!("host: {}", upstream.address);
    assert_eq!(
        lines,
        [
            "accept-encoding: identity",
            "authorization: Bearer upstream-secret",
            "content-length: 7",
            "content-type: application/json",
            &host,
            "x-request-id: r-1",
        ]
    );
    assert_eq!(body, "{\"a\":1}");
}

#[tokio::test]
async fn the_browser_gets_the_body_and_only_allowed_headers() {
    let head = "429 Too Many Requests\r\nretry-after: 7\r\nretry-after-ms: 6500\r\n\
        date: Sat, 21 Nov 2026 10:00:00 GMT\r\ncontent-type: application/json\r\nset-cookie: a=b\r\n\
        www-authenticate: Bearer\r\nconnection: x-named\r\nx-named: 1\r\nkeep-alive: timeout=1\r\n\
        proxy-authenticate: Basic\r\nforwarded: for=1\r\nserver: secret/1.0\r\nlocation: /x\r\n\
        access-control-allow-origin: *\r\ncontent-security-policy: none\r\nrefresh: 0; url=/x\r\n\
        strict-transport-security: max-age=1\r\nclear-site-data: \"*\"\r\nx-request-id: theirs";
    let upstream = fake(response(head, "{\"detail\":\"slow down\"}"), false).await;
    let answer = send(&upstream.gateway().await).await;
    assert_eq!(answer.status, 429);
    assert_eq!(answer.detail(), "slow down");
    let mut names: Vec<&str> = answer.headers.keys().map(|name| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "cache-control",
            "content-length",
            "content-security-policy",
            "content-type",
            "cross-origin-opener-policy",
            "cross-origin-resource-policy",
            "date",
            "permissions-policy",
            "referrer-policy",
            "retry-after",
            "retry-after-ms",
            "x-content-type-options",
            "x-request-id",
        ]
    );
    assert_eq!(answer.headers["retry-after"], "7");
    assert_eq!(answer.headers["date"], "Sat, 21 Nov 2026 10:00:00 GMT");
    assert!(
        answer.headers["content-security-policy"]
            .to_str()
            .unwrap()
            .contains("'self'")
    );
    assert_ne!(answer.headers["x-request-id"], "theirs");
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let target = fake(response("200 OK", "{}"), false).await;
    for status in [
        "301 Moved",
        "302 Found",
        "303 See",
        "304 Same",
        "307 Again",
        "308 Always",
    ] {
        let head = format!("{status}\r\nlocation: http://{}/elsewhere", target.address);
        let upstream = fake(
            format!("HTTP/1.1 {head}\r\ncontent-length: 0\r\n\r\n"),
            false,
        )
        .await;
        let answer = send(&upstream.gateway().await).await;
        assert_eq!(answer.status, 502, "{status}");
        assert!(answer.detail().contains("--upstream"));
        assert!(!answer.headers.contains_key("location"));
        assert_eq!(upstream.requests().len(), 1);
    }
    assert!(target.requests().is_empty());
}

#[tokio::test]
async fn upstream_down_timeout_and_abort_are_distinct_errors() {
    let unused = TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap();
    let down = gateway_to(&format!("http://{unused}"), "upstream-secret", short()).await;
    let hanging = fake("", true).await;
    let aborting = fake("", false).await;
    let garbage = fake("no HTTP at all\r\n\r\n", false).await;
    let slow = fake("HTTP/1.1 200 OK\r\ncontent-le", true).await;
    for (gateway, status, words) in [
        (down, 502, "cannot be reached"),
        (hanging.gateway().await, 504, "did not respond within"),
        (slow.gateway().await, 504, "did not respond within"),
        (
            aborting.gateway().await,
            502,
            "closed the connection before it responded",
        ),
        (
            garbage.gateway().await,
            502,
            "closed the connection before it responded",
        ),
    ] {
        let answer = gateway.call(
            "PATCH",
            "/api/leads/x",
            json!({"approval_status": "approved"}),
        );
        let answer = answer.await;
        assert_eq!(answer.status, status, "{words}");
        let detail = answer.detail();
        assert!(detail.contains(words), "{detail}");
        let open = status == 504 || words.contains("closed the connection");
        assert_eq!(
            detail.contains("may or may not have taken effect"),
            open,
            "{detail}"
        );
        assert!(detail.contains("ry again in a moment"), "{detail}");
        assert!(!answer.text.contains("upstream-secret"));
    }
}

/// A truncated body must not look complete: none of it is passed on.
#[tokio::test]
async fn aborted_stalled_and_oversized_responses_are_reported() {
    let large = "x".repeat((1 << 20) + 1);
    let chunk = format!("{:x}\r\n{large}\r\n0\r\n\r\n", large.len());
    let chunked = format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{chunk}");
    let short = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{}".to_owned();
    let endless = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n".to_owned();
    for (answer, hanging, status, words) in [
        (
            response("200 OK", &large),
            false,
            502,
            "larger than 1048576 bytes",
        ),
        (chunked, false, 502, "larger than 1048576 bytes"),
        (
            short.clone(),
            false,
            502,
            "closed the connection during its response",
        ),
        (short, true, 504, "stopped sending its response"),
        (
            endless,
            false,
            502,
            "closed the connection during its response",
        ),
    ] {
        let upstream = fake(answer, hanging).await;
        let gateway = upstream.gateway().await;
        let lead = json!({"approval_status": "approved"});
        for (method, body, open) in [
            ("GET", serde_json::Value::Null, false),
            ("PATCH", lead, true),
        ] {
            let answer = gateway.call(method, "/api/leads/x", body).await;
            assert_eq!(answer.status, status, "{words}");
            let detail = answer.detail();
            assert!(detail.contains(words), "{detail}");
            assert_eq!(
                detail.contains("may or may not have taken effect"),
                open,
                "{detail}"
            );
        }
    }
}

#[tokio::test]
async fn no_part_of_an_oversized_request_reaches_the_upstream() {
    let upstream = fake(response("200 OK", "{}"), false).await;
    let gateway = upstream.gateway().await;
    let large = json!({"search": "x".repeat(1 << 20)}).to_string();
    let answer = gateway
        .send(gateway.request("POST", "/api/leads/query", large))
        .await;
    assert_eq!(answer.status, 413);
    assert!(upstream.requests().is_empty());
}

#[tokio::test]
async fn a_browser_disconnect_cancels_the_upstream_request() {
    let mut upstream = fake("", true).await;
    let url = format!("http://{}", upstream.address);
    let limits = lead_workspace_service::gateway::UpstreamLimits::default();
    let gateway = gateway_to(&url, "upstream-secret", limits).await;
    let mut stream = TcpStream::connect(on_a_port(&gateway).await).await.unwrap();
    let request = format!(
        "GET /api/leads/x HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\r\n",
        gateway.key
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    while upstream.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    drop(stream);
    let closed = upstream.closed.wait_for(|count| *count == 1);
    tokio::time::timeout(Duration::from_secs(20), closed)
        .await
        .unwrap()
        .unwrap();
}

/// Sends a request line unchanged over a new connection; returns the status.
async fn raw(address: SocketAddr, key: &str, line: &str) -> u16 {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "{line} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    answer
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or(0)
}

#[tokio::test]
async fn unlisted_operations_never_reach_the_upstream() {
    let upstream = fake(response("200 OK", "{}"), false).await;
    let gateway = upstream.gateway().await;
    let address = on_a_port(&gateway).await;
    for line in [
        "GET /api/admin",
        "GET /api/leads/../../admin",
        "GET /api/leads/%2e%2e",
        "GET /api/leads/a%2fb",
        "GET //api/leads/x",
        "GET /api//leads/x",
        "GET /api/leads/..;/x",
        "PUT /api/leads/x",
        "HEAD /api/leads/x",
        "OPTIONS /api/leads/x",
        "TRACE /api/leads/x",
        "CONNECT localhost:80",
        "GET http://evil.example/api/leads/x",
        "GET http://localhost/api/leads/x",
        "OPTIONS *",
        "GET /API/leads/x",
        "GET /x/../api/leads/x",
        "GET /%61pi/leads/x",
        "POST /import",
        "GET /base/api/leads/x",
        "POST /api/allowed",
        "DELETE /api/allowed/1",
    ] {
        let status = raw(address, &gateway.key, line).await;
        assert!(
            [0, 400, 404, 405, 421].contains(&status),
            "{line}: {status}"
        );
    }
    assert_eq!(upstream.requests(), Vec::<String>::new());
    assert_eq!(raw(address, &gateway.key, "GET /api/leads/x").await, 200);
    assert_eq!(raw(address, &gateway.key, "POST /api/allowed/1").await, 200);
    assert_eq!(upstream.requests().len(), 2);
}

/// For any path, the path that arrives at the upstream is on the list.
#[test]
fn hostile_paths_never_reach_the_upstream() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (upstream, gateway) = runtime.block_on(async {
        let upstream = fake(response("200 OK", "{}"), false).await;
        let gateway = upstream.gateway().await;
        (upstream, gateway)
    });
    let parts =
        "(/|//|\\.|\\.\\.|%2e|%2F|%5c|\\\\|;|%25|%252e|api|leads|accounts|admin|a|\\?|%00){0,9}";
    let path = parts.prop_map(|rest: String| format!("/api/leads/{rest}"));
    let sent = TestRunner::new(Config::with_cases(300)).run(&path, |path| {
        upstream.requests.lock().unwrap().clear();
        let request = Request::get(&path)
            .header("host", "localhost")
            .header("authorization", format!("Bearer {}", gateway.key))
            .body(Body::empty());
        let Ok(request) = request else { return Ok(()) };
        runtime.block_on(gateway.send(request));
        for request in upstream.requests() {
            let sent = request.split(' ').nth(1).unwrap().to_owned();
            let sent = sent.split('?').next().unwrap().to_owned();
            let id = sent.strip_prefix("/base/api/leads/").unwrap_or("");
            let is_one = !matches!(id, "" | "." | "..") && !id.contains(['/', '\\', ';']);
            let hides = ["%2e", "%2f", "%5c", "%252"]
                .iter()
                .any(|code| id.to_ascii_lowercase().contains(code));
            prop_assert!(is_one && !hides, "{path} arrived as {sent}");
        }
        Ok(())
    });
    sent.unwrap();
}
