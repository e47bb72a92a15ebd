//! The page of metrics, at an address of its own.

use axum::body::Body;
use http::Request;
use http_body_util::BodyExt;
use lead_workspace_service::http::{App, Limits, ServiceOptions, metrics_router, router};
use serde_json::json;
use tower::ServiceExt;

use crate::common::{Service, limited};
use crate::program::start;

async fn get(router: axum::Router, path: &str) -> (u16, String) {
    let request = Request::get(path)
        .header("host", "127.0.0.1")
        .body(Body::empty())
        .unwrap();
    let response = router.oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

/// The page of a service that has served some requests, with and without success.
pub async fn page(service: &Service) -> String {
    let options = ServiceOptions::default();
    let app = App::new(service.store.clone(), &options);
    let api = router(app.clone(), &options);
    for (method, path, body) in [
        ("POST", "/api/leads/query", "{}"),
        ("GET", "/api/leads/canary-of-a-lead", ""),
        ("GET", "/api/leads/facets", ""),
        ("GET", "/api/nothing/canary-of-a-path", ""),
        ("POST", "/import?list=canary-of-a-list", "Name\nAna\n"),
    ] {
        let request = service.request(method, path, body);
        let response = api.clone().oneshot(request).await.unwrap();
        response.into_body().collect().await.unwrap();
    }
    let (status, text) = get(metrics_router(app, &options), "/metrics").await;
    assert_eq!(status, 200, "{text}");
    text
}

/// The value of a time series.
fn value(page: &str, series: &str) -> f64 {
    let value = page
        .lines()
        .find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    let value = value.unwrap_or_else(|| panic!("{series} is missing in {page}"));
    value.parse().unwrap()
}

#[tokio::test]
async fn requests_are_counted_by_operation_and_status() {
    let service = Service::demo(20).await;
    let page = page(&service).await;
    for (operation, status) in [
        ("query_leads", 200),
        ("get_lead", 404),
        ("get_lead_facets", 200),
        ("none", 404),
        ("import", 200),
    ] {
        let series = format!(
            "lead_workspace_requests_total{{operation=\"{operation}\",status=\"{status}\"}}"
        );
        assert_eq!(value(&page, &series), 1.0, "{page}");
    }
    let count = "lead_workspace_request_seconds_count{operation=\"query_leads\"}";
    assert_eq!(value(&page, count), 1.0);
    let imports = "lead_workspace_imports_total{result=\"done\"}";
    assert_eq!(value(&page, imports), 1.0);
    assert_eq!(value(&page, "lead_workspace_rate_limited_total"), 0.0);
    assert_eq!(value(&page, "lead_workspace_shed_total"), 0.0);
    // The request for the page itself.
    assert_eq!(value(&page, "lead_workspace_requests_in_flight"), 1.0);
}

#[tokio::test]
async fn the_data_folder_is_measured() {
    let page = page(&Service::empty().await).await;
    assert!(value(&page, "lead_workspace_database_bytes") > 0.0);
    assert!(value(&page, "lead_workspace_disk_free_bytes") > 0.0);
    assert!(value(&page, "lead_workspace_commit_seconds_count") > 0.0);
    assert_eq!(value(&page, "lead_workspace_readers_waiting"), 0.0);
}

/// Sends a request until it is refused, and returns the page.
async fn page_after_refusal(options: ServiceOptions, refused: u16) -> String {
    let service = Service::empty().await;
    let app = App::new(service.store.clone(), &options);
    let api = router(app.clone(), &options);
    let send = || {
        api.clone()
            .oneshot(service.request("POST", "/api/leads/query", "{}"))
    };
    while send().await.unwrap().status() != refused {}
    get(metrics_router(app, &options), "/metrics").await.1
}

#[tokio::test]
async fn refused_requests_are_counted_by_their_limit() {
    let page = page_after_refusal(
        ServiceOptions {
            rate_limit: Some(1),
            ..ServiceOptions::default()
        },
        429,
    );
    let page = page.await;
    assert_eq!(value(&page, "lead_workspace_rate_limited_total"), 1.0);
    assert_eq!(value(&page, "lead_workspace_shed_total"), 0.0);
    let limits = Limits {
        in_all: 0,
        ..Limits::default()
    };
    let page = page_after_refusal(limited(limits), 503);
    let page = page.await;
    assert_eq!(value(&page, "lead_workspace_shed_total"), 1.0);
    assert_eq!(value(&page, "lead_workspace_rate_limited_total"), 0.0);
}

#[tokio::test]
async fn no_label_has_a_path_a_key_or_a_workspace() {
    let service = Service::demo(20).await;
    let page = page(&service).await;
    let (key_id, secret) = service.key.rsplit_once('_').unwrap();
    for hidden in ["canary", key_id, secret, "default", "/api"] {
        assert!(!page.contains(hidden), "{hidden}: {page}");
    }
}

#[tokio::test]
async fn jobs_are_counted_until_they_end() {
    let service = Service::demo(20).await;
    let started = service.call("POST", "/api/leads/score", json!({})).await;
    assert!(started.status.is_success(), "{}", started.text);
    service
        .sql("UPDATE jobs SET created_at = '2020-01-01T00:00:00.000Z'")
        .await;
    let options = ServiceOptions::default();
    let app = App::new(service.store.clone(), &options);
    let (_, page) = get(metrics_router(app, &options), "/metrics").await;
    assert_eq!(value(&page, "lead_workspace_jobs_queued"), 1.0);
    assert_eq!(value(&page, "lead_workspace_jobs_running"), 0.0);
    assert!(value(&page, "lead_workspace_oldest_job_seconds") > 1e6);
}

#[test]
fn metrics_have_an_address_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let mut running = start(dir.path(), &["--metrics", "127.0.0.1:0"]);
    let (status, _) = running.call("GET", "/metrics", &json!(null));
    assert_eq!(status, 404, "the API's address must not serve metrics");
    let api = std::mem::replace(&mut running.address, metrics_address(dir.path()));
    let page = running.raw("GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    assert!(page.starts_with("HTTP/1.1 200 "), "{page}");
    assert!(page.contains("text/plain; version=0.0.4"), "{page}");
    assert!(
        page.contains("lead_workspace_requests_in_flight 1"),
        "{page}"
    );
    // DNS rebinding: a page elsewhere must not read it.
    let page =
        running.raw("GET /metrics HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n");
    assert!(page.starts_with("HTTP/1.1 421 "), "{page}");
    let (status, _) = running.call("POST", "/api/leads/query", &json!({}));
    assert_eq!(
        status, 404,
        "the metrics' address must not serve the API at {api}"
    );
}

/// The address of the metrics of a running program.
pub fn metrics_address(data: &std::path::Path) -> String {
    let text = std::fs::read_to_string(data.join("service.json")).unwrap();
    let info: serde_json::Value = serde_json::from_str(&text).unwrap();
    let url = info["metrics"].as_str().unwrap();
    let address = url.strip_prefix("http://").unwrap();
    address.strip_suffix("/metrics").unwrap().to_owned()
}
