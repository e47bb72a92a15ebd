//! What can go wrong with a call, said so that a person knows what happened, what was kept and
//! what to do.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use lead_workspace_api::Detail;

/// A call that failed; reads as its [`Failure`]. One pointer wide, as it travels far.
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Box<Kept>);

#[derive(Clone, Debug, PartialEq)]
struct Kept {
    failure: Failure,
    /// What the server said is wrong; empty where it said nothing.
    said: String,
    /// The server's detail as JSON, where another than this crate reads it.
    detail: Option<String>,
    /// Whether the retry budget ended the call.
    unpaid: bool,
}

/// What is known of a call that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// What went wrong.
    pub kind: ErrorKind,
    /// The operation, e.g. `update_lead`.
    pub operation: &'static str,
    /// Whether the operation changes anything.
    pub writes: bool,
    /// The HTTP status, where there was a response.
    pub status: Option<u16>,
    /// The response's `x-request-id`, for whoever looks into the server's log.
    pub request_id: Option<String>,
    /// How long the server asks to wait. A lower bound.
    pub retry_after: Option<Duration>,
    /// Whether a write may have been done all the same.
    pub ambiguous: bool,
    /// Requests that were sent.
    pub attempts: u32,
}

/// What went wrong with a call.
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorKind {
    /// The call was refused before anything was sent.
    Argument(String),
    /// There is no key to send; the reason is the key source's.
    NoKey(String),
    /// The server refused the parameters.
    Validation(Detail),
    /// The server does not know the key, or there was none (401).
    KeyRefused,
    /// The key may not do this (403).
    Forbidden,
    /// There is no such thing (404).
    NotFound,
    /// Too many requests for the workspace (429).
    RateLimited,
    /// No answer in this time.
    Timeout(Duration),
    /// The server could not be reached, or the connection broke.
    Network(String),
    /// The server pointed elsewhere. Redirects are never followed, for the key would follow.
    Redirected,
    /// The answer is larger than this many bytes.
    TooLarge(usize),
    /// The answer is not what the contract promises.
    Decode(String),
    /// Any other status, with what the server said.
    Status(String),
    /// A start that may have happened: it is not sent again, for it must not happen twice.
    OutcomeUnknown(Error),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self(Box::new(Kept {
            failure,
            said: String::new(),
            detail: None,
            unpaid: false,
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
    /// The same, with what the server said is wrong, and with its detail as JSON.
    pub(super) fn with_detail(mut self, said: String, json: Option<String>) -> Self {
        self.0.said = said;
        self.0.detail = json;
        self
    }

    /// The same, for a call that the retry budget ended.
    pub(super) fn not_paid(mut self) -> Self {
        self.0.unpaid = true;
        self
    }

    /// Whether it was not sent again because too many requests had failed lately.
    pub fn is_unpaid(&self) -> bool {
        self.0.unpaid
    }

    /// What the server said is wrong, for people; empty where it said nothing.
    pub fn said(&self) -> &str {
        &self.0.said
    }

    /// The server's detail as JSON, where the client was told not to read it.
    #[cfg(feature = "js")]
    pub(crate) fn detail(&self) -> Option<&str> {
        self.0.detail.as_deref()
    }

    /// Whether the same call may well succeed later, unchanged.
    pub fn is_passing(&self) -> bool {
        match &self.kind {
            ErrorKind::RateLimited | ErrorKind::Timeout(_) | ErrorKind::Network(_) => true,
            ErrorKind::Status(_) => self
                .status
                .is_some_and(|status| status >= 500 || matches!(status, 408 | 425)),
            _ => false,
        }
    }

    /// How long the server asks to wait, in whole seconds, never fewer than asked for.
    pub fn wait_seconds(&self) -> Option<u64> {
        let wait = self.retry_after?;
        Some(wait.as_secs() + u64::from(wait.subsec_nanos() > 0))
    }

    /// Whether the server does not accept the key, which concerns every other call, too.
    pub fn is_about_key(&self) -> bool {
        matches!(self.kind, ErrorKind::KeyRefused)
    }

    /// What happened, in a sentence without an end.
    pub fn what(&self) -> String {
        match &self.kind {
            ErrorKind::Argument(reason) => format!("Nothing was sent: {reason}"),
            ErrorKind::NoKey(reason) => format!("Nothing was sent, as there is no key: {reason}"),
            ErrorKind::OutcomeUnknown(cause) => {
                format!("It may have been started, or not. {}", cause.what())
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

    /// What became of the change, in a sentence without an end. Nothing for a read.
    pub fn kept(&self) -> &'static str {
        match (self.writes, self.ambiguous) {
            (false, _) => "",
            (true, false) => "Nothing was changed",
            (true, true) => "It is not known whether the change was made",
        }
    }

    /// What to do, in a sentence without an end.
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
            ErrorKind::Status(_) if self.is_passing() => "Try again in a moment".into(),
            ErrorKind::Status(_) => "Try again; if it stays, tell who runs the server".into(),
        }
    }
}

/// A number of tenths, for people.
fn tenths(number: u64) -> String {
    match number % 10 {
        0 => (number / 10).to_string(),
        rest => format!("{}.{rest}", number / 10),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.", self.what())?;
        if !self.kept().is_empty() {
            write!(f, " {}.", self.kept())?;
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
