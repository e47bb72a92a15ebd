//! What is known of a call before it is sent.

use std::time::Duration;

use lead_workspace_api::{Detail, Endpoint, ErrorEntry, Method, Retry};

use super::config::Config;
use super::error::{Error, ErrorKind};
use super::transport::Outgoing;

/// An operation of the table, without its types.
#[derive(Clone, Copy)]
pub(super) struct Operation {
    name: &'static str,
    method: Method,
    retry: Retry,
}

impl Operation {
    pub(super) fn of<E: Endpoint>() -> Self {
        Self {
            name: E::NAME,
            method: E::METHOD,
            retry: E::RETRY,
        }
    }

    pub(super) fn writes(self) -> bool {
        self.retry != Retry::Read
    }

    /// How long one attempt may take.
    pub(super) fn timeout(self) -> Duration {
        Duration::from_secs(match self.retry {
            Retry::Read => 10,
            Retry::Idempotent | Retry::Delete => 15,
            Retry::Start => 30,
        })
    }

    pub(super) fn request(self, config: &Config, path: String) -> Outgoing {
        Outgoing {
            method: self.method,
            url: format!("{}{path}", config.base_url()),
            query: Vec::new(),
            headers: config.headers(),
            body: None,
            timeout: self.timeout(),
            body_cap: config.body_cap,
        }
    }

    pub(super) fn error(self, kind: ErrorKind) -> Error {
        Error {
            kind,
            operation: self.name,
            writes: self.writes(),
            status: None,
            request_id: None,
            retry_after: None,
            ambiguous: false,
        }
    }

    pub(super) fn refused(self, reason: String) -> Error {
        self.error(ErrorKind::Argument(reason))
    }

    pub(super) fn invalid(self, entries: Vec<ErrorEntry>) -> Error {
        self.refused(Detail::Entries(entries).to_string())
    }
}
