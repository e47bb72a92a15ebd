//! Errors of the API as responses: always `{"detail": …}`.

use std::time::Duration;

use axum::response::{IntoResponse, Response};
use http::header::{ACCEPT_ENCODING, CONNECTION, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode};
use lead_workspace_api::{Detail, ErrorBody, ErrorEntry};
use lead_workspace_logic::messages;
use lead_workspace_logic::params::entry;
use serde_json::{Map, Value};

use super::json::json_response;
use super::refusal::Refusal;
use super::{NoPermit, request_context};
use crate::store::StoreError;

/// Reason why a request failed. The contract shows the body of a validation error and the status
/// 429; the other statuses follow common practice.
#[derive(Debug)]
pub enum ApiError {
    /// 422: the request breaks the contract.
    Invalid(Vec<ErrorEntry>),
    /// 401: the key is missing or not valid.
    Unauthorized(String),
    /// 403: the key does not open the workspace, or its scope does not allow the operation.
    Forbidden(String),
    /// 404: the resource does not exist.
    NotFound(String),
    /// 405: the path exists, the method does not.
    MethodNotAllowed(String),
    /// 408: the body did not arrive in time.
    BodyTimeout,
    /// 413: the body is larger than this many bytes.
    TooLarge(usize),
    /// 415: the body has this content encoding.
    Encoded(String),
    /// 421: the request was addressed to another host.
    WrongHost(String),
    /// 429: too many requests; seconds to wait.
    RateLimited(u64),
    /// 429: number of imports that already run in this workspace; seconds to wait.
    ImportsInWorkspace(usize, u64),
    /// 503: number of imports that already run in all workspaces; seconds to wait.
    ImportsInTotal(usize, u64),
    /// 503: too many requests are being served, in this workspace or in all.
    NoPermit(NoPermit),
    /// 503: too many streams of changes are open.
    NoStream(NoPermit),
    /// 503: a read exceeded its time limit.
    ReadTimeout(Duration),
    /// 500: a handler panicked.
    Panicked,
    /// 400: the request broke off or is malformed.
    BadRequest(String),
    /// 502: the upstream of a gateway cannot be reached, or its response is unusable.
    BadGateway(String),
    /// 504: the upstream of a gateway did not respond in time.
    GatewayTimeout(String),
    /// Error of the store; it determines the status.
    Store(StoreError),
}

impl ApiError {
    pub fn unknown(noun: &str, id: &str) -> Self {
        Self::NotFound(messages::unknown_id(noun, id))
    }

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
            Self::Encoded(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::WrongHost(_) => StatusCode::MISDIRECTED_REQUEST,
            Self::RateLimited(_) | Self::ImportsInWorkspace(..) => StatusCode::TOO_MANY_REQUESTS,
            Self::ImportsInTotal(..)
            | Self::NoPermit(_)
            | Self::NoStream(_)
            | Self::ReadTimeout(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::BadGateway(_) => StatusCode::BAD_GATEWAY,
            Self::GatewayTimeout(_) => StatusCode::GATEWAY_TIMEOUT,
            Self::Store(StoreError::Full) => StatusCode::INSUFFICIENT_STORAGE,
            Self::Store(
                StoreError::Busy
                | StoreError::Closed
                | StoreError::NoMemory
                | StoreError::NoDescriptors
                | StoreError::Unreachable { .. }
                | StoreError::ConnectionLost { .. }
                | StoreError::NodeLost { .. }
                | StoreError::Conflict,
            ) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Store(StoreError::Refused(_)) => StatusCode::CONFLICT,
            // As when the key is checked after the deletion.
            Self::Store(StoreError::WorkspaceDeleted) => StatusCode::FORBIDDEN,
            Self::Store(_) | Self::Panicked => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Returns the seconds for `Retry-After`. Every 503 has some.
    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::RateLimited(seconds)
            | Self::ImportsInWorkspace(_, seconds)
            | Self::ImportsInTotal(_, seconds) => Some(*seconds),
            Self::NoPermit(_) => Some(1),
            Self::ReadTimeout(_) => Some(10),
            // Its standby takes over, or it starts again.
            Self::Store(StoreError::NodeLost { .. }) => Some(1),
            _ if self.status() == StatusCode::SERVICE_UNAVAILABLE => Some(5),
            _ => None,
        }
    }

    /// Returns whether the request was refused to protect the service, and by which kind of limit.
    fn refusal(&self) -> Option<Refusal> {
        match self {
            Self::RateLimited(_) | Self::ImportsInWorkspace(..) => Some(Refusal::RateLimited),
            Self::ImportsInTotal(..) | Self::NoPermit(_) | Self::NoStream(_) => Some(Refusal::Shed),
            _ => None,
        }
    }

    fn detail(self) -> Detail {
        let status = self.status();
        Detail::Text(match self {
            Self::Invalid(entries) => return Detail::Entries(entries),
            Self::Unauthorized(text)
            | Self::Forbidden(text)
            | Self::NotFound(text)
            | Self::MethodNotAllowed(text)
            | Self::WrongHost(text)
            | Self::BadRequest(text)
            | Self::BadGateway(text)
            | Self::GatewayTimeout(text) => text,
            Self::BodyTimeout => "the body did not arrive in time; nothing was changed".into(),
            Self::TooLarge(bytes) => messages::too_large(bytes),
            Self::Encoded(encoding) => format!(
                "the body has the content encoding {encoding}, which this service does not read. Nothing was \
                 changed; send the body as it is, without a Content-Encoding header"
            ),
            Self::RateLimited(seconds) => {
                format!("too many requests for this workspace; try again in {seconds} s")
            }
            Self::ImportsInWorkspace(count, _) => format!(
                "{count} imports are already running in this workspace. Nothing was imported; \
                 try again when one of them has finished"
            ),
            Self::ImportsInTotal(count, _) => format!(
                "{count} imports are already running, which is the limit. \
                 Nothing was imported; try again in a moment"
            ),
            Self::NoPermit(NoPermit::Workspace(count)) => format!(
                "{count} requests of this workspace are already in progress, which is the limit. \
                 Nothing was changed; try again in a moment"
            ),
            Self::NoPermit(NoPermit::Total(count)) => format!(
                "{count} requests are already in progress, which is the limit. \
                 Nothing was changed; try again in a moment"
            ),
            Self::NoStream(NoPermit::Workspace(count) | NoPermit::Total(count)) => format!(
                "{count} streams of changes are already open, which is the limit. \
                 Nothing was changed; try again in a moment"
            ),
            Self::ReadTimeout(time) => format!(
                "the request took longer than {} s and was cancelled. Nothing was changed. Use fewer \
                 filters or a longer search word, or try again later",
                time.as_secs()
            ),
            Self::Panicked => internal("an internal error occurred"),
            Self::Store(error) => match error {
                // Errors that the user can act on, without paths.
                StoreError::ReadOnly { .. } => internal("the data folder cannot be written"),
                StoreError::CannotOpen { .. } => internal("the database cannot be opened"),
                StoreError::Disk { .. } => internal("the disk reported an error"),
                StoreError::Corrupt { .. } => internal("the database is damaged"),
                StoreError::NodeLost { .. } => {
                    "a server of the database cannot be reached. Nothing was changed; \
                     try again in a moment"
                        .into()
                }
                // After these it is unknown what was changed.
                StoreError::WriterEnded | StoreError::CommitUnknown { .. } => error.to_string(),
                _ if status == StatusCode::INTERNAL_SERVER_ERROR => {
                    internal("an internal error occurred")
                }
                _ => error.to_string(),
            },
        })
    }
}

/// Message for an internal error. It contains no SQL or paths, only the request id to look up in
/// the log.
fn internal(what: &str) -> String {
    let id = request_context::id();
    format!(
        "{what}. Nothing was changed. For details, search the log of the service for the \
         request id {id}"
    )
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Invalid(entries) => Self::Invalid(entries),
            error => Self::Store(error),
        }
    }
}

impl From<NoPermit> for ApiError {
    fn from(none: NoPermit) -> Self {
        Self::NoPermit(none)
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
        if let (Self::Store(error), true) = (&self, status.is_server_error())
            // The log has that a server is lost, once a second.
            && !matches!(error, StoreError::NodeLost { .. })
        {
            // The log gets the full error; the caller gets less.
            tracing::error!(%error, "storage failed");
        }
        if let Self::BadGateway(text) | Self::GatewayTimeout(text) = &self {
            tracing::warn!("{text}");
        }
        let extra = match &self {
            Self::Unauthorized(_) => Some((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))),
            Self::Encoded(_) => Some((ACCEPT_ENCODING, HeaderValue::from_static("identity"))),
            // The rest of the body is not read.
            Self::TooLarge(_) | Self::BodyTimeout => {
                Some((CONNECTION, HeaderValue::from_static("close")))
            }
            _ => self
                .retry_after()
                .map(|seconds| (RETRY_AFTER, HeaderValue::from(seconds))),
        };
        let refusal = self.refusal();
        let mut response = json_response(
            status,
            &ErrorBody {
                detail: self.detail(),
            },
        );
        if let Some((name, value)) = extra {
            response.headers_mut().insert(name, value);
        }
        if let Some(refusal) = refusal {
            response.extensions_mut().insert(refusal);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::response::IntoResponse;
    use http::header::RETRY_AFTER;

    use super::ApiError;
    use crate::http::NoPermit;
    use crate::store::StoreError;

    #[test]
    fn every_503_has_retry_after() {
        for error in [
            ApiError::NoPermit(NoPermit::Workspace(1)),
            ApiError::NoPermit(NoPermit::Total(1)),
            ApiError::NoStream(NoPermit::Total(1)),
            ApiError::ReadTimeout(Duration::from_secs(10)),
            ApiError::ImportsInTotal(1, 1),
            StoreError::Busy.into(),
            StoreError::Closed.into(),
            StoreError::NoMemory.into(),
            StoreError::NoDescriptors.into(),
            StoreError::NodeLost { reason: "".into() }.into(),
        ] {
            let text = format!("{error:?}");
            let response = error.into_response();
            assert_eq!(response.status(), 503, "{text}");
            assert!(response.headers().contains_key(RETRY_AFTER), "{text}");
        }
    }

    #[test]
    fn a_deleted_workspace_has_the_status_of_one_without_access() {
        let response = ApiError::from(StoreError::WorkspaceDeleted).into_response();
        assert_eq!(response.status(), 403);
    }

    #[tokio::test]
    async fn system_errors_are_not_disclosed() {
        for error in [
            StoreError::io(
                "opening /srv/secret",
                std::io::ErrorKind::PermissionDenied.into(),
            ),
            StoreError::io("opening /srv/secret", std::io::ErrorKind::Other.into()),
            StoreError::Corrupt {
                reason: "in /srv/secret".into(),
            },
            StoreError::Unexpected("SELECT secret".into()),
            StoreError::NodeLost {
                reason: "no connection to secret:5432".into(),
            },
        ] {
            let response = ApiError::from(error).into_response();
            assert!(response.status().is_server_error());
            let body = axum::body::to_bytes(response.into_body(), 10_000).await;
            let text = String::from_utf8(body.unwrap().to_vec()).unwrap();
            assert!(!text.contains("secret"), "{text}");
            assert!(text.contains("log") || text.contains("try again"), "{text}");
        }
    }
}
