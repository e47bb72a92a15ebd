//! What is known of a call before it is sent.

use lead_workspace_api::path::BadPathId;
use lead_workspace_api::{Detail, Endpoint, ErrorEntry, Input, Method, Request, Retry, request};
use serde_json::Value;

use super::config::Config;
use super::error::{Error, ErrorKind, Failure};
use super::guard;
use super::transport::Outgoing;

/// An operation of the table, without its types.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    pub(super) name: &'static str,
    pub(super) method: Method,
    pub(super) retry: Retry,
    answers: bool,
}

impl Operation {
    pub(super) fn of<E: Endpoint>() -> Self {
        Self {
            name: E::NAME,
            method: E::METHOD,
            retry: E::RETRY,
            // Only the answer to a delete is empty.
            answers: E::RETRY != Retry::Delete,
        }
    }

    /// A request that is not in the table.
    pub(super) fn free(method: Method) -> Self {
        Self {
            name: "request",
            method,
            retry: if method == Method::Get {
                Retry::Read
            } else {
                Retry::Idempotent
            },
            answers: true,
        }
    }

    pub(super) fn writes(self) -> bool {
        self.retry != Retry::Read
    }

    /// Whether its response has a body.
    pub(super) fn answers(self) -> bool {
        self.answers
    }

    /// The request without its key, unless it must not leave.
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
        Ok(self.outgoing(config, &path, query, body))
    }

    pub(super) fn outgoing(
        self,
        config: &Config,
        path: &str,
        query: Vec<(String, String)>,
        body: Option<String>,
    ) -> Outgoing {
        Outgoing {
            method: self.method,
            url: format!("{}{path}", config.base_url()),
            query,
            headers: Vec::new(),
            body,
            body_cap: config.body_cap,
        }
    }

    pub(super) fn error(self, kind: ErrorKind) -> Error {
        Error::from(Failure {
            kind,
            operation: self.name,
            writes: self.writes(),
            status: None,
            request_id: None,
            retry_after: None,
            ambiguous: false,
            attempts: 0,
        })
    }

    pub(super) fn refused(self, reason: String) -> Error {
        self.error(ErrorKind::Argument(reason))
    }
}

/// A row of the table, without its types, so that what follows is compiled once.
#[derive(Clone, Copy)]
pub(crate) struct TableRow {
    pub(super) operation: Operation,
    pub(super) path: &'static str,
    input: Input,
    check: fn(&Value) -> Result<(), Vec<ErrorEntry>>,
}

impl TableRow {
    pub(crate) fn of<E: Endpoint>() -> Self {
        Self {
            operation: Operation::of::<E>(),
            path: E::PATH,
            input: E::INPUT,
            check: E::Params::check_wire,
        }
    }

    /// The operation's name, e.g. `update_lead`.
    #[cfg(feature = "js")]
    pub(crate) fn name(self) -> &'static str {
        self.operation.name
    }

    /// The parameters where they belong, unless they break a limit.
    pub(super) fn place(self, params: Value) -> Result<Parameters, Vec<ErrorEntry>> {
        (self.check)(&params)?;
        Ok(match self.input {
            Input::Body => Parameters::Body(params),
            Input::Query => Parameters::Query(request::query(&params)),
            Input::Nothing => Parameters::Nothing,
        })
    }
}

/// The parameters of a call, where they belong.
pub(super) enum Parameters {
    Body(Value),
    Query(Vec<(String, String)>),
    Nothing,
}
