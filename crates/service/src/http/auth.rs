//! Authentication: checks the key of a request and selects its workspace.

use std::sync::Arc;

use axum::body::{Body, HttpBody};
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue, Request};
use lead_workspace_logic::{credentials, messages};

use super::body::{read as read_body, refuse_encoded};
use super::large_bodies::LARGE_BODY;
use super::permits::Permit;
use super::{ApiError, App, request_context};
use crate::scope::Scope;
use crate::store::audit::Actor;
use crate::store::keys::{self, Access};
use crate::store::{Store, Tenant};

const TENANT_HEADER: &str = "x-tenant-id";

/// Context of an authenticated request.
#[derive(Clone)]
pub(crate) struct Caller {
    pub app: App,
    pub tenant: Tenant,
    /// The id of the workspace.
    pub tenant_id: String,
    pub key_id: String,
    /// Permit for one of the requests served at the same time.
    pub permit: Arc<Permit>,
}

impl Caller {
    /// Authenticates a request, applies the rate limit, checks that the key has the scope, and acquires a permit for one of the requests
    /// served at the same time. The key is looked up each time, see
    /// [`check_key`](Store::check_key); the lookup does not wait for other reads.
    pub async fn of(app: &App, headers: &HeaderMap, needed: Scope) -> Result<Self, ApiError> {
        Granted::of(app, headers, needed).await?.with_permit(app)
    }

    /// Like [`of`](Self::of), for a request with a body. If it is refused, the body is still
    /// received: a client that is cut off while sending would not read the error response.
    ///
    /// A small body is received first, so that clients with slow connections do not hold permits
    /// while they send.
    pub async fn of_request(
        app: &App,
        request: Request<Body>,
        needed: Scope,
    ) -> Result<(Self, Request<Body>), ApiError> {
        let length = request.body().size_hint().exact();
        let is_small = length.is_some_and(|length| length <= LARGE_BODY as u64);
        let granted = Granted::of(app, request.headers(), needed).await;
        let granted =
            granted.and_then(|granted| refuse_encoded(request.headers()).map(|()| granted));
        let granted = match granted {
            Ok(granted) if is_small => {
                let (parts, body) = request.into_parts();
                let body = read_body(Request::new(body), LARGE_BODY, app.limits()).await?;
                let request = Request::from_parts(parts, Body::from(body));
                return Ok((granted.with_permit(app)?, request));
            }
            granted => granted.and_then(|granted| granted.with_permit(app)),
        };
        match granted {
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

    /// Returns who makes the change, if changes are recorded.
    pub fn actor(&self) -> Option<Actor> {
        self.app.0.audit.then(|| Actor {
            key_id: self.key_id.clone(),
            request_id: request_context::id(),
        })
    }
}

/// The caller of a request that has no permit yet.
struct Granted {
    tenant: Tenant,
    tenant_id: String,
    key_id: String,
}

impl Granted {
    async fn of(app: &App, headers: &HeaderMap, needed: Scope) -> Result<Self, ApiError> {
        let key = bearer(headers)?;
        let tenant_id = tenant_id(headers)?;
        match app.store().check_key(key, tenant_id.as_deref()).await? {
            Access::Granted(grant) => {
                let key_id = keys::key_id(key).unwrap_or_default();
                request_context::set_caller(grant.tenant_id.clone(), grant.name, key_id);
                if let Some(limit) = &app.0.rate_limit {
                    limit.take(app.store(), grant.tenant).await?;
                }
                if grant.scope < needed {
                    return Err(ApiError::Forbidden(scope_too_low(grant.scope, needed)));
                }
                Ok(Self {
                    tenant: grant.tenant,
                    tenant_id: grant.tenant_id,
                    key_id: key_id.to_owned(),
                })
            }
            Access::NoKey => Err(ApiError::Unauthorized(messages::KEY_INVALID.into())),
            Access::Expired(at) => Err(ApiError::Unauthorized(format!(
                "the API key expired at {at}. Nothing was changed; use another key"
            ))),
            Access::NoTenant => Err(ApiError::Forbidden(match tenant_id {
                Some(tenant_id) => messages::no_access(&tenant_id),
                None => "the API key has no access to any workspace".into(),
            })),
        }
    }

    fn with_permit(self, app: &App) -> Result<Caller, ApiError> {
        let permit = app.0.in_flight.acquire(self.tenant)?;
        Ok(Caller {
            app: app.clone(),
            tenant: self.tenant,
            tenant_id: self.tenant_id,
            key_id: self.key_id,
            permit: Arc::new(permit),
        })
    }
}

fn scope_too_low(scope: Scope, needed: Scope) -> String {
    format!(
        "the scope of the API key is {scope}, and this operation needs {needed}. Nothing was changed; \
         use a key with the scope {needed}"
    )
}

fn bearer(headers: &HeaderMap) -> Result<&str, ApiError> {
    let header = single(headers, AUTHORIZATION.as_str())?
        .ok_or_else(|| ApiError::Unauthorized(messages::KEY_REQUIRED.into()))?;
    let malformed = ApiError::Unauthorized(messages::KEY_MALFORMED.into());
    let key = header.to_str().ok().and_then(credentials::bearer);
    key.ok_or(malformed)
}

/// Returns a header that a request has at most once: of two, a proxy might check one and we might use the other.
pub(super) fn single<'a>(
    headers: &'a HeaderMap,
    name: &str,
) -> Result<Option<&'a HeaderValue>, ApiError> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        return Err(ApiError::BadRequest(format!(
            "the request has more than one {name} header. Nothing was changed; send only one"
        )));
    }
    Ok(value)
}

fn tenant_id(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(header) = single(headers, TENANT_HEADER)? else {
        return Ok(None);
    };
    let text = header
        .to_str()
        .map_err(|_| ApiError::Forbidden("the x-tenant-id header is not plain text".into()))?;
    Ok(credentials::tenant_id(text).map(str::to_owned))
}
