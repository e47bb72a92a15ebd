//! A gateway in front of a second instance of the service.

use std::net::SocketAddr;
use std::time::Duration;

use lead_workspace_service::gateway::{Gateway, Routes, UpstreamLimits};
use lead_workspace_service::http::{ServiceOptions, accept_loop};
use lead_workspace_service::store::keys;
use lead_workspace_service::{Store, Tenant};
use serde_json::{Value, json};

use crate::common::{Service, eventually, with, with_key, without_key};
use crate::walk::{Ids, call, operations};

/// Serves on a local port until the test ends, and returns the address.
pub async fn on_a_port(service: &Service) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = service.router.clone();
    let limits = lead_workspace_service::http::Limits::default();
    tokio::spawn(accept_loop::serve(
        listener,
        router,
        limits,
        std::future::pending(),
    ));
    address
}

/// Limits that are short enough for a test.
pub fn short() -> UpstreamLimits {
    UpstreamLimits {
        connect_timeout: Duration::from_secs(5),
        response_timeout: Duration::from_millis(300),
        idle_timeout: Duration::from_millis(300),
        response_bytes: 1 << 20,
    }
}

/// Returns the gateway to an address.
pub fn forwarding_to(upstream: &str, key: &str, limits: UpstreamLimits) -> Gateway {
    let routes = Routes::from_endpoints().with_jobs(&"/api/jobs/{job_id}".parse().unwrap());
    let routes = routes
        .unwrap()
        .with(&"/api/allowed/{id}".parse().unwrap())
        .unwrap();
    Gateway::new(
        upstream.parse().unwrap(),
        key.parse().unwrap(),
        routes,
        limits,
    )
    .unwrap()
}

/// Starts a gateway to an address, with its own folder and key.
pub async fn gateway_to(upstream: &str, key: &str, limits: UpstreamLimits) -> Service {
    Service::with(&ServiceOptions {
        gateway: Some(forwarding_to(upstream, key, limits)),
        ..ServiceOptions::default()
    })
    .await
}

/// Starts an upstream with leads, and a gateway in front of it.
async fn pair(leads: u64) -> (Service, Service) {
    let upstream = Service::demo(leads).await;
    let address = on_a_port(&upstream).await;
    let gateway = gateway_to(
        &format!("http://{address}"),
        &upstream.key,
        UpstreamLimits::default(),
    )
    .await;
    (upstream, gateway)
}

#[tokio::test]
async fn the_name_of_the_upstream_workspace_passes() {
    let (upstream, gateway) = pair(1).await;
    upstream.sql("UPDATE tenants SET name = 'Nordvind'").await;
    let answer = gateway.call("POST", "/api/leads/query", json!({})).await;
    assert_eq!(answer.headers["x-workspace-name"], "Nordvind");
    // The gateway's own workspace has a name, too.
    gateway.sql("UPDATE tenants SET name = 'Behind'").await;
    let is_replaced = async || {
        let answer = gateway.call("POST", "/api/leads/query", json!({})).await;
        (answer.headers["x-workspace-name"] == "Behind").then_some(())
    };
    eventually(is_replaced).await;
}

#[tokio::test]
async fn every_operation_passes() {
    let (upstream, gateway) = pair(60).await;
    let ids = Ids::of(&upstream).await;
    let mut walk = operations();
    // DELETE comes last, because it removes the lead.
    walk.sort_by_key(|operation| operation.method == "DELETE");
    for operation in walk {
        let params = ids.params(&operation);
        let path = ids.fill(operation.path);
        let answer = call(&gateway, &operation, &path, &params).await;
        assert_eq!(
            answer.status, operation.status,
            "{}: {}",
            operation.name, answer.text
        );
        assert!(
            (operation.decodes)(&answer.text),
            "{}: {}",
            operation.name,
            answer.text
        );
        assert_eq!(
            answer.headers["cache-control"], "no-store",
            "{}",
            operation.name
        );
        assert!(
            answer.headers.contains_key("x-request-id"),
            "{}",
            operation.name
        );
    }
    let own: i64 = gateway.value("SELECT count(*) FROM leads").await;
    assert_eq!(own, 0, "the gateway's own folder was used");
    let lead = format!("/api/leads/{}", ids.lead);
    assert_eq!(
        upstream.get(&lead).await.status,
        404,
        "the delete did not arrive"
    );
}

#[tokio::test]
async fn queries_and_errors_pass_unchanged() {
    let (upstream, gateway) = pair(40).await;
    for (method, path, body) in [
        (
            "GET",
            "/api/leads/facets/search?field=company&q=a&limit=3",
            Value::Null,
        ),
        (
            "GET",
            "/api/leads/facets/search?field=company&limit=0",
            Value::Null,
        ),
        ("GET", "/api/leads/%F0%9F%A6%80", Value::Null),
        (
            "POST",
            "/api/leads/query",
            json!({"page": 0, "sort_by": "shoe size"}),
        ),
        (
            "POST",
            "/api/leads/query",
            json!({"search": "é", "page_size": 3}),
        ),
    ] {
        let direct = upstream.call(method, path, body.clone()).await;
        let through = gateway.call(method, path, body).await;
        assert_eq!(through.status, direct.status, "{path}");
        assert_eq!(through.text, direct.text, "{path}");
        assert_eq!(
            through.headers["content-type"],
            direct.headers["content-type"]
        );
    }
}

#[tokio::test]
async fn only_gateway_keys_are_accepted() {
    let (upstream, gateway) = pair(5).await;
    for operation in operations() {
        for key in [
            None,
            Some(upstream.key.clone()),
            Some(format!("{}0", gateway.key)),
        ] {
            let path = operation.path.replace(['{', '}'], "");
            let request = gateway.request(operation.method, &path, "{}");
            let request = match key {
                Some(key) => with_key(request, &key),
                None => without_key(request),
            };
            let answer = gateway.send(request).await;
            assert_eq!(answer.status, 401, "{}", operation.name);
        }
    }
}

#[tokio::test]
async fn a_gateway_key_rejected_by_the_upstream_gives_502() {
    let (upstream, gateway) = pair(5).await;
    upstream
        .store
        .write({
            let key_id = upstream.key.split('_').nth(1).unwrap().to_owned();
            move |db| keys::revoke(db, &key_id)
        })
        .await
        .unwrap();
    let answer = gateway.call("POST", "/api/leads/query", json!({})).await;
    assert_eq!(answer.status, 502);
    assert!(!answer.headers.contains_key("www-authenticate"));
    let detail = answer.detail();
    for word in [
        "refused the key of this gateway",
        "nothing was changed",
        "--upstream-key-file",
    ] {
        assert!(detail.contains(word), "{detail}");
    }
    assert!(!answer.text.contains(&upstream.key));
}

async fn add_tenant(store: &Store, tenant_id: &'static str) {
    let made = store.write(move |db| Tenant::ensure(db, tenant_id).map(drop));
    made.await.unwrap();
}

async fn key_for(store: &Store, tenants: &'static [&'static str]) -> String {
    let made = store.write(move |db| keys::create(db, "", tenants));
    made.await.unwrap().text
}

/// A key for one workspace reaches that workspace, even if the browser names none.
#[tokio::test]
async fn a_key_opens_the_upstream_workspaces_it_names() {
    let upstream = Service::demo(7).await;
    add_tenant(&upstream.store, "sales").await;
    let key = key_for(&upstream.store, &["default", "sales"]).await;
    let address = on_a_port(&upstream).await;
    let mut gateway = gateway_to(
        &format!("http://{address}"),
        &key,
        UpstreamLimits::default(),
    )
    .await;
    add_tenant(&gateway.store, "sales").await;
    add_tenant(&gateway.store, "elsewhere").await;
    let mut totals = Vec::new();
    for (tenants, requested) in [
        (&["default"][..], None),
        (&["default"], Some("default")),
        (&["default"], Some("sales")),
        (&["sales"], None),
        (&["sales"], Some("null")),
        (&["sales"], Some("default")),
        (&["default", "sales"], Some("sales")),
        (&["elsewhere"], None),
    ] {
        gateway.key = key_for(&gateway.store, tenants).await;
        let mut request = gateway.request("POST", "/api/leads/query", "{}");
        if let Some(requested) = requested {
            request = with(request, "x-tenant-id", requested);
        }
        let answer = gateway.send(request).await;
        let total = answer.json()["total"].as_u64();
        totals.push((answer.status.as_u16(), total));
    }
    let seven = (200, Some(7));
    let none = (200, Some(0));
    let refused = (403, None);
    assert_eq!(
        totals,
        [seven, seven, refused, none, none, refused, none, refused]
    );
}

#[tokio::test]
async fn a_gateway_does_not_import_or_serve_its_own_folder() {
    let (_upstream, gateway) = pair(5).await;
    for (method, path) in [
        ("POST", "/import"),
        ("GET", "/import/fields"),
        ("POST", "/import/preview"),
        ("GET", "/openapi.json"),
        ("GET", "/api"),
        ("GET", "/api/"),
        ("POST", "/api/unknown"),
    ] {
        let answer = gateway.call(method, path, Value::Null).await;
        assert!(
            [400, 404].contains(&answer.status.as_u16()),
            "{path}: {}",
            answer.status
        );
        assert!(answer.json()["detail"].is_string());
    }
    let wrong = gateway.call("GET", "/api/leads/query", Value::Null).await;
    assert_eq!(wrong.status, 405);
    assert_eq!(gateway.get("/health").await.status, 200);
}
