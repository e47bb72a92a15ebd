//! What is known of a call before it is sent.

use std::time::Duration;

use lead_workspace_api::path::BadPathId;
use lead_workspace_api::{Detail, Endpoint, ErrorEntry, Method, Retry};
use serde_json::Value;

use super::config::Config;
use super::error::{Error, ErrorKind};
use super::guard;
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

    /// The request, unless it must not leave.
    pub(super) fn request(
        self,
        config: &Config,
        path: Result<String, BadPathId>,
        checked: Result<Parameters, Vec<ErrorEntry>>,
    ) -> Result<Outgoing, Error> {
        let parameters =
            checked.map_err(|entries| self.refused(Detail::Entries(entries).to_string()))?;
        let path = path.map_err(|refusal| self.refused(refusal.to_string()))?;
        let (query, body) = match parameters {
            Parameters::Body(body) => {
                guard::body(self.name, &body, config)
                    .map_err(|reason| self.refused(reason.to_owned()))?;
                (Vec::new(), Some(lead_workspace_api::json::text(&body)))
            }
            Parameters::Query(query) => (query, None),
            Parameters::Nothing => (Vec::new(), None),
        };
        Ok(Outgoing {
            method: self.method,
            url: format!("{}{path}", config.base_url()),
            query,
            headers: config.headers(),
            body,
            timeout: self.timeout(),
            body_cap: config.body_cap,
        })
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

    fn refused(self, reason: String) -> Error {
        self.error(ErrorKind::Argument(reason))
    }
}

/// The parameters of a call, where they belong.
pub(super) enum Parameters {
    Body(Value),
    Query(Vec<(String, String)>),
    Nothing,
}
