//! Responses to requests that match no operation, are too large, or are malformed.

use lead_workspace_service::http::{Limits, ServiceOptions, accept_loop};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::common::Service;

#[tokio::test]
async fn unknown_paths_and_methods_get_a_json_error() {
    let service = Service::empty().await;
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/leads/a/b",
        "/nothing",
        "/API/leads",
    ] {
        let answer = service.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.json()["detail"].is_string(), "{path}");
    }
    for (method, path, allow) in [
        ("GET", "/api/leads/query", "POST"),
        ("PUT", "/api/leads/x", "DELETE,GET,HEAD,PATCH"),
        ("PATCH", "/api/leads/facets", "GET,HEAD"),
        ("DELETE", "/api/accounts/x/pulse", "GET,HEAD"),
    ] {
        let answer = service.call(method, path, json!({})).await;
        assert_eq!(answer.status, 405, "{method} {path}");
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(method) && detail.contains(path), "{detail}");
        let mut allowed: Vec<&str> = answer.headers["allow"]
            .to_str()
            .unwrap()
            .split(',')
            .collect();
        allowed.sort_unstable();
        assert_eq!(allowed.join(","), allow, "{method} {path}");
    }
}

#[tokio::test]
async fn invalid_json_is_reported_with_its_position() {
    let service = Service::empty().await;
    for (body, kind, line, column) in [
        ("{\n  \"page\": }", "json_invalid", 2, 11),
        ("{} {}", "json_invalid", 1, 4),
        ("\u{feff}{}", "json_invalid", 1, 1),
    ] {
        let answer = service
            .send(service.request("POST", "/api/leads/query", body))
            .await;
        assert_eq!(answer.status, 422, "{body}");
        let entry = answer.json()["detail"][0].clone();
        assert_eq!(
            (&entry["loc"], &entry["type"]),
            (&json!(["body"]), &json!(kind))
        );
        assert_eq!(entry["ctx"]["line"], line, "{body}: {entry}");
        assert_eq!(entry["ctx"]["column"], column, "{body}: {entry}");
    }
    let answer = service
        .send(service.request("POST", "/api/leads/query", ""))
        .await;
    assert_eq!(answer.json()["detail"][0]["type"], "missing");
    let deep = "[".repeat(100_000);
    let answer = service
        .send(service.request("POST", "/api/leads/query", deep))
        .await;
    assert_eq!(answer.status, 422);
    let answer = service
        .send(service.request("POST", "/api/leads/query", vec![0xff, 0xfe]))
        .await;
    assert_eq!(answer.locations(), [["body"]]);
}

#[tokio::test]
async fn a_body_with_too_many_values_is_rejected_before_parsing() {
    let service = Service::empty().await;
    for part in ["0,", "[],", "{},", "\"\","] {
        let body = format!("{{\"filters\":[{}0]}}", part.repeat(50_000));
        let answer = service
            .send(service.request("POST", "/api/leads/query", body))
            .await;
        assert_eq!(answer.status, 422, "{part}");
        let entry = answer.json()["detail"][0].clone();
        assert_eq!(entry["type"], "too_many_values", "{entry}");
        assert!(entry["msg"].as_str().unwrap().contains("50000"), "{entry}");
    }
}

#[tokio::test]
async fn all_problems_of_a_body_are_reported_together() {
    let service = Service::empty().await;
    let body = json!({
        "page": 0, "page_size": 101, "sort_by": "shoe_size",
        "filters": [
            {"field": "name", "operator": "eq", "value": "fine"},
            {"field": "name", "operator": "is", "value": "x"},
        ],
    });
    let answer = service.call("POST", "/api/leads/query", body).await;
    let mut found: Vec<String> = answer.locations().iter().map(|loc| loc.join(".")).collect();
    found.sort();
    let expected = [
        "body.filters.1.operator",
        "body.page",
        "body.page_size",
        "body.sort_by",
    ];
    assert_eq!(found, expected);
}

#[tokio::test]
async fn filter_values_must_match_their_fields() {
    let service = Service::empty().await;
    for (filter, place) in [
        (
            json!({"field": "shoe_size", "operator": "eq", "value": 1}),
            vec!["field"],
        ),
        (
            json!({"field": "icp_score", "operator": "gt", "value": "high"}),
            vec!["value"],
        ),
        (
            json!({"field": "icp_score", "operator": "in", "value": [1, "x"]}),
            vec!["value", "1"],
        ),
        (
            json!({"field": "is_premium", "operator": "eq", "value": "true"}),
            vec!["value"],
        ),
        (
            json!({"field": "name", "operator": "eq", "value": 5}),
            vec!["value"],
        ),
        (
            json!({"field": "created_at", "operator": "gte", "value": "soon"}),
            vec!["value"],
        ),
        (
            json!({"field": "created_at", "operator": "between", "value": ["2026-01-01", "x"]}),
            vec!["value", "1"],
        ),
        (
            json!({"field": "company_size", "operator": "gt", "value": "large"}),
            vec!["value"],
        ),
        (
            json!({"field": "name", "operator": "is_set", "value": 1}),
            vec!["value"],
        ),
        (
            json!({"field": "name", "operator": "contains", "value": ["a"]}),
            vec!["value"],
        ),
        (json!("name = x"), vec![]),
    ] {
        let answer = service
            .call("POST", "/api/leads/query", json!({"filters": [filter]}))
            .await;
        assert_eq!(answer.status, 422, "{filter}: {}", answer.text);
        let mut expected = vec!["body", "filters", "0"];
        expected.extend(place);
        assert_eq!(answer.locations(), [expected], "{filter}");
    }
    let unknown = json!({"filters": [{"field": "shoe_size", "operator": "eq", "value": 1}]});
    for (path, allowed) in [
        ("/api/leads/query", "icp_score"),
        ("/api/accounts/query", "lead_count"),
    ] {
        let answer = service.call("POST", path, unknown.clone()).await;
        let entry = answer.json()["detail"][0].clone();
        assert!(entry["msg"].as_str().unwrap().contains(allowed), "{entry}");
    }
}

#[tokio::test]
async fn an_oversized_body_is_rejected() {
    let limits = Limits {
        body_bytes: 1000,
        ..Limits::default()
    };
    let service = Service::with(&ServiceOptions {
        limits,
        ..ServiceOptions::default()
    })
    .await;
    let body = json!({"search": "x".repeat(1000)}).to_string();
    // Once with content-length, once without.
    let mut announced = service.request("POST", "/api/leads/query", body.clone());
    announced
        .headers_mut()
        .insert("content-length", body.len().into());
    for request in [announced, service.request("POST", "/api/leads/query", body)] {
        let answer = service.send(request).await;
        assert_eq!(answer.status, 413);
        assert!(
            answer.json()["detail"]
                .as_str()
                .unwrap()
                .contains("1000 bytes")
        );
    }
}

#[tokio::test]
async fn query_strings_are_read_leniently_but_validated() {
    let service = Service::demo(20).await;
    for fine in [
        "field=company&limit=1&limit=1",
        "field=company&signal_id=",
        "field=company&unknown=1",
        "field=company&q=%C3%A9+x",
        "field=company&selected=a&selected=b",
    ] {
        let answer = service
            .get(&format!("/api/leads/facets/search?{fine}"))
            .await;
        assert_eq!(answer.status, 200, "{fine}: {}", answer.text);
    }
    for (wrong, name) in [
        ("field=company&limit=1&limit=2", "limit"),
        ("field=", "field"),
        ("field=icp_score", "field"),
        ("field=company&limit=", "limit"),
        ("field=company&limit=1e1", "limit"),
    ] {
        let answer = service
            .get(&format!("/api/leads/facets/search?{wrong}"))
            .await;
        assert_eq!(answer.status, 422, "{wrong}");
        assert_eq!(answer.locations(), [["query", name]], "{wrong}");
    }
}

#[tokio::test]
async fn foreign_host_names_are_rejected() {
    let service = Service::empty().await;
    for (host, status) in [("localhost:8787", 200), ("rebound.example", 421), ("", 421)] {
        let mut request = service.request("POST", "/api/leads/query", "{}");
        request.headers_mut().insert("host", host.parse().unwrap());
        assert_eq!(service.send(request).await.status, status, "{host}");
    }
}

#[tokio::test]
async fn only_allowed_origins_may_call_cross_origin() {
    let allowed = "https://app.example";
    let options = ServiceOptions {
        allow_origins: vec![allowed.into()],
        ..ServiceOptions::default()
    };
    let service = Service::with(&options).await;
    for (origin, is_allowed) in [(allowed, true), ("https://evil.example", false)] {
        let mut request = service.request("OPTIONS", "/api/leads/query", "");
        request
            .headers_mut()
            .insert("origin", origin.parse().unwrap());
        request
            .headers_mut()
            .insert("access-control-request-method", "POST".parse().unwrap());
        let preflight = service.send(request).await;
        let mut request = service.request("POST", "/api/leads/query", "{}");
        request
            .headers_mut()
            .insert("origin", origin.parse().unwrap());
        let answer = service.send(request).await;
        for headers in [&preflight.headers, &answer.headers] {
            let answered = headers
                .get("access-control-allow-origin")
                .map(|answered| answered == allowed);
            assert_eq!(answered, is_allowed.then_some(true), "{origin}");
        }
        if is_allowed {
            let exposed = answer.headers["access-control-expose-headers"]
                .to_str()
                .unwrap();
            assert!(exposed.contains("retry-after") && exposed.contains("x-request-id"));
        }
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

#[tokio::test]
async fn the_api_description_lists_every_operation() {
    let service = Service::empty().await;
    let mut request = service.request("GET", "/openapi.json", "");
    request.headers_mut().remove("authorization");
    let document = service.send(request).await.json();
    let operations: usize = document["paths"]
        .as_object()
        .unwrap()
        .values()
        .map(|path| path.as_object().unwrap().len())
        .sum();
    assert_eq!(operations, 13);
    let schemas = document["components"]["schemas"].as_object().unwrap();
    assert!(schemas.contains_key("LeadListItem") && schemas.contains_key("LeadQuery"));
    let mut missing = Vec::new();
    references(&document, &mut |name| {
        if !schemas.contains_key(name) {
            missing.push(name.to_owned());
        }
    });
    assert!(missing.is_empty(), "{missing:?}");
}

fn references(value: &Value, found: &mut impl FnMut(&str)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        Value::Object(object) => {
            for (name, value) in object {
                match value.as_str() {
                    Some(path) if name == "$ref" => found(path.rsplit('/').next().unwrap()),
                    _ => references(value, found),
                }
            }
        }
        _ => {}
    }
}

/// Serves on a real port with short timeouts, and returns the address.
async fn hurried() -> std::net::SocketAddr {
    let short = std::time::Duration::from_millis(100);
    let limits = Limits {
        header_time: short,
        body_time: short,
        ..Limits::default()
    };
    let service = Service::with(&ServiceOptions {
        limits,
        ..ServiceOptions::default()
    })
    .await;
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
    let mut stream = tokio::net::TcpStream::connect(hurried().await)
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
    let options = ServiceOptions {
        limits,
        ..ServiceOptions::default()
    };
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
