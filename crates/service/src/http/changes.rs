//! `GET /api/leads/changes`: the stream of changes, as server-sent events.

use std::convert::Infallible;

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Request};
use lead_workspace_api::{Endpoint, LAST_EVENT_ID_HEADER, StreamChanges};
use serde_json::json;
use tokio::sync::watch;

use super::auth::{Caller, single};
use super::permits::Permit;
use super::request_context::set_operation;
use super::request_record::Unending;
use super::{ApiError, App, params};
use crate::metrics::Counted;
use crate::scope::NeedsScope;

pub(super) const LAST_EVENT_ID: HeaderName = HeaderName::from_static(LAST_EVENT_ID_HEADER);

pub(super) const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");

/// Closes when the service stops. The accept loop adds it to each request.
#[derive(Clone)]
pub(super) struct UntilStop(pub watch::Receiver<()>);

impl UntilStop {
    /// Resolves when the service stops.
    async fn stopped(until_stop: Option<Self>) {
        match until_stop {
            // Nothing is sent.
            Some(Self(mut stop)) => while stop.changed().await.is_ok() {},
            None => std::future::pending().await,
        }
    }
}

/// Handles a request for a stream.
pub(super) async fn changes(
    State(app): State<App>,
    mut request: Request<Body>,
) -> Result<Response, ApiError> {
    set_operation(StreamChanges::NAME);
    let until_stop = request.extensions_mut().remove();
    let scope = <StreamChanges as NeedsScope>::SCOPE;
    let (caller, request) = Caller::of_request(&app, request, scope).await?;
    let last_event_id = last_event_id(request.headers())?;
    let (query, _) = params::read::<StreamChanges>(request, &caller).await?;
    let since = last_event_id.or(query.since);
    let since = since.map(|since| i64::try_from(since).unwrap_or(i64::MAX));
    let permit = StreamPermit::of(&caller)?;
    let opening = app.0.streams.open(caller.tenant, &caller.key_id, since);
    let time = app.limits().read_time;
    let opened = tokio::time::timeout(time, opening).await;
    let opened = opened.map_err(|_| ApiError::ReadTimeout(time))??;
    let parts = stream::unfold(opened, async |mut opened| {
        Some((opened.next().await?, opened))
    });
    Ok(stream_response(parts, until_stop, permit))
}

/// Permission for one of a limited number of streams.
pub(super) struct StreamPermit {
    _permit: Permit,
    _counted: Counted,
}

impl StreamPermit {
    pub(super) fn of(caller: &Caller) -> Result<Self, ApiError> {
        let parts = &caller.app.0;
        let permit = parts.stream_permits.acquire(caller.tenant);
        Ok(Self {
            _permit: permit.map_err(ApiError::NoStream)?,
            _counted: Counted::new(&parts.metrics.streams),
        })
    }
}

/// Returns the response with a stream of events, which ends when the service stops.
///
/// The body is not axum's `Sse`, because an event is encoded once for all streams.
pub(super) fn stream_response(
    parts: impl Stream<Item = Bytes> + Send + 'static,
    until_stop: Option<UntilStop>,
    permit: StreamPermit,
) -> Response {
    let parts = parts.take_until(UntilStop::stopped(until_stop));
    let parts = parts.map(move |part| {
        let _held = &permit;
        Ok::<_, Infallible>(part)
    });
    let mut response = Response::new(Body::from_stream(parts));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, EVENT_STREAM);
    // nginx and proxies like it would collect a part of the body before they pass it on.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response.extensions_mut().insert(Unending);
    response
}

/// Returns the version with which a client resumes.
fn last_event_id(headers: &HeaderMap) -> Result<Option<u64>, ApiError> {
    let Some(value) = single(headers, LAST_EVENT_ID_HEADER)? else {
        return Ok(None);
    };
    let text = value.to_str().unwrap_or_default();
    let version = text.parse().map_err(|_| {
        let loc = ["header", LAST_EVENT_ID_HEADER];
        let msg = "the value must be the id of an event: a whole number, at least 0";
        ApiError::invalid(&loc, "int_parsing", msg, json!(text))
    });
    version.map(Some)
}
