//! Forwards the API requests of a gateway.

use axum::body::Body;
use axum::response::Response;
use futures_util::{StreamExt, stream};
use http::Request;
use lead_workspace_api::{Endpoint, StreamChanges};

use super::auth::Caller;
use super::body::read as read_body;
use super::changes::{StreamPermit, UntilStop, stream_response};
use super::request_context::set_operation;
use super::{ApiError, App};
use crate::gateway::{Forwarded, Gateway, GatewayError, RouteError};

/// Forwards a request, if it may pass. When the browser disconnects, this future is dropped, which
/// cancels the request to the upstream.
pub(super) async fn forward(
    gateway: Gateway,
    app: App,
    mut request: Request<Body>,
) -> Result<Response, ApiError> {
    let until_stop = request.extensions_mut().remove();
    let uri = request.uri();
    if uri.scheme().is_some() || uri.authority().is_some() {
        let text = "the request target must be a path, not a whole URL; nothing was forwarded";
        return Err(ApiError::BadRequest(text.into()));
    }
    let route = gateway.route(request.method(), uri.path());
    let route = route.map_err(|refused| refusal(refused, &request))?;
    set_operation(route.operation);
    let (caller, request) = Caller::of_request(&app, request, route.scope).await?;
    let tenant = Gateway::tenant_name(&caller.tenant_id)?;
    let query = request.uri().query();
    let outgoing = gateway.request(&route, request.method(), query, request.headers(), tenant)?;
    // Receive the whole body first: one that is too large or breaks off must not reach the upstream
    // in part.
    let limits = app.limits();
    if route.operation == StreamChanges::NAME {
        return forward_stream(&gateway, &caller, outgoing, until_stop).await;
    }
    let body = read_body(request, limits.body_bytes, limits).await?;
    let response = gateway.send(outgoing, body, route.is_write).await?;
    Ok(response.map(Body::from))
}

/// Passes a stream of events on, part by part, until either side, the service or the caller's key ends.
async fn forward_stream(
    gateway: &Gateway,
    caller: &Caller,
    outgoing: Request<()>,
    until_stop: Option<UntilStop>,
) -> Result<Response, ApiError> {
    let permit = StreamPermit::of(caller)?;
    let streams = &caller.app.0.streams;
    let mut validity = streams.watch_key(&caller.key_id, caller.tenant);
    let (head, forwarded) = gateway.send_for_stream(outgoing).await?.into_parts();
    let events = match forwarded {
        Forwarded::Whole(body) => return Ok(Response::from_parts(head, Body::from(body))),
        Forwarded::Stream(events) => events,
    };
    let parts = stream::unfold(events, async |mut events| {
        Some((events.next().await?, events))
    });
    let parts = parts.take_until(async move { validity.ended().await });
    let mut response = stream_response(parts, until_stop, permit);
    response.headers_mut().extend(head.headers);
    Ok(response)
}

fn refusal(refused: RouteError, request: &Request<Body>) -> ApiError {
    let (method, path) = (request.method(), request.uri().path());
    match refused {
        RouteError::NotListed => ApiError::NotFound(format!(
            "this gateway does not forward {path}; nothing was forwarded. To allow it, start the \
             gateway with --allow PATH"
        )),
        RouteError::Method(allowed) => {
            let allowed: Vec<_> = allowed.iter().map(http::Method::as_str).collect();
            ApiError::MethodNotAllowed(format!(
                "{method} is not allowed on {path}, only {}; nothing was forwarded",
                allowed.join(", ")
            ))
        }
        RouteError::UnsafePath(what) => {
            ApiError::BadRequest(format!("{what}; nothing was forwarded"))
        }
    }
}

impl From<GatewayError> for ApiError {
    fn from(error: GatewayError) -> Self {
        match error {
            GatewayError::Address(error) => {
                Self::BadRequest(format!("the request cannot be forwarded: {error}"))
            }
            GatewayError::TenantName => {
                Self::Forbidden("the id of the workspace is not valid in a header".into())
            }
            GatewayError::Upstream(text) => Self::BadGateway(text),
            GatewayError::Timeout(text) => Self::GatewayTimeout(text),
            GatewayError::Store(error) => Self::Store(error),
        }
    }
}
