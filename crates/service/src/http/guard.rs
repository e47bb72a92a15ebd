//! Middleware for every request: host check, request id, and the response headers that protect the
//! service against misuse of a browser.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;

use axum::body::Body;
use axum::extract::State;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderName, HeaderValue, Request};
use tokio::task_local;
use tracing::Instrument;
use uuid::Uuid;

use super::{ApiError, App};

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Returns the Content-Security-Policy. The UI needs Wasm and images from other origins, but no
/// inline scripts or styles. It connects only to this service unless the operator allows more: a
/// link may name another address, and a key that is typed then must not be sent there.
pub(super) fn policy(connections: &[String]) -> HeaderValue {
    let more = connections.iter().map(|source| format!(" {source}"));
    let policy = format!(
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' https: data:; connect-src 'self'{}; object-src 'none'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
        more.collect::<String>()
    );
    // Fails only for text that is not valid in a header; then allow nothing.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// Host names under which the service may be addressed. This stops DNS rebinding: a page elsewhere
/// can point its own name at 127.0.0.1 and become same-origin, but its requests have that name in
/// the Host header.
#[derive(Clone, Debug)]
pub struct Hosts {
    names: Vec<String>,
    any_address: bool,
}

impl Hosts {
    pub(super) fn new(names: &[String], any_address: bool) -> Self {
        Self {
            names: names.iter().map(|name| name.to_ascii_lowercase()).collect(),
            any_address,
        }
    }

    /// Returns whether a Host header names this service.
    pub(super) fn allow(&self, host: &str) -> bool {
        let name = without_port(host).to_ascii_lowercase();
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<IpAddr>() {
            return address.is_loopback() || self.any_address;
        }
        name == "localhost" || name.ends_with(".localhost") || self.names.contains(&name)
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

task_local! {
    static ID: String;
}

/// Returns the id of the current request, or an empty string outside of a request.
pub(super) fn request_id() -> String {
    ID.try_with(Clone::clone).unwrap_or_default()
}

/// Runs a request with its id in the log span. Turns a panic into a 500 response.
async fn answered(request: Request<Body>, next: Next, id: String) -> Response {
    // At level error, so that the id appears with every log line regardless of the filter.
    let span = tracing::error_span!("request", id);
    let answer = AssertUnwindSafe(next.run(request)).catch_unwind();
    let answer = async {
        answer.await.unwrap_or_else(|_| {
            // The panic itself was printed when it happened.
            tracing::error!("a request ended in a panic");
            ApiError::Panicked.into_response()
        })
    };
    ID.scope(id, answer.instrument(span)).await
}

pub(super) async fn guard(
    State(app): State<App>,
    mut request: Request<Body>,
    next: Next,
) -> Response {
    let request_id = request
        .headers()
        .get(&REQUEST_ID)
        .filter(|id| id.len() <= 128)
        .cloned()
        .or_else(|| HeaderValue::try_from(Uuid::now_v7().to_string()).ok());
    let is_api = request.uri().path().starts_with("/api");
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let host = request
        .headers()
        .get(HOST)
        .and_then(|host| host.to_str().ok())
        .or_else(|| {
            request
                .uri()
                .authority()
                .map(|authority| authority.as_str())
        })
        .unwrap_or_default()
        .to_owned();
    // A gateway forwards the id to the upstream, so that both logs refer to the same request.
    if let Some(request_id) = &request_id {
        request.headers_mut().insert(REQUEST_ID, request_id.clone());
    }
    let id = request_id.as_ref().and_then(|id| id.to_str().ok());
    let id = id.unwrap_or_default().to_owned();
    let mut response = if app.0.hosts.allow(&host) {
        answered(request, next, id).await
    } else {
        let text = format!(
            "this service does not answer to the host {host:?}; start it with --allow-host NAME to allow one"
        );
        ApiError::WrongHost(text).into_response()
    };
    // Never log the query string or headers: they may contain people's names, and the key.
    tracing::debug!(%method, path, status = response.status().as_u16(), "served");
    let headers = response.headers_mut();
    if let Some(request_id) = request_id {
        headers.insert(REQUEST_ID, request_id);
    }
    if is_api || !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CONTENT_SECURITY_POLICY, app.0.policy.clone());
    response
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::{Router, middleware, routing};
    use http::Request;
    use tower::ServiceExt;

    use super::{Hosts, guard};
    use crate::http::{App, Options};
    use crate::store::Store;

    #[tokio::test]
    async fn a_panic_is_answered_with_the_id_of_the_request() {
        let dir = tempfile::tempdir().unwrap();
        let app = App::new(Store::open(dir.path()).unwrap(), &Options::default());
        let panics = async || -> String { panic!("a fault of ours") };
        let router = Router::new()
            .route("/", routing::get(panics))
            .layer(middleware::from_fn_with_state(app, guard));
        let request = Request::get("/")
            .header("host", "localhost")
            .header("x-request-id", "id-to-look-for")
            .body(Body::empty())
            .unwrap();
        let answer = router.oneshot(request).await.unwrap();
        assert_eq!(answer.status(), 500);
        let body = axum::body::to_bytes(answer.into_body(), 10_000).await;
        let text = String::from_utf8(body.unwrap().to_vec()).unwrap();
        assert!(text.contains("id-to-look-for"), "{text}");
        assert!(!text.contains("a fault of ours"), "{text}");
    }

    #[test]
    fn only_names_of_this_machine_are_allowed() {
        let hosts = Hosts::new(&["Leads.example".into()], false);
        for host in [
            "localhost",
            "127.0.0.1:8787",
            "[::1]:80",
            "a.localhost",
            "leads.example:1",
        ] {
            assert!(hosts.allow(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "10.0.0.1",
            "localhost.evil.example",
            "[fe80::1]",
        ] {
            assert!(!hosts.allow(host), "{host}");
        }
        assert!(Hosts::new(&[], true).allow("10.0.0.1:8787"));
        assert!(!Hosts::new(&[], true).allow("evil.example"));
    }
}
