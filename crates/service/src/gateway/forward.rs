//! Forwards one request through the gateway.

use std::error::Error as _;
use std::sync::PoisonError;

use axum::body::Body;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Request, Response};
use http_body_util::Full;
use hyper_util::client::legacy::Error;

use super::{Gateway, Refused, headers};
use crate::http::{ApiError, App, Caller, read_body};
use crate::store::{DEFAULT_TENANT_ID, Tenant};

/// Forwards a request, if it may pass. When the browser disconnects, this future is dropped, which
/// cancels the request to the upstream.
pub(crate) async fn forward(
    gateway: Gateway,
    app: App,
    request: Request<Body>,
) -> Result<Response<Body>, ApiError> {
    let Gateway(parts) = &gateway;
    let uri = request.uri();
    if uri.scheme().is_some() || uri.authority().is_some() {
        let text = "a request to a gateway names a path, not an address; nothing was sent on";
        return Err(ApiError::Broken(text.into()));
    }
    let found = parts.routes.find(request.method(), uri.path());
    let found = found.map_err(|refused| told(refused, &request))?;
    let query = uri.query().and_then(|query| found.query(query));
    let (caller, request) = Caller::of_request(&app, request).await?;
    let tenant = parts.tenant(&app, caller.tenant).await?;
    let key = parts.key();
    let mut onward = Request::new(());
    *onward.method_mut() = request.method().clone();
    *onward.headers_mut() = headers::onward(request.headers(), key.header(), tenant);
    let unreadable = |error| ApiError::Broken(format!("the address cannot be sent on: {error}"));
    *onward.uri_mut() = parts
        .upstream
        .uri(&found.path, query.as_deref())
        .map_err(unreadable)?;
    // Receive the whole body first: one that is too large or breaks off must not reach the upstream
    // in part.
    let limits = app.limits();
    let body = read_body(request, limits.body_bytes, limits).await?;
    if !body.is_empty() {
        onward.headers_mut().insert(CONTENT_TYPE, headers::JSON);
    }
    let onward = onward.map(|()| Full::new(body));
    let open = if found.changes {
        "It may or may not have been done. "
    } else {
        ""
    };
    let answer = parts.ask(onward, open).await?;
    parts.handed_on(answer, key.forms(), open).await
}

impl super::Parts {
    async fn ask(
        &self,
        request: Request<Full<Bytes>>,
        open: &str,
    ) -> Result<Response<hyper::body::Incoming>, ApiError> {
        let host = self.upstream.host();
        let answer = tokio::time::timeout(self.limits.answer_time, self.client.send(request)).await;
        match answer {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) if error.is_connect() => Err(ApiError::BadGateway(format!(
                "{host} cannot be reached ({}). Nothing was changed. Try again in a moment; if it \
                 stays so, whoever runs the gateway must see whether {host} is up and --upstream \
                 is right",
                causes(&error)
            ))),
            Ok(Err(error)) => Err(ApiError::BadGateway(format!(
                "{host} broke off before it answered ({}). {open}Try again in a moment",
                causes(&error)
            ))),
            Err(_) => Err(ApiError::GatewayTimeout(format!(
                "{host} did not answer within {} s. {open}Try again in a moment",
                self.limits.answer_time.as_secs()
            ))),
        }
    }

    /// Returns the name of the workspace at the upstream. A key of ours opens workspaces of the
    /// same names as the upstream's; `default` is the one that the upstream's key opens by itself,
    /// and has no name there. The name is sent even if the browser named no workspace: a key for
    /// one workspace must not reach another by leaving the header out.
    async fn tenant(&self, app: &App, tenant: Tenant) -> Result<Option<HeaderValue>, ApiError> {
        let known = self
            .tenants
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&tenant)
            .cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let id = app.store().read(move |connection| tenant.id(connection));
        let id = id.await?;
        let name = if id == DEFAULT_TENANT_ID {
            None
        } else {
            Some(HeaderValue::try_from(id).map_err(|_| {
                ApiError::Forbidden("the name of the workspace cannot stand in a header".into())
            })?)
        };
        let mut all = self.tenants.write().unwrap_or_else(PoisonError::into_inner);
        all.insert(tenant, name.clone());
        Ok(name)
    }
}

fn told(refused: Refused, request: &Request<Body>) -> ApiError {
    let (method, path) = (request.method(), request.uri().path());
    match refused {
        Refused::Unknown => ApiError::NotFound(format!(
            "{path} does not pass this gateway; nothing was sent on. To let it pass, start the \
             gateway with --allow PATH"
        )),
        Refused::Method(allowed) => {
            let allowed: Vec<_> = allowed.iter().map(http::Method::as_str).collect();
            ApiError::MethodNotAllowed(format!(
                "{method} is not possible on {path}, only {}; nothing was sent on",
                allowed.join(", ")
            ))
        }
        Refused::Hostile(what) => ApiError::Broken(format!("{what}; nothing was sent on")),
    }
}

/// Joins the causes of an error: its own message is only "client error".
fn causes(error: &Error) -> String {
    let mut told = Vec::new();
    let mut source = error.source();
    while let Some(cause) = source {
        told.push(cause.to_string());
        source = cause.source();
    }
    if told.is_empty() {
        told.push(error.to_string());
    }
    told.dedup();
    told.join(": ")
}
