//! Authentication: checks the key of a request and selects its workspace.

use std::sync::Arc;

use axum::body::Body;
use http::header::AUTHORIZATION;
use http::{HeaderMap, Request};
use lead_workspace_logic::{credentials, messages};

use super::body::read as read_body;
use super::permits::Permit;
use super::{ApiError, App};
use crate::store::keys::Access;
use crate::store::{Store, Tenant};

const TENANT_HEADER: &str = "x-tenant-id";

/// Context of an authenticated request.
#[derive(Clone)]
pub(crate) struct Caller {
    pub app: App,
    pub tenant: Tenant,
    /// Permit for one of the requests served at the same time.
    pub permit: Arc<Permit>,
}

impl Caller {
    /// Authenticates a request, applies the rate limit, and acquires a permit for one of the requests
    /// served at the same time. The key is looked up each time, so a revoked key is refused at once; the
    /// lookup does not wait for other reads.
    pub fn of(app: &App, headers: &HeaderMap) -> Result<Self, ApiError> {
        let key = bearer(headers)?;
        let tenant_id = tenant_id(headers)?;
        match app.store().check_key(key, tenant_id.as_deref())? {
            Access::Granted(tenant) => {
                if let Some(limit) = &app.0.rate_limit {
                    limit.take(tenant)?;
                }
                let permit = app.0.in_flight.acquire(tenant)?;
                Ok(Self {
                    app: app.clone(),
                    tenant,
                    permit: Arc::new(permit),
                })
            }
            Access::NoKey => Err(ApiError::Unauthorized(messages::KEY_INVALID)),
            Access::NoTenant => Err(ApiError::Forbidden(match tenant_id {
                Some(tenant_id) => messages::no_access(&tenant_id),
                None => "the API key has no access to any workspace".into(),
            })),
        }
    }

    /// Like [`of`](Self::of), for a request with a body. If it is refused, the body is still
    /// received: a client that is cut off while sending would not read the error response.
    pub async fn of_request(
        app: &App,
        request: Request<Body>,
    ) -> Result<(Self, Request<Body>), ApiError> {
        match Self::of(app, request.headers()) {
            Ok(caller) => Ok((caller, request)),
            Err(error) => {
                // The body is discarded.
                let _ = read_body(request, 0, app.limits()).await;
                Err(error)
            }
        }
    }

    pub fn store(&self) -> &Store {
        self.app.store()
    }
}

fn bearer(headers: &HeaderMap) -> Result<&str, ApiError> {
    let header = headers
        .get(AUTHORIZATION)
        .ok_or(ApiError::Unauthorized(messages::KEY_REQUIRED))?;
    let malformed = ApiError::Unauthorized(messages::KEY_MALFORMED);
    let key = header.to_str().ok().and_then(credentials::bearer);
    key.ok_or(malformed)
}

fn tenant_id(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(header) = headers.get(TENANT_HEADER) else {
        return Ok(None);
    };
    let text = header
        .to_str()
        .map_err(|_| ApiError::Forbidden("the x-tenant-id header is not plain text".into()))?;
    Ok(credentials::tenant_id(text).map(str::to_owned))
}
