//! The upstream's key is never returned in any form, and only JSON is passed on.

use serde_json::json;

use crate::common::{Answer, Service, with};
use crate::fake_upstream::{fake, response};

async fn send(gateway: &Service) -> Answer {
    gateway.call("POST", "/api/leads/query", json!({})).await
}

/// An upstream may echo the request headers, as debug pages do.
#[tokio::test]
async fn a_response_containing_the_key_is_withheld() {
    let json = "content-type: application/json";
    let padding = "x".repeat(300_000);
    let half = "2\r\n{\"\r\nb\r\nauth\":\"upst\r\nc\r\nream-secret\"\r\n1\r\n}\r\n0\r\n\r\n";
    for (answer, what) in [
        (
            response(
                "500 Oops\r\ncontent-type: text/html",
                "<pre>authorization: Bearer upstream-secret</pre>",
            ),
            "a page",
        ),
        (
            response(
                &format!("200 OK\r\n{json}"),
                r#"{"echo": "upstream-secret"}"#,
            ),
            "JSON",
        ),
        (
            response(
                &format!("422 No\r\n{json}"),
                r#"{"echo": "upstream\u002dsecret"}"#,
            ),
            "escaped JSON",
        ),
        (
            response(
                &format!("404 No\r\n{json}"),
                r#"{"echo": "?key=upstream%2Dsecret"}"#,
            ),
            "an address",
        ),
        // "Bearer upstream-secret"
        (
            response(
                &format!("200 OK\r\n{json}"),
                r#"{"echo": "QmVhcmVyIHVwc3RyZWFtLXNlY3JldA=="}"#,
            ),
            "Base64",
        ),
        (
            response(
                &format!("200 OK\r\n{json}"),
                &format!(r#"{{"a": "{padding}", "echo": "upstream-secret"}}"#),
            ),
            "a large one",
        ),
        (
            response("200 OK\r\ncontent-language: upstream-secret", "{}"),
            "the head",
        ),
        (
            format!("HTTP/1.1 200 OK\r\n{json}\r\ntransfer-encoding: chunked\r\n\r\n{half}"),
            "pieces",
        ),
    ] {
        let upstream = fake(answer, false).await;
        let answer = send(&upstream.gateway().await).await;
        assert_eq!(answer.status, 502, "{what}: {}", answer.text);
        assert!(
            answer.detail().contains("contains the key of this gateway"),
            "{what}: {}",
            answer.text
        );
        let received = format!("{:?}{}", answer.headers, answer.text);
        assert!(
            !received.contains("upstream-secret") && !received.contains("VwstcmVhb"),
            "{what}"
        );
    }
}

#[tokio::test]
async fn only_json_passes_in_both_directions() {
    let page = "<script>alert(1)</script>";
    // A page instead of an API answer.
    let upstream = fake(response("200 OK\r\ncontent-type: text/html", page), false).await;
    let gateway = upstream.gateway().await;
    let request = gateway.request("POST", "/api/leads/query", "{}");
    let request = with(request, "content-type", "text/html");
    let answer = gateway.send(request).await;
    assert_eq!(answer.status, 502);
    assert!(
        answer.detail().contains("other than JSON"),
        "{}",
        answer.text
    );
    let request = upstream.requests().pop().unwrap();
    assert!(
        request.contains("content-type: application/json\r\n"),
        "{request}"
    );
    assert!(!request.contains("text/html"), "{request}");
    // An error page of a server in between: status and retry-after are passed on.
    let head = "503 Busy\r\ncontent-type: text/html\r\nretry-after: 7";
    let upstream = fake(response(head, page), false).await;
    let answer = send(&upstream.gateway().await).await;
    assert_eq!(answer.status, 503);
    assert_eq!(answer.headers["retry-after"], "7");
    assert_eq!(answer.headers["content-type"], "application/json");
    assert!(answer.detail().contains("503"), "{}", answer.text);
    for kind in [
        "application/json; charset=utf-8",
        "application/problem+json",
    ] {
        let head = format!("404 No\r\ncontent-type: {kind}");
        let upstream = fake(response(&head, "{\"detail\":\"theirs\"}"), false).await;
        let answer = send(&upstream.gateway().await).await;
        assert_eq!(
            (answer.status.as_u16(), answer.detail()),
            (404, "theirs".to_owned())
        );
        assert_eq!(answer.headers["content-type"], "application/json");
    }
    let head = "200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip";
    let upstream = fake(response(head, "\u{1f}"), false).await;
    let answer = send(&upstream.gateway().await).await;
    assert_eq!(answer.status, 502);
    assert!(answer.detail().contains("compressed"), "{}", answer.text);
}

#[tokio::test]
async fn only_listed_query_parameters_pass() {
    let upstream = fake(response("200 OK", "{}"), false).await;
    let gateway = upstream.gateway().await;
    for (path, sent) in [
        (
            "/api/leads/facets?debug=1&campaign_id=a%26b%3Bc&key=x",
            "/api/leads/facets?campaign_id=a%26b%3Bc",
        ),
        ("/api/leads/facets?debug=1", "/api/leads/facets"),
        ("/api/leads/x?campaign_id=a", "/api/leads/x"),
        ("/api/jobs/x?verbose=1", "/api/jobs/x"),
        // This route is not in the contract's table.
        ("/api/allowed/x?debug=1", "/api/allowed/x?debug=1"),
    ] {
        gateway.get(path).await;
        let request = upstream.requests().pop().unwrap();
        let line = request.lines().next().unwrap();
        assert_eq!(line, format!("GET /base{sent} HTTP/1.1"));
    }
}
