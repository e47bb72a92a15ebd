//! Errors as responses, as the service words them.

use lead_workspace_api::{Detail, ErrorBody, ErrorEntry};
use lead_workspace_logic::messages;

/// Why a request failed.
#[derive(Debug)]
pub(crate) enum Error {
    /// 422
    Invalid(Vec<ErrorEntry>),
    /// 401
    Unauthorized(&'static str),
    /// 403
    Forbidden(String),
    /// 404
    NotFound(String),
    /// 405
    MethodNotAllowed(String),
    /// 413: more bytes than this.
    TooLarge(usize),
    /// 409: too many jobs wait.
    Refused(String),
}

impl Error {
    pub(crate) fn unknown(noun: &str, id: &str) -> Self {
        Self::NotFound(messages::unknown_id(noun, id))
    }

    pub(crate) fn status(&self) -> u16 {
        match self {
            Self::Unauthorized(_) => 401,
            Self::Forbidden(_) => 403,
            Self::NotFound(_) => 404,
            Self::MethodNotAllowed(_) => 405,
            Self::Refused(_) => 409,
            Self::TooLarge(_) => 413,
            Self::Invalid(_) => 422,
        }
    }

    pub(crate) fn body(self) -> ErrorBody {
        let detail = match self {
            Self::Invalid(entries) => Detail::Entries(entries),
            Self::Unauthorized(text) => Detail::Text(text.to_owned()),
            Self::TooLarge(bytes) => Detail::Text(messages::too_large(bytes)),
            Self::Forbidden(text)
            | Self::NotFound(text)
            | Self::MethodNotAllowed(text)
            | Self::Refused(text) => Detail::Text(text),
        };
        ErrorBody { detail }
    }
}

impl From<Vec<ErrorEntry>> for Error {
    fn from(entries: Vec<ErrorEntry>) -> Self {
        Self::Invalid(entries)
    }
}
