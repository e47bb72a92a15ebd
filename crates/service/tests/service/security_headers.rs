//! The security headers of pages, files, the API and errors.

use std::fs;

use lead_workspace_service::gateway::UpstreamLimits;
use lead_workspace_service::http::ServiceOptions;

use crate::common::{Answer, Service, with, without_key};
use crate::gateway::{forwarding_to, on_a_port};

/// Returns the value of a header that must be there exactly once.
fn only<'a>(answer: &'a Answer, name: &str) -> &'a str {
    let mut values = answer.headers.get_all(name).iter();
    let value = values.next().unwrap_or_else(|| panic!("no {name}"));
    assert!(values.next().is_none(), "more than one {name}");
    value.to_str().unwrap()
}

fn check(answer: &Answer, of: &str) {
    let policy = only(answer, "content-security-policy");
    let directives: Vec<&str> = policy.split(';').map(str::trim).collect();
    for directive in [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "img-src 'self' https: data:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ] {
        assert!(
            directives.contains(&directive),
            "{of}: {directive} is not in {policy}"
        );
    }
    for (name, expected) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        (
            "cross-origin-resource-policy",
            if of.ends_with(" /health") {
                "cross-origin"
            } else {
                "same-origin"
            },
        ),
    ] {
        assert_eq!(only(answer, name), expected, "{of}: {name}");
    }
    let permissions = only(answer, "permissions-policy");
    for permission in ["camera=()", "geolocation=()", "clipboard-write=(self)"] {
        assert!(permissions.contains(permission), "{of}: {permissions}");
    }
    // Over plain http, browsers ignore it.
    assert!(
        !answer.headers.contains_key("strict-transport-security"),
        "{of}"
    );
}

/// Requests that are answered by different parts of the service, with their status.
const REQUESTS: [(&str, &str, &str, u16); 9] = [
    ("GET", "/", "", 200),
    ("GET", "/leads/lead_1", "", 200),
    ("GET", "/app.js", "", 200),
    ("GET", "/missing.js", "", 404),
    ("GET", "/health", "", 200),
    ("POST", "/api/leads/query", "{}", 200),
    ("POST", "/api/leads/query", "{", 422),
    ("GET", "/api/nothing", "", 404),
    ("PUT", "/api/leads/query", "", 405),
];

async fn check_all(service: &Service, gateway: bool) {
    for (method, path, body, status) in REQUESTS {
        let mut request = service.request(method, path, body);
        if path.starts_with("/leads/") {
            request = with(request, "accept", "text/html");
        }
        let answer = service.send(request).await;
        let of = format!("{method} {path}");
        // The upstream and the gateway may refuse a wrong request with another status.
        let is_same = answer.status == status;
        assert!(
            is_same || gateway && status >= 400,
            "{of}: {}",
            answer.status
        );
        check(&answer, &of);
    }
    let request = without_key(service.request("POST", "/api/leads/query", "{}"));
    let answer = service.send(request).await;
    assert_eq!(answer.status, 401);
    check(&answer, "without a key");
    let request = with(service.request("GET", "/", ""), "host", "rebound.example");
    let answer = service.send(request).await;
    assert_eq!(answer.status, 421);
    check(&answer, "with another host");
}

fn ui() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("index.html"), "<!doctype html>").unwrap();
    fs::write(folder.path().join("app.js"), "script").unwrap();
    folder
}

#[tokio::test]
async fn every_answer_has_the_security_headers() {
    let ui = ui();
    let options = ServiceOptions {
        ui: Some(ui.path().to_owned()),
        ..ServiceOptions::default()
    };
    check_all(&Service::with(&options).await, false).await;
}

#[tokio::test]
async fn every_answer_of_a_gateway_has_the_security_headers() {
    let ui = ui();
    let upstream = Service::empty().await;
    let address = format!("http://{}", on_a_port(&upstream).await);
    let gateway = forwarding_to(&address, &upstream.key, UpstreamLimits::default());
    let options = ServiceOptions {
        ui: Some(ui.path().to_owned()),
        gateway: Some(gateway),
        ..ServiceOptions::default()
    };
    check_all(&Service::with(&options).await, true).await;
}
