//! Errors of calls, with messages that say what happened, whether anything was changed, and what to do.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use lead_workspace_api::Detail;

/// A failed call; dereferences to its [`Failure`]. One pointer wide, as it is passed through many results.
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    failure: Failure,
    /// The server's error message; empty if there is none.
    said: String,
    /// The server's detail as JSON, if code outside this crate parses it.
    detail: Option<String>,
    /// Whether the retry budget ended the call.
    budget_exhausted: bool,
}

/// What is known of a failed call.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
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
    /// The server refused the parameters.
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
    /// Any other status, with the server's message.
    Status(String),
    /// A start that may have happened. It is not sent again, as it must not happen twice.
    OutcomeUnknown(Error),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self(Box::new(Inner {
            failure,
            said: String::new(),
            detail: None,
            budget_exhausted: false,
        }))
    }
}

impl Deref for Error {
    type Target = Failure;

    fn deref(&self) -> &Failure {
        &self.0.failure
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut Failure {
        &mut self.0.failure
    }
}

impl Error {
    /// Adds the server's error message, and its detail as JSON.
    pub(super) fn with_detail(mut self, said: String, json: Option<String>) -> Self {
        self.0.said = said;
        self.0.detail = json;
        self
    }

    /// Marks the call as ended by the retry budget.
    pub(super) fn budget_exhausted(mut self) -> Self {
        self.0.budget_exhausted = true;
        self
    }

    /// Whether the request was not sent again because too many requests had failed recently.
    pub fn is_budget_exhausted(&self) -> bool {
        self.0.budget_exhausted
    }

    /// Returns the server's error message for users; empty if there is none.
    pub fn server_message(&self) -> &str {
        &self.0.said
    }

    /// Returns the server's detail as JSON, if the client does not parse it itself.
    #[cfg(feature = "js")]
    pub(crate) fn detail(&self) -> Option<&str> {
        self.0.detail.as_deref()
    }

    /// Whether the same call may succeed later, unchanged.
    pub fn is_transient(&self) -> bool {
        match &self.kind {
            ErrorKind::RateLimited | ErrorKind::Timeout(_) | ErrorKind::Network(_) => true,
            ErrorKind::Status(_) => self
                .status
                .is_some_and(|status| status >= 500 || matches!(status, 408 | 425)),
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

    /// Returns what happened, as a sentence without its full stop.
    pub fn summary(&self) -> String {
        match &self.kind {
            ErrorKind::Argument(reason) => format!("Nothing was sent: {reason}"),
            ErrorKind::NoKey(reason) => format!("Nothing was sent, as there is no key: {reason}"),
            ErrorKind::OutcomeUnknown(cause) => {
                format!("It may have been started, or not. {}", cause.summary())
            }
            ErrorKind::Validation(detail) => format!("The server refused it: {detail}"),
            ErrorKind::KeyRefused => "The server does not accept this key".into(),
            ErrorKind::Forbidden => "This key doesn't have access".into(),
            ErrorKind::NotFound => "It is not there any more".into(),
            ErrorKind::RateLimited => "The workspace had too many requests".into(),
            ErrorKind::Timeout(after) => {
                let what = match self.operation {
                    "wait_for_job" => "The job goes on, but did not end",
                    _ => "The server did not answer",
                };
                match after.as_millis() as u64 {
                    under @ ..1000 => format!("{what} within {under} ms"),
                    time => format!("{what} within {} s", tenths((time + 50) / 100)),
                }
            }
            ErrorKind::Network(_) => "The server cannot be reached".into(),
            ErrorKind::Redirected => {
                "The server pointed to another address, which was not followed".into()
            }
            ErrorKind::TooLarge(cap) => {
                let size = match *cap as u64 {
                    bytes @ ..0x400 => format!("{bytes} bytes"),
                    bytes @ ..0x10_0000 => format!("{} KiB", tenths((bytes * 10) >> 10)),
                    bytes => format!("{} MiB", tenths((bytes * 10) >> 20)),
                };
                format!("The answer is larger than {size}")
            }
            ErrorKind::Decode(reason) => format!("The server sent something unexpected: {reason}"),
            ErrorKind::Status(said) => {
                let status = self.status.unwrap_or_default();
                let what = match status {
                    502..=504 => return format!("The service is unavailable ({status})"),
                    500.. => "The service failed",
                    _ => "The server refused it",
                };
                if said.is_empty() {
                    format!("{what} ({status})")
                } else {
                    format!("{what} ({status}: {said})")
                }
            }
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
            ErrorKind::Argument(_) | ErrorKind::Validation(_) => "Correct it and try again".into(),
            ErrorKind::KeyRefused | ErrorKind::NoKey(_) => "Enter a key of this workspace".into(),
            ErrorKind::OutcomeUnknown(_) => {
                "Look at the jobs and scores before starting it again".into()
            }
            ErrorKind::Forbidden => "Use another key or ask your admin".into(),
            ErrorKind::NotFound => "Refresh the list".into(),
            ErrorKind::RateLimited => match self.wait_seconds() {
                Some(seconds) => format!("Try again in {seconds} s"),
                None => "Try again in a moment".into(),
            },
            ErrorKind::Network(_) => "Check the connection and try again".into(),
            ErrorKind::Timeout(_) => "Try again".into(),
            ErrorKind::Redirected | ErrorKind::Decode(_) => {
                "Check that the address is that of a workspace service".into()
            }
            ErrorKind::TooLarge(_) => "Ask for fewer rows on a page".into(),
            ErrorKind::Status(_) if self.is_transient() => "Try again in a moment".into(),
            ErrorKind::Status(_) => "Try again; if it stays, tell who runs the server".into(),
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
