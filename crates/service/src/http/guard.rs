//! What holds for every request and answer: the host it is addressed to, its id, and the headers
//! that keep a browser from being used against the service.

use std::net::IpAddr;

use axum::body::Body;
use axum::extract::State;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderName, HeaderValue, Request};
use uuid::Uuid;

use super::{ApiError, App};

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The UI needs Wasm and pictures from elsewhere; it needs no inline script or style. It connects to
/// this service alone, unless the person who runs it allows more: a link may name another address,
/// and a key that is typed then must not go there.
pub(super) fn policy(connections: &[String]) -> HeaderValue {
    let more = connections.iter().map(|source| format!(" {source}"));
    let policy = format!(
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' https: data:; connect-src 'self'{}; object-src 'none'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
        more.collect::<String>()
    );
    // Only what is no text cannot stand in a header; then nothing at all may be done.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// The names under which the service may be addressed. A page elsewhere could point a name of its
/// own at 127.0.0.1 and so become "same origin"; the name gives it away.
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

    /// Whether the value of a Host header names this service.
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
    // A gateway gives it to the upstream, so that both logs speak of the same request.
    if let Some(request_id) = &request_id {
        request.headers_mut().insert(REQUEST_ID, request_id.clone());
    }
    let mut response = if app.0.hosts.allow(&host) {
        next.run(request).await
    } else {
        let text = format!(
            "this service does not answer to the host {host:?}; start it with --allow-host NAME to allow one"
        );
        ApiError::WrongHost(text).into_response()
    };
    // Never the query string or a header: they may hold people's names, and the key.
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
    use super::Hosts;

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
