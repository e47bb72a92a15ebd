//! Sends requests to the upstream.

use std::error::Error as _;
use std::time::Instant;

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_util::client::legacy::Error;

use super::{Forwarded, Gateway, GatewayError, GatewayState, RouteError, UpstreamRoute, headers};
use crate::store::DEFAULT_TENANT_ID;

impl Gateway {
    /// Finds the destination of a request.
    ///
    /// # Errors
    /// If the request may not pass.
    pub(crate) fn route(&self, method: &Method, path: &str) -> Result<UpstreamRoute, RouteError> {
        self.0.routes.find(method, path)
    }

    /// Returns the name of the workspace at the upstream. A key of ours opens workspaces of the
    /// same names as the upstream's; `default` is the one that the upstream's key opens by itself,
    /// and has no name there. The name is sent even if the browser named no workspace: a key for
    /// one workspace must not reach another by leaving the header out.
    pub(crate) fn tenant_name(tenant_id: &str) -> Result<Option<HeaderValue>, GatewayError> {
        if tenant_id == DEFAULT_TENANT_ID {
            return Ok(None);
        }
        let name = HeaderValue::try_from(tenant_id).map_err(|_| GatewayError::TenantName)?;
        Ok(Some(name))
    }

    /// Builds the request to the upstream, without its body.
    pub(crate) fn request(
        &self,
        route: &UpstreamRoute,
        method: &Method,
        query: Option<&str>,
        headers: &HeaderMap,
        tenant: Option<HeaderValue>,
    ) -> Result<Request<()>, GatewayError> {
        let query = query.and_then(|query| route.query(query));
        let mut request = Request::new(());
        *request.method_mut() = method.clone();
        *request.headers_mut() = headers::for_upstream(headers, tenant);
        *request.uri_mut() = self.0.upstream.uri(&route.path, query.as_deref())?;
        Ok(request)
    }

    /// Sends a request, and returns the response for the browser. `is_write` says whether the
    /// request may change something at the upstream.
    pub(crate) async fn send(
        &self,
        mut request: Request<()>,
        body: Bytes,
        is_write: bool,
    ) -> Result<Response<Bytes>, GatewayError> {
        if !body.is_empty() {
            request.headers_mut().insert(CONTENT_TYPE, headers::JSON);
        }
        let outcome = if is_write {
            "The request may or may not have taken effect. "
        } else {
            ""
        };
        let key = self.0.key();
        request.headers_mut().insert(AUTHORIZATION, key.header());
        let request = request.map(|()| Full::new(body));
        let started = Instant::now();
        let response = async {
            let response = self.0.response(request, outcome).await?;
            self.0.check(response, key.forms(), outcome).await
        };
        let response = response.await;
        self.0.seconds.observe(started.elapsed().as_secs_f64());
        response
    }
}

impl Gateway {
    /// Sends a request for a stream of events, and returns the stream, or any other response as a whole.
    pub(crate) async fn send_for_stream(
        &self,
        mut request: Request<()>,
    ) -> Result<Response<Forwarded>, GatewayError> {
        let key = self.0.key();
        request.headers_mut().insert(AUTHORIZATION, key.header());
        let request = request.map(|()| Full::new(Bytes::new()));
        let started = Instant::now();
        let response = self.0.response(request, "").await?;
        self.0.seconds.observe(started.elapsed().as_secs_f64());
        self.0.check_stream(response, key.forms()).await
    }
}

impl GatewayState {
    async fn response(
        &self,
        request: Request<Full<Bytes>>,
        outcome: &str,
    ) -> Result<Response<Incoming>, GatewayError> {
        let host = self.upstream.host();
        let timeout = self.limits.response_timeout;
        match tokio::time::timeout(timeout, self.client.send(request)).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) if error.is_connect() => Err(GatewayError::Upstream(format!(
                "{host} cannot be reached ({}). Nothing was changed. Try again in a moment. If this \
                 persists, the operator of the gateway must check that {host} is up and that \
                 --upstream is correct",
                causes(&error)
            ))),
            Ok(Err(error)) => Err(GatewayError::Upstream(format!(
                "{host} closed the connection before it responded ({}). {outcome}Try again in a \
                 moment",
                causes(&error)
            ))),
            Err(_) => Err(GatewayError::Timeout(format!(
                "{host} did not respond within {} s. {outcome}Try again in a moment",
                timeout.as_secs()
            ))),
        }
    }
}

/// Joins the causes of an error: its own message is only "client error".
fn causes(error: &Error) -> String {
    let mut causes = Vec::new();
    let mut source = error.source();
    while let Some(cause) = source {
        causes.push(cause.to_string());
        source = cause.source();
    }
    if causes.is_empty() {
        causes.push(error.to_string());
    }
    causes.dedup();
    causes.join(": ")
}
