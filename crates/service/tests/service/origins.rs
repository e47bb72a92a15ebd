//! Host names and origins from which the service may be called.

use lead_workspace_service::http::ServiceOptions;

use crate::common::{Service, with};

#[tokio::test]
async fn foreign_host_names_are_rejected() {
    let service = Service::empty().await;
    for (host, status) in [("localhost:8787", 200), ("rebound.example", 421), ("", 421)] {
        let request = service.request("POST", "/api/leads/query", "{}");
        let request = with(request, "host", host);
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
        let request = service.request("OPTIONS", "/api/leads/query", "");
        let request = with(request, "access-control-request-method", "POST");
        let preflight = service.send(with(request, "origin", origin)).await;
        let request = service.request("POST", "/api/leads/query", "{}");
        let answer = service.send(with(request, "origin", origin)).await;
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
            for name in ["retry-after", "x-request-id", "x-workspace-name"] {
                assert!(exposed.contains(name), "{exposed}");
            }
        }
    }
}
