//! The static description of operations, and their parameters.

use lead_workspace_api::{Detail, Endpoint, ErrorEntry, Input, Method, Request, Retry, request};
use serde_json::Value;

use super::config::Config;
use super::error::{CallFailure, Error, ErrorKind};
use super::extra::Extra;
use super::headers::ExtraHeaders;
use super::preflight;
use super::transport::HttpRequest;

/// An operation of the table, without its types.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    pub(super) name: &'static str,
    pub(super) method: Method,
    pub(super) retry: Retry,
    has_body: bool,
}

impl Operation {
    pub(super) const fn of<E: Endpoint>() -> Self {
        Self {
            name: E::NAME,
            method: E::METHOD,
            retry: E::RETRY,
            // Only the response to a delete is empty.
            has_body: !matches!(E::RETRY, Retry::Delete),
        }
    }

    /// Describes a request that is not in the table.
    pub(super) fn raw(method: Method) -> Self {
        Self {
            name: "request",
            method,
            retry: if method == Method::Get {
                Retry::Read
            } else {
                Retry::Idempotent
            },
            has_body: true,
        }
    }

    pub(super) fn writes(self) -> bool {
        self.retry != Retry::Read
    }

    /// Whether the response has a body.
    pub(super) fn has_body(self) -> bool {
        self.has_body
    }

    pub(super) fn outgoing(
        self,
        config: &Config,
        path: &str,
        parameters: Parameters,
    ) -> HttpRequest {
        HttpRequest {
            method: self.method,
            url: format!("{}{path}", config.base_url()),
            query: parameters.query,
            headers: Vec::new(),
            extra_headers: ExtraHeaders::default(),
            body: parameters.body,
            body_cap: config.body_cap,
        }
    }

    pub(super) fn error(self, kind: ErrorKind) -> Error {
        Error::from(CallFailure {
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

    pub(super) fn argument_error(self, reason: String) -> Error {
        self.error(ErrorKind::Argument(reason))
    }
}

/// A row of the table, without its types, so that the code that uses it is compiled once.
#[derive(Clone, Copy)]
pub(crate) struct TableRow {
    pub(super) operation: Operation,
    pub(super) path: &'static str,
    input: Input,
    /// The names of its parameters.
    fields: &'static [&'static str],
}

/// Returns the limits of the contract that a request breaks.
pub(crate) type Check = fn(&Value) -> Result<(), Vec<ErrorEntry>>;

impl TableRow {
    /// Returns the error of a call that was not sent.
    #[cfg(feature = "js")]
    pub(crate) fn argument_error(self, reason: &str) -> Error {
        self.operation.argument_error(reason.to_owned())
    }

    pub(crate) fn error(self, kind: ErrorKind) -> Error {
        self.operation.error(kind)
    }

    pub(crate) const fn of<E: Endpoint>() -> Self {
        Self {
            operation: Operation::of::<E>(),
            path: E::PATH,
            input: E::INPUT,
            fields: E::Params::FIELDS,
        }
    }

    /// The operation's name, e.g. `update_lead`.
    #[cfg(feature = "js")]
    pub(crate) fn name(self) -> &'static str {
        self.operation.name
    }

    /// The names of its parameters.
    #[cfg(feature = "js")]
    pub(crate) fn fields(self) -> &'static [&'static str] {
        self.fields
    }

    /// Fails if the extra parameters of a call must not be sent.
    pub(super) fn check_extra(self, extra: &Extra) -> Result<(), String> {
        extra.refusal(self.fields, self.input).map_or(Ok(()), Err)
    }

    /// Puts the parameters, and the extra ones of the call, into body or query. Fails if they break a
    /// limit or could change more than intended.
    pub(super) fn bind(
        self,
        params: &Value,
        check: Check,
        config: &Config,
        extra: &Extra,
    ) -> Result<Parameters, String> {
        self.check_extra(extra)?;
        check(params).map_err(|entries| Detail::Entries(entries).to_string())?;
        let mut placed = Parameters::default();
        match self.input {
            Input::Body => {
                let nothing = |name: &str| match params.get(name) {
                    None | Some(Value::Null) => true,
                    Some(Value::Array(items)) => items.is_empty(),
                    Some(_) => false,
                };
                preflight::check_scope(self.operation.name, &nothing, config)?;
                let mut body = lead_workspace_api::json::text(params);
                extra.add_to(&mut body);
                placed.body = Some(body);
            }
            Input::Query => placed.query = request::query(params),
            Input::Nothing => {}
        }
        placed.query.extend_from_slice(&extra.query);
        Ok(placed)
    }
}

/// The parameters of a call, as sent.
#[derive(Default)]
pub(crate) struct Parameters {
    /// The parameters of the query string.
    pub(crate) query: Vec<(String, String)>,
    /// The JSON body.
    pub(crate) body: Option<String>,
}
