//! The client: one async method per operation of the endpoint table.
//!
//! A call checks its parameters against the contract's limits before it sends anything. Dropping
//! its future aborts the request. The [`Transport`] sends requests: [`Fetch`] in a browser, a
//! substitute in tests.
//!
//! The policy of a call is in pure modules that take the clock and random numbers as arguments:
//! [`retry`], [`retry_after`], [`budget`], [`gate`], [`paginate`], [`poll_backoff`], and those of [`changes`].

#![warn(missing_docs)]

use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use lead_workspace_api::endpoints::{self, NoParams};
use lead_workspace_api::path::{self, BadPathId};
use lead_workspace_api::{Decode, Endpoint, Request, json, without_mark};
use serde_json::{Map, Value};

pub(crate) use self::api_response::ApiResponse;
pub use self::browser::Browser;
pub use self::call_options::CallOptions;
#[cfg(any(feature = "js", feature = "embed"))]
pub(crate) use self::callback_key::CallbackKeySource;
pub use self::config::{Config, ConfigError, Credentials};
#[cfg(feature = "ui")]
pub(crate) use self::error::UNAVAILABLE;
pub use self::error::{CallFailure, Error, ErrorKind};
pub use self::extra::Extra;
pub use self::fetch::Fetch;
pub use self::headers::{ExtraHeaders, HeaderError};
pub(crate) use self::property::property;
pub use self::transport::{
    Exception, HttpRequest, HttpResponse, PartReceiver, ResponseFuture, ResponsePart, Transport,
    TransportError,
};

mod api_response;
pub(crate) mod broadcast;
pub(crate) mod browser;
pub mod budget;
mod call;
mod call_options;
#[cfg(any(feature = "js", feature = "embed"))]
mod callback_key;
pub mod changes;
mod config;
mod error;
mod extra;
mod fetch;
pub mod gate;
mod gate_queue;
mod headers;
pub mod hooks;
mod job_polls;
#[cfg(feature = "js")]
pub(crate) mod js_value;
mod key_cache;
pub mod key_source;
mod notify;
mod operation;
pub mod page_loader;
pub mod paginate;
pub mod poll_backoff;
mod preflight;
mod property;
mod raw_request;
mod request_path;
pub(crate) mod response;
pub mod retry;
pub mod retry_after;
mod running_call;
pub mod runtime;
mod shared;
pub(crate) mod text_search;
mod transport;
pub mod wait_for_job;
mod wait_queue;
pub mod web_url;

use self::operation::Operation;
pub(crate) use self::operation::{Check, Parameters, TableRow};
use self::runtime::Runtime;
use self::shared::Shared;

/// A client of one workspace. Cloning is cheap; clones share the retry budget and the rate-limit gate.
///
/// ```no_run
/// # async fn show() -> Result<(), Box<dyn std::error::Error>> {
/// use lead_workspace::api::LeadQuery;
/// use lead_workspace::client::{Client, Config, Credentials};
///
/// let credentials = Credentials::new("lwk_0123_secret")?;
/// let client = Client::new(Config::new("https://workspace.example")?.with(credentials));
/// let page = client.query_leads(&LeadQuery::default()).await?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Client {
    shared: Rc<Shared>,
    options: CallOptions,
}

/// Returns the body to use if an update is answered with 204, which has none. For one lead it is the
/// body that was sent, with the lead's id. For many leads it is empty, as the count is unknown.
fn echo(row: TableRow, ids: &[&str], request: &HttpRequest) -> Option<String> {
    match (row.operation.name, ids) {
        ("update_leads", _) => Some("{}".to_owned()),
        ("update_lead", [id]) => {
            let sent = request.body.as_deref()?.strip_prefix('{')?;
            let mut echo = String::from("{\"lead_id\":");
            json::quote(id, &mut echo);
            echo.push(',');
            echo.push_str(sent);
            Some(echo)
        }
        _ => None,
    }
}

/// A call in progress. Dropping it aborts the call.
pub type Call<T> = Pin<Box<dyn Future<Output = Result<T, Error>>>>;

impl Client {
    /// Returns a client that uses the browser's `fetch`.
    pub fn new(config: Config) -> Self {
        Self::with_transport(config, Arc::new(Fetch::default()))
    }

    /// Returns a client that uses another transport, in a browser.
    pub fn with_transport(config: Config, transport: Arc<dyn Transport>) -> Self {
        Self::with_runtime(config, transport, Rc::new(Browser))
    }

    /// Returns a client that uses any transport and any runtime.
    pub fn with_runtime(
        config: Config,
        transport: Arc<dyn Transport>,
        runtime: Rc<dyn Runtime>,
    ) -> Self {
        Self {
            shared: Shared::new(config, transport, runtime),
            options: CallOptions::default(),
        }
    }

    /// Returns the same client with other call options.
    #[must_use]
    pub fn with_options(&self, options: CallOptions) -> Self {
        Self {
            shared: Rc::clone(&self.shared),
            options,
        }
    }

    /// Returns the state of the rate-limit gate. While the workspace is over its rate limit, calls wait.
    pub fn gate(&self) -> hooks::GateEvent {
        self.shared.gate_queue.event()
    }

    /// Returns the API key if it is fixed; `None` if it comes from a [`key_source::KeySource`].
    pub fn key(&self) -> Option<String> {
        let credentials = self.shared.config.credentials.as_ref()?;
        Some(credentials.key().to_owned())
    }

    fn call<E: Endpoint>(&self, ids: &[&str], params: &E::Params) -> Call<E::Response> {
        let row = TableRow::of::<E>();
        let value = serde_json::to_value(params).unwrap_or_default();
        let parameters = self.bind(row, &value, E::Params::check_wire);
        let call = self.exchange(row, ids, parameters);
        let client = self.clone();
        Box::pin(async move {
            let response = call.await?;
            E::Response::decode(&response.body)
                .map_err(|problem| client.undecodable(row, &response, &problem.reason))
        })
    }

    /// Sends the request of a table row and returns the body as received. An `Err` in `params` is
    /// the reason not to send the request; the call then fails with it.
    pub(crate) fn exchange(
        &self,
        row: TableRow,
        ids: &[&str],
        params: Result<Parameters, String>,
    ) -> Call<ApiResponse> {
        let request = params.and_then(|params| {
            let path = self.path(row, ids).map_err(|refusal| refusal.to_string())?;
            Ok(row.operation.outgoing(&self.shared.config, &path, params))
        });
        let request = request.map_err(|reason| row.operation.argument_error(reason));
        let echo = request
            .as_ref()
            .ok()
            .and_then(|request| echo(row, ids, request));
        let call = self.send(row.operation, request);
        let Some(echo) = echo else {
            return call;
        };
        Box::pin(async move {
            let mut response = call.await?;
            if response.status == Some(204) {
                response.body = echo.into_bytes();
            }
            Ok(response)
        })
    }

    /// Puts the parameters of a table row into body or query. Fails if they break a limit or could
    /// change more than intended.
    pub(crate) fn bind(
        &self,
        row: TableRow,
        params: &Value,
        check: Check,
    ) -> Result<Parameters, String> {
        row.bind(params, check, &self.shared.config, &self.options.extra)
    }

    /// Fails if the extra parameters of this client's calls must not be sent to an operation.
    #[cfg(feature = "js")]
    pub(crate) fn check_extra(&self, row: TableRow) -> Result<(), String> {
        row.check_extra(&self.options.extra)
    }

    /// Calls a table row and returns the members of the body without decoding them. A list's body must be an object; for
    /// a single record, whose body only repeats the change, any JSON will do.
    pub(crate) fn call_untyped(
        &self,
        row: TableRow,
        ids: &[&str],
        params: &Value,
        check: Check,
    ) -> Call<Map<String, Value>> {
        let is_record = !ids.is_empty();
        let call = self.exchange(row, ids, self.bind(row, params, check));
        let client = self.clone();
        Box::pin(async move {
            let response = call.await?;
            let text = std::str::from_utf8(without_mark(&response.body)).unwrap_or_default();
            match response::parse(text) {
                Some(Value::Object(body)) => Ok(body),
                Some(_) if is_record => Ok(Map::new()),
                _ => Err(client.undecodable(row, &response, "the body is not a JSON object")),
            }
        })
    }

    /// Returns the same client with the usual deadline of an operation, or `limit` if that is less.
    pub(crate) fn with_deadline_within(&self, row: TableRow, limit: Option<Duration>) -> Self {
        let mut options = self.options.clone();
        options.deadline = None;
        if let Some(limit) = limit {
            let default_deadline = self.shared.limits(row.operation, &options).deadline;
            options.deadline = Some(default_deadline.min(limit));
        }
        self.with_options(options)
    }

    pub(crate) fn options(&self) -> &CallOptions {
        &self.options
    }

    /// Returns the error for a successful response whose body cannot be decoded.
    pub(crate) fn undecodable(&self, row: TableRow, response: &ApiResponse, reason: &str) -> Error {
        self.shared.undecodable(row.operation, response, reason)
    }

    pub(crate) fn runtime(&self) -> Rc<dyn Runtime> {
        Rc::clone(&self.shared.runtime)
    }

    fn path(&self, row: TableRow, ids: &[&str]) -> Result<String, BadPathId> {
        match (&self.shared.config.job_path, row.operation.name, ids) {
            (Some(template), "get_job", [id]) => {
                let id = path::segment("job_id", id, &[])?;
                Ok(text_search::replaced(template, "{job_id}", &id))
            }
            _ => path::fill(row.path, ids),
        }
    }

    /// Not generic, so that it is compiled once for all operations.
    fn send(&self, operation: Operation, request: Result<HttpRequest, Error>) -> Call<ApiResponse> {
        let shared = Rc::clone(&self.shared);
        Box::pin(shared.call(operation, request, self.options.clone()))
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("config", &self.shared.config)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// Generates a method per table row. Path ids come first, then the parameters, if any.
macro_rules! methods {
    ($(
        #[doc = $summary:literal]
        $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
            $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
    )*) => {
        impl Client {
            $(methods! {@$input #[doc = $summary] $name $type [$($id: $id_type)?] $params, $response})*
        }
    };

    (@Nothing #[doc = $summary:literal] $name:ident $type:ident [$($id:ident: $id_type:ty)?] $params:ty, $response:ty) => {
        #[doc = $summary]
        ///
        /// # Errors
        /// See [`Error`] for what went wrong, whether anything was changed, and what to do.
        pub fn $name(&self, $($id: &$id_type)?) -> Call<$response> {
            self.call::<endpoints::$type>(&[$($id.as_str())?], &NoParams {})
        }
    };

    (@$input:ident #[doc = $summary:literal] $name:ident $type:ident [$($id:ident: $id_type:ty)?] $params:ty, $response:ty) => {
        #[doc = $summary]
        ///
        /// # Errors
        /// See [`Error`] for what went wrong, whether anything was changed, and what to do.
        pub fn $name(&self, $($id: &$id_type,)? params: &$params) -> Call<$response> {
            self.call::<endpoints::$type>(&[$($id.as_str())?], params)
        }
    };
}

lead_workspace_api::for_each_endpoint!(methods);
lead_workspace_api::for_each_extension!(methods);
lead_workspace_api::for_each_own_operation!(methods);
