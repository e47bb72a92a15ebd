//! Middleware for every request: host check, request id, record, caching, and the security headers.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::header::{CACHE_CONTROL, HOST};
use http::{HeaderName, HeaderValue, Request};
use lead_workspace_api::WORKSPACE_NAME_HEADER;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tracing::Instrument;
use uuid::Uuid;

use super::auth::single;
use super::request_context::{self, REQUEST_ID, RequestContext};
use super::request_record::RequestRecord;
use super::{ApiError, App};

pub(super) const WORKSPACE_NAME: HeaderName = HeaderName::from_static(WORKSPACE_NAME_HEADER);

/// Runs a request with its id in the log span. Turns a panic into a 500 response.
async fn respond(request: Request<Body>, next: Next, context: Arc<RequestContext>) -> Response {
    // At level error, so that the id appears with every log line regardless of the filter.
    let span = tracing::error_span!("request", request_id = context.id);
    let response = AssertUnwindSafe(next.run(request)).catch_unwind();
    let response = async {
        response.await.unwrap_or_else(|_| {
            // The panic itself was printed when it happened.
            tracing::error!("a request handler panicked");
            ApiError::Panicked.into_response()
        })
    };
    request_context::scope(context, response.instrument(span)).await
}

pub(super) async fn middleware(
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
    let path = request.uri().path().to_owned();
    let is_api = path.starts_with("/api");
    let host = single(request.headers(), HOST.as_str()).map(|host| {
        let authority = || {
            request
                .uri()
                .authority()
                .map(|authority| authority.as_str())
        };
        let host = host.and_then(|host| host.to_str().ok());
        host.or_else(authority).unwrap_or_default().to_owned()
    });
    // A gateway forwards the id to the upstream, so that both logs refer to the same request.
    if let Some(request_id) = &request_id {
        request.headers_mut().insert(REQUEST_ID, request_id.clone());
    }
    let id = request_id.as_ref().and_then(|id| id.to_str().ok());
    let id = id.unwrap_or_default().to_owned();
    let context = Arc::new(RequestContext::new(id));
    let record = RequestRecord::begin(app.clone(), Arc::clone(&context));
    let known = Arc::clone(&context);
    let mut response = match host {
        Ok(host) if app.0.allowed_hosts.contains(&host) => respond(request, next, context).await,
        Ok(host) => ApiError::WrongHost(format!(
            "the host {host:?} is not allowed; to allow it, start the service with --allow-host NAME"
        ))
        .into_response(),
        Err(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    if let Some(request_id) = request_id {
        headers.insert(REQUEST_ID, request_id);
    }
    let name = known
        .caller()
        .and_then(|caller| caller.workspace_name.as_deref());
    let name = name.map(|name| utf8_percent_encode(name, NON_ALPHANUMERIC).to_string());
    if let Some(name) = name.and_then(|name| HeaderValue::try_from(name).ok()) {
        headers.insert(WORKSPACE_NAME, name);
    }
    if is_api || !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    app.0.security_headers.add_to(headers, &path);
    record.answered(response)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use axum::body::Body;
    use axum::{Router, routing};
    use http::Request;
    use tower::ServiceExt;

    use super::middleware;
    use crate::http::{App, ServiceOptions};
    use crate::store::Store;

    /// A log in memory.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The test runs on one thread, whose log is captured.
    #[tokio::test]
    async fn a_panic_gives_a_500_and_is_logged_with_the_request_id() {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_writer(move || writer.clone())
            .with_ansi(false)
            .finish();
        let guard = tracing::subscriber::set_default(subscriber);
        let dir = tempfile::tempdir().unwrap();
        let app = App::new(Store::open(dir.path()).unwrap(), &ServiceOptions::default());
        let panics = async || -> String { panic!("a bug of ours") };
        let router = Router::new()
            .route("/", routing::get(panics))
            .layer(axum::middleware::from_fn_with_state(app, middleware));
        let request = Request::get("/")
            .header("host", "localhost")
            .header("x-request-id", "id-to-look-for")
            .body(Body::empty())
            .unwrap();
        let answer = router.oneshot(request).await.unwrap();
        assert_eq!(answer.status(), 500);
        let body = axum::body::to_bytes(answer.into_body(), 10_000).await;
        drop(guard);
        let text = String::from_utf8(body.unwrap().to_vec()).unwrap();
        assert!(text.contains("id-to-look-for"), "{text}");
        assert!(!text.contains("a bug of ours"), "{text}");
        let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        for words in ["a request handler panicked", "status=500"] {
            let line = log.lines().find(|line| line.contains(words));
            let line = line.unwrap_or_else(|| panic!("{log}"));
            assert!(line.contains("id-to-look-for"), "{line}");
        }
    }
}
