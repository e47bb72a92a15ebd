//! The client: one async method for each operation of the contract's table.
//!
//! A call is checked against the contract's limits before anything is sent, and ends its request
//! when its future is dropped. How a request reaches the wire is the [`Transport`]'s business:
//! [`Fetch`] in a browser, anything else in a test.
//!
//! The policy of a call stands in pure modules, with the clock and the dice as arguments:
//! [`retry`], [`retry_after`], [`budget`], [`gate`], [`walk`], [`bulk`] and [`poll`].

#![warn(missing_docs)]

use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::endpoints::{self, NoParams};
use lead_workspace_api::path::{self, BadPathId};
use lead_workspace_api::{Decode, Endpoint, Request, json};

#[cfg(feature = "js")]
pub(crate) use self::answer::Told;
#[cfg(any(feature = "js", feature = "embed"))]
pub(crate) use self::asked_key::AskedKey;
pub use self::browser::Browser;
#[cfg(any(feature = "js", feature = "embed"))]
pub(crate) use self::browser::property;
pub(crate) use self::call::Answer;
pub use self::call::CallOptions;
pub use self::config::{Config, ConfigError, Credentials};
pub use self::error::{Error, ErrorKind, Failure};
pub use self::fetch::Fetch;
pub use self::transport::{Exchange, Outgoing, Reply, Transport, Trouble};

mod answer;
#[cfg(any(feature = "js", feature = "embed"))]
mod asked_key;
mod bell;
mod browser;
pub mod budget;
pub mod bulk;
mod call;
mod config;
mod door;
mod error;
mod fetch;
mod free;
pub mod gate;
mod guard;
pub mod hooks;
pub mod jobs;
pub mod keys;
pub mod many;
mod operation;
pub mod pages;
pub mod poll;
mod queue;
pub mod retry;
pub mod retry_after;
pub mod runtime;
pub mod split;
mod tabs;
mod text;
mod transport;
pub mod walk;

use self::call::Shared;
use self::operation::Operation;
pub(crate) use self::operation::{Parameters, TableRow};
use self::runtime::Runtime;

/// A client of one workspace. Cloning is cheap; clones share the retry budget and the gate.
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

/// What an update did that is answered with 204, in the words of an answer with a body: the lead has what was sent,
/// and of many leads nobody says how many there are.
fn echo(row: TableRow, ids: &[&str], request: &Outgoing) -> Option<String> {
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

/// A call under way. Dropping it ends it.
pub type Call<T> = Pin<Box<dyn Future<Output = Result<T, Error>>>>;

impl Client {
    /// A client that uses the browser's `fetch`.
    pub fn new(config: Config) -> Self {
        Self::over(config, Arc::new(Fetch))
    }

    /// A client over another transport, in a browser.
    pub fn over(config: Config, transport: Arc<dyn Transport>) -> Self {
        Self::within(config, transport, Rc::new(Browser))
    }

    /// A client over any transport, in any world.
    pub fn within(config: Config, transport: Arc<dyn Transport>, runtime: Rc<dyn Runtime>) -> Self {
        Self {
            shared: Shared::new(config, transport, runtime),
            options: CallOptions::default(),
        }
    }

    /// The same client, whose calls have these options.
    #[must_use]
    pub fn with_options(&self, options: CallOptions) -> Self {
        Self {
            shared: Rc::clone(&self.shared),
            options,
        }
    }

    /// How the gate of the workspace stands: while it is over its rate limit, calls wait.
    pub fn gate(&self) -> hooks::GateEvent {
        self.shared.door.view()
    }

    /// The key in use, where it is fixed.
    pub fn key(&self) -> Option<String> {
        let credentials = self.shared.config.credentials.as_ref()?;
        Some(credentials.key().to_owned())
    }

    fn call<E: Endpoint>(&self, ids: &[&str], params: &E::Params) -> Call<E::Response> {
        let row = TableRow::of::<E>();
        let value = serde_json::to_value(params).unwrap_or_default();
        let placed = row.place(&value, E::Params::check_wire, &self.shared.config);
        let call = self.exchange(row, ids, placed);
        let client = self.clone();
        Box::pin(async move {
            let answer = call.await?;
            E::Response::decode(&answer.body)
                .map_err(|problem| client.undecodable(row, &answer, &problem.reason))
        })
    }

    /// Sends what a row of the table says, and gives the body as it arrived. Parameters that must
    /// not leave are the reason why.
    pub(crate) fn exchange(
        &self,
        row: TableRow,
        ids: &[&str],
        params: Result<Parameters, String>,
    ) -> Call<Answer> {
        let request = params.and_then(|params| {
            let path = self.path(row, ids).map_err(|refusal| refusal.to_string())?;
            Ok(row.operation.outgoing(&self.shared.config, &path, params))
        });
        let request = request.map_err(|reason| row.operation.refused(reason));
        let echo = request
            .as_ref()
            .ok()
            .and_then(|request| echo(row, ids, request));
        let call = self.send(row.operation, request);
        let Some(echo) = echo else {
            return call;
        };
        Box::pin(async move {
            let mut answer = call.await?;
            if answer.status == Some(204) {
                answer.body = echo.into_bytes();
            }
            Ok(answer)
        })
    }

    /// Refuses a body whose effect may be far larger than was meant; see [`guard`].
    #[cfg(feature = "js")]
    pub(crate) fn guard(
        &self,
        row: TableRow,
        nothing: &dyn Fn(&str) -> bool,
    ) -> Result<(), String> {
        guard::body(row.operation.name, nothing, &self.shared.config)?;
        Ok(())
    }

    /// A success whose body makes no sense.
    pub(crate) fn undecodable(&self, row: TableRow, answer: &Answer, reason: &str) -> Error {
        self.shared.undecodable(row.operation, answer, reason)
    }

    #[cfg(feature = "js")]
    pub(crate) fn runtime(&self) -> Rc<dyn Runtime> {
        Rc::clone(&self.shared.runtime)
    }

    fn path(&self, row: TableRow, ids: &[&str]) -> Result<String, BadPathId> {
        match (&self.shared.config.job_path, row.operation.name, ids) {
            (Some(template), "get_job", [id]) => {
                let id = path::segment("job_id", id, &[])?;
                Ok(text::replaced(template, "{job_id}", &id))
            }
            _ => path::fill(row.path, ids),
        }
    }

    /// What every call has in common, compiled once.
    fn send(&self, operation: Operation, request: Result<Outgoing, Error>) -> Call<Answer> {
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

/// Makes a method of each row. Path ids come first, then the parameters where there are any.
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
        /// What went wrong, what was kept and what to do: see [`Error`].
        pub fn $name(&self, $($id: &$id_type)?) -> Call<$response> {
            self.call::<endpoints::$type>(&[$($id.as_str())?], &NoParams {})
        }
    };

    (@$input:ident #[doc = $summary:literal] $name:ident $type:ident [$($id:ident: $id_type:ty)?] $params:ty, $response:ty) => {
        #[doc = $summary]
        ///
        /// # Errors
        /// What went wrong, what was kept and what to do: see [`Error`].
        pub fn $name(&self, $($id: &$id_type,)? params: &$params) -> Call<$response> {
            self.call::<endpoints::$type>(&[$($id.as_str())?], params)
        }
    };
}

lead_workspace_api::for_each_endpoint!(methods);
lead_workspace_api::for_each_extension!(methods);
