//! Errors of calls, with messages that say what happened, whether anything was changed, and what to do.

use std::fmt;
use std::ops::{Deref, DerefMut, RangeInclusive};
use std::time::Duration;

use lead_workspace_api::{Detail, Endpoint, StreamChanges, endpoints};

use super::retry::is_transient_status;
use super::transport::Exception;

/// Statuses of a gateway whose server is down, and of a server that takes no requests.
pub(crate) const UNAVAILABLE: RangeInclusive<u16> = 502..=504;

/// A failed call; dereferences to its [`CallFailure`]. One pointer wide, as it is passed through many results.
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    failure: CallFailure,
    /// The server's error detail, unless it is in the kind.
    detail: Option<Detail>,
    /// The detail as text; empty if there is none.
    message: String,
    /// What the platform threw when it could not reach the server.
    exception: Option<Exception>,
    /// Whether the retry budget ended the call.
    budget_exhausted: bool,
}

/// What is known of a failed call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallFailure {
    /// What went wrong.
    pub kind: ErrorKind,
    /// The operation, e.g. `update_lead`.
    pub operation: &'static str,
    /// Whether the operation is a write.
    pub writes: bool,
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
    /// The response's `x-request-id`, to find the request in the server's log.
    pub request_id: Option<String>,
    /// The wait that the server requests. A lower bound.
    pub retry_after: Option<Duration>,
    /// Whether a write may have taken effect despite the error.
    pub ambiguous: bool,
    /// Number of requests sent.
    pub attempts: u32,
}

/// What went wrong with a call.
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorKind {
    /// The call was refused before anything was sent.
    Argument(String),
    /// There is no key to send, with the reason from the key source.
    NoKey(String),
    /// The server refused the parameters (400 or 422).
    Validation(Detail),
    /// The server does not accept the key, or the request had none (401).
    KeyRefused,
    /// The key has no permission for this (403).
    Forbidden,
    /// The resource does not exist (404).
    NotFound,
    /// Too many requests for the workspace (429).
    RateLimited,
    /// No response within this time.
    Timeout(Duration),
    /// The server could not be reached, or the connection broke.
    Network(String),
    /// The server sent a redirect. Redirects are never followed, as the key would be sent along.
    Redirected,
    /// The response is larger than this many bytes.
    TooLarge(usize),
    /// The response does not match the contract.
    Decode(String),
    /// Any other status.
    Status,
    /// A start that may have happened. It is not sent again, as it must not happen twice.
    OutcomeUnknown(Error),
}

impl From<CallFailure> for Error {
    fn from(failure: CallFailure) -> Self {
        Self(Box::new(Inner {
            failure,
            detail: None,
            message: String::new(),
            exception: None,
            budget_exhausted: false,
        }))
    }
}

impl Deref for Error {
    type Target = CallFailure;

    fn deref(&self) -> &CallFailure {
        &self.0.failure
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut CallFailure {
        &mut self.0.failure
    }
}

impl Error {
    /// Adds the server's error detail, and its text.
    pub(super) fn with_detail(mut self, detail: Option<Detail>, message: String) -> Self {
        self.0.detail = detail;
        self.0.message = message;
        self
    }

    /// Adds what the platform threw.
    pub(super) fn with_exception(mut self, exception: Exception) -> Self {
        self.0.exception = Some(exception);
        self
    }

    /// Marks the call as ended by the retry budget.
    pub(super) fn with_exhausted_budget(mut self) -> Self {
        self.0.budget_exhausted = true;
        self
    }

    /// Whether the request was not sent again because too many requests had failed recently.
    pub fn is_budget_exhausted(&self) -> bool {
        self.0.budget_exhausted
    }

    /// Returns the server's error message for users: the first messages of the detail that differ, and how many more there
    /// are. Empty if there is none.
    pub fn server_message(&self) -> &str {
        &self.0.message
    }

    /// Returns the server's error detail.
    pub fn detail(&self) -> Option<&Detail> {
        match &self.kind {
            ErrorKind::Validation(detail) if !self.0.message.is_empty() => Some(detail),
            _ => self.0.detail.as_ref(),
        }
    }

    /// Returns what the platform threw, if the server could not be reached.
    pub fn exception(&self) -> Option<&Exception> {
        self.0.exception.as_ref()
    }

    /// Whether the same call may succeed later, unchanged.
    pub fn is_transient(&self) -> bool {
        match &self.kind {
            ErrorKind::RateLimited | ErrorKind::Timeout(_) | ErrorKind::Network(_) => true,
            ErrorKind::Status => self.status.is_some_and(is_transient_status),
            _ => false,
        }
    }

    /// Whether the status is that of a gateway whose server is down, or of a server that takes no
    /// requests.
    pub fn is_unavailable(&self) -> bool {
        self.status
            .is_some_and(|status| UNAVAILABLE.contains(&status))
    }

    /// Whether the server lacks the operation, because it is one that only our service has. Elsewhere, `/api/leads/fields` and
    /// `/api/leads/changes` may be the path of a lead, whose id is unknown or not valid.
    pub fn is_not_offered(&self) -> bool {
        matches!(
            self.operation,
            endpoints::GetLeadFields::NAME | StreamChanges::NAME
        ) && match self.kind {
            ErrorKind::NotFound | ErrorKind::Validation(_) => true,
            ErrorKind::Status => matches!(self.status, Some(405 | 501)),
            _ => false,
        }
    }

    /// Returns the wait that the server requests, in seconds, rounded up.
    pub fn wait_seconds(&self) -> Option<u64> {
        let wait = self.retry_after?;
        Some(wait.as_secs() + u64::from(wait.subsec_nanos() > 0))
    }

    /// Whether the server rejects the key, which affects every other call, too.
    pub fn is_key_refused(&self) -> bool {
        matches!(self.kind, ErrorKind::KeyRefused)
    }

    /// Returns what happened with the server's own words, as a sentence without its full stop.
    pub fn summary(&self) -> String {
        let what = self.headline();
        match (&self.kind, &*self.server_words()) {
            (_, "") => what,
            (ErrorKind::Status, words) => format!("{what} ({words})"),
            (_, words) => format!("{what}: {words}"),
        }
    }

    /// Returns the server's own words, such as `500: out of order`; empty if there are none. They are for people who know
    /// the server.
    pub fn server_words(&self) -> String {
        let message = self.server_message().trim_end_matches('.');
        match &self.kind {
            ErrorKind::Validation(_)
            | ErrorKind::KeyRefused
            | ErrorKind::Forbidden
            | ErrorKind::NotFound => message.to_owned(),
            ErrorKind::Decode(reason) => reason.clone(),
            ErrorKind::Status => {
                let status = self.status.unwrap_or_default();
                match message {
                    "" => status.to_string(),
                    message => format!("{status}: {message}"),
                }
            }
            _ => String::new(),
        }
    }

    /// Returns what happened in plain words, as a sentence without its full stop.
    pub fn headline(&self) -> String {
        match &self.kind {
            _ if self.is_not_offered() => match self.operation {
                StreamChanges::NAME => {
                    "This server has no stream of changes, as the workspace service does"
                }
                _ => "This server does not list custom fields, as the workspace service does",
            }
            .into(),
            ErrorKind::Argument(reason) => {
                format!("Nothing was sent: {}", reason.trim_end_matches('.'))
            }
            ErrorKind::NoKey(reason) => {
                let reason = reason.trim_end_matches('.');
                format!("Nothing was sent, because there is no key: {reason}")
            }
            ErrorKind::OutcomeUnknown(cause) => {
                format!("It may or may not have started. {}", cause.summary())
            }
            ErrorKind::Validation(_) if self.server_message().is_empty() => {
                "The server refused the request without a reason".into()
            }
            ErrorKind::Validation(_) => "The server refused the request".into(),
            ErrorKind::KeyRefused => "The server does not accept this key".into(),
            ErrorKind::Forbidden => "This key doesn't have access".into(),
            ErrorKind::NotFound => "Not found".into(),
            ErrorKind::RateLimited => "The workspace received too many requests".into(),
            ErrorKind::Timeout(after) => {
                let what = match self.operation {
                    "wait_for_job" => "The job is still running and did not end",
                    _ => "The server did not respond",
                };
                match after.as_millis() as u64 {
                    ms @ ..1000 => format!("{what} within {ms} ms"),
                    ms => format!("{what} within {} s", tenths((ms + 50) / 100)),
                }
            }
            ErrorKind::Network(_) => match self.exception() {
                Some(exception) if exception.cross_origin => {
                    "The server cannot be reached, or it does not allow requests from this \
                     page's origin"
                        .into()
                }
                _ => "The server cannot be reached".into(),
            },
            ErrorKind::Redirected => "The server sent a redirect, which was not followed".into(),
            ErrorKind::TooLarge(cap) => {
                let size = match *cap as u64 {
                    bytes @ ..0x400 => format!("{bytes} bytes"),
                    bytes @ ..0x10_0000 => format!("{} KiB", tenths((bytes * 10) >> 10)),
                    bytes => format!("{} MiB", tenths((bytes * 10) >> 20)),
                };
                format!("The response is larger than {size}")
            }
            ErrorKind::Decode(_) => "The server sent an unexpected response".into(),
            ErrorKind::Status => match self.status.unwrap_or_default() {
                502..=504 => "The service is unavailable".into(),
                500.. => "The service failed".into(),
                _ => "The server refused the request".into(),
            },
        }
    }

    /// Returns whether the change was made, as a sentence without its full stop. Empty for a read.
    pub fn side_effect(&self) -> &'static str {
        match (self.writes, self.ambiguous) {
            (false, _) => "",
            (true, false) => "Nothing was changed",
            (true, true) => "It is not known whether the change was made",
        }
    }

    /// Returns what to do, as a sentence without its full stop.
    pub fn remedy(&self) -> String {
        match &self.kind {
            _ if self.is_not_offered() => match self.operation {
                StreamChanges::NAME => "Read the leads again to see what changed",
                _ => "Read them from custom_data of the leads",
            }
            .into(),
            ErrorKind::Argument(_) | ErrorKind::Validation(_) => "Correct it and try again".into(),
            ErrorKind::KeyRefused | ErrorKind::NoKey(_) => "Use a key of this workspace".into(),
            ErrorKind::OutcomeUnknown(_) => {
                "Check the jobs and scores before you start it again".into()
            }
            ErrorKind::Forbidden => "Use another key or ask your administrator".into(),
            ErrorKind::NotFound => "Check that it still exists".into(),
            ErrorKind::RateLimited => match self.wait_seconds() {
                Some(seconds) => format!("Try again in {seconds} s"),
                None => "Try again in a moment".into(),
            },
            ErrorKind::Network(_) => "Check the connection and try again".into(),
            ErrorKind::Timeout(_) => "Try again".into(),
            ErrorKind::Redirected | ErrorKind::Decode(_) => {
                "Check that this is the address of a workspace service".into()
            }
            ErrorKind::TooLarge(_) => "Request fewer rows per page".into(),
            ErrorKind::Status if self.is_transient() => "Try again in a moment".into(),
            ErrorKind::Status => "If this happens again, contact your administrator".into(),
        }
    }
}

/// Formats a number of tenths.
fn tenths(number: u64) -> String {
    match number % 10 {
        0 => (number / 10).to_string(),
        rest => format!("{}.{rest}", number / 10),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.", self.summary())?;
        if !self.side_effect().is_empty() {
            write!(f, " {}.", self.side_effect())?;
        }
        if self.is_budget_exhausted() {
            f.write_str(" It was not sent again, because too many requests failed recently.")?;
        }
        write!(f, " {}.", self.remedy())?;
        if let Some(id) = &self.request_id {
            write!(f, " (Request {id})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            ErrorKind::OutcomeUnknown(cause) => Some(cause),
            _ => None,
        }
    }
}

/// Wraps the error of a start whose outcome is unknown.
pub(super) fn outcome_unknown(cause: Error) -> Error {
    Error::from(CallFailure {
        operation: cause.operation,
        writes: cause.writes,
        status: cause.status,
        request_id: cause.request_id.clone(),
        retry_after: cause.retry_after,
        ambiguous: cause.ambiguous,
        attempts: cause.attempts,
        kind: ErrorKind::OutcomeUnknown(cause),
    })
}
