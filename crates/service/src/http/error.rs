//! Errors as they are answered: `{"detail": …}` in every case.

use axum::response::{IntoResponse, Response};
use http::header::{CONNECTION, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode};
use lead_workspace_api::{Detail, ErrorBody, ErrorEntry};
use serde_json::{Map, Value};

use super::body::json_response;
use crate::store::StoreError;

/// Why a request was not served. The contract shows the body of a validation error and the status
/// 429; the other statuses are the usual ones.
#[derive(Debug)]
pub enum ApiError {
    /// 422: the request breaks the contract.
    Invalid(Vec<ErrorEntry>),
    /// 401: no key, or one that is not valid.
    Unauthorized(&'static str),
    /// 403: the key does not open the workspace.
    Forbidden(String),
    /// 404: there is no such thing.
    NotFound(String),
    /// 405: the path exists, the method does not.
    MethodNotAllowed(String),
    /// 408: the body did not arrive in time.
    BodyTimeout,
    /// 413: the body is too large. Bytes allowed.
    TooLarge(usize),
    /// 421: the request was addressed to another host.
    WrongHost(String),
    /// 429: too many requests; seconds to wait.
    RateLimited(u64),
    /// 429: so many imports run in this workspace already; seconds to wait.
    ImportsInWorkspace(usize, u64),
    /// 503: so many imports run in all; seconds to wait.
    ImportsInAll(usize, u64),
    /// 400: the request broke off or is not HTTP as it should be.
    Broken(String),
    /// 502: the upstream of a gateway cannot be reached, or its answer is of no use.
    BadGateway(String),
    /// 504: the upstream of a gateway did not answer in time.
    GatewayTimeout(String),
    /// The data folder could not do its part.
    Store(StoreError),
}

impl ApiError {
    /// Nothing has this id.
    pub fn unknown(noun: &str, id: &str) -> Self {
        Self::NotFound(format!("no {noun} has the id {id:?}"))
    }

    /// A single problem at a place.
    pub fn invalid(loc: &[&str], kind: &str, msg: impl Into<String>, input: Value) -> Self {
        Self::Invalid(vec![entry(loc, kind, msg, input, Map::new())])
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Unauthorized(_) => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::BodyTimeout => StatusCode::REQUEST_TIMEOUT,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::WrongHost(_) => StatusCode::MISDIRECTED_REQUEST,
            Self::RateLimited(_) | Self::ImportsInWorkspace(..) => StatusCode::TOO_MANY_REQUESTS,
            Self::ImportsInAll(..) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Broken(_) => StatusCode::BAD_REQUEST,
            Self::BadGateway(_) => StatusCode::BAD_GATEWAY,
            Self::GatewayTimeout(_) => StatusCode::GATEWAY_TIMEOUT,
            Self::Store(StoreError::Full) => StatusCode::INSUFFICIENT_STORAGE,
            Self::Store(StoreError::Busy | StoreError::Closed) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Store(StoreError::Refused(_)) => StatusCode::CONFLICT,
            Self::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn detail(self) -> Detail {
        Detail::Text(match self {
            Self::Invalid(entries) => return Detail::Entries(entries),
            Self::Unauthorized(text) => text.to_owned(),
            Self::Forbidden(text)
            | Self::NotFound(text)
            | Self::MethodNotAllowed(text)
            | Self::WrongHost(text)
            | Self::Broken(text)
            | Self::BadGateway(text)
            | Self::GatewayTimeout(text) => text,
            Self::BodyTimeout => "the body did not arrive in time; nothing was changed".into(),
            Self::TooLarge(bytes) => {
                format!("the body is larger than {bytes} bytes; nothing was changed")
            }
            Self::RateLimited(seconds) => {
                format!("too many requests for this workspace; try again in {seconds} s")
            }
            Self::ImportsInWorkspace(count, _) => format!(
                "{count} imports are running in this workspace. Nothing was imported; \
                 send the file again when one of them has ended"
            ),
            Self::ImportsInAll(count, _) => format!(
                "{count} imports are running, and the service takes no more at once. \
                 Nothing was imported; send the file again in a moment"
            ),
            Self::Store(error) => error.to_string(),
        })
    }
}

/// One entry of a validation error.
pub fn entry(
    loc: &[&str],
    kind: &str,
    msg: impl Into<String>,
    input: Value,
    ctx: Map<String, Value>,
) -> ErrorEntry {
    ErrorEntry {
        loc: loc.iter().map(|&step| step.to_owned()).collect(),
        msg: msg.into(),
        kind: kind.to_owned(),
        input,
        ctx,
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Vec<ErrorEntry>> for ApiError {
    fn from(entries: Vec<ErrorEntry>) -> Self {
        Self::Invalid(entries)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        if let (Self::Store(error), true) = (&self, status.is_server_error()) {
            tracing::error!(%error, "the store failed");
        }
        if let Self::BadGateway(text) | Self::GatewayTimeout(text) = &self {
            tracing::warn!("{text}");
        }
        let extra = match &self {
            Self::Unauthorized(_) => Some((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))),
            Self::RateLimited(seconds)
            | Self::ImportsInWorkspace(_, seconds)
            | Self::ImportsInAll(_, seconds) => Some((RETRY_AFTER, HeaderValue::from(*seconds))),
            // What is left of the body is not read.
            Self::TooLarge(_) | Self::BodyTimeout => {
                Some((CONNECTION, HeaderValue::from_static("close")))
            }
            _ => None,
        };
        let mut response = json_response(
            status,
            &ErrorBody {
                detail: self.detail(),
            },
        );
        if let Some((name, value)) = extra {
            response.headers_mut().insert(name, value);
        }
        response
    }
}
