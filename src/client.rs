//! The client: one async method for each operation of the contract's table.
//!
//! A call is checked against the contract's limits before anything is sent, and ends its request
//! when its future is dropped. How a request reaches the wire is the [`Transport`]'s business:
//! [`Fetch`] in a browser, anything else in a test.
//!
//! [`retry`], [`retry_after`], [`budget`], [`gate`], [`walk`], [`bulk`] and [`poll`] are policy: pure, with the clock
//! and the dice as arguments. No call follows them yet.

use std::pin::Pin;
use std::sync::Arc;

use lead_workspace_api::endpoints::{self, NoParams};
use lead_workspace_api::path::BadPathId;
use lead_workspace_api::{Decode, Endpoint, ErrorEntry, Input, Request};

pub use self::config::{Config, ConfigError, Credentials};
pub use self::error::{Error, ErrorKind};
pub use self::fetch::Fetch;
pub use self::transport::{Exchange, Outgoing, Reply, Transport, Trouble};

mod answer;
pub mod budget;
pub mod bulk;
mod config;
mod error;
mod fetch;
pub mod gate;
mod guard;
mod operation;
pub mod poll;
pub mod retry;
pub mod retry_after;
mod transport;
pub mod walk;

use self::operation::{Operation, Parameters};

/// A client of one workspace. Cloning is cheap.
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
    config: Arc<Config>,
    transport: Arc<dyn Transport>,
}

impl Client {
    /// A client that uses the browser's `fetch`.
    pub fn new(config: Config) -> Self {
        Self::over(config, Arc::new(Fetch))
    }

    /// A client over another transport.
    pub fn over(config: Config, transport: Arc<dyn Transport>) -> Self {
        Self {
            config: Arc::new(config),
            transport,
        }
    }

    fn call<E: Endpoint>(&self, ids: &[&str], params: &E::Params) -> Call<'_, E::Response> {
        let operation = Operation::of::<E>();
        let value = serde_json::to_value(params).unwrap_or_default();
        let checked = E::Params::check_wire(&value).map(|()| match E::INPUT {
            Input::Body => Parameters::Body(value),
            Input::Query => Parameters::Query(params.to_query()),
            Input::Nothing => Parameters::Nothing,
        });
        let answer = self.exchange(operation, E::path(ids), checked);
        Box::pin(async move {
            E::Response::decode(&answer.await?)
                .map_err(|problem| answer::undecodable(operation, &self.config, &problem.reason))
        })
    }

    /// What every operation has in common, compiled once.
    fn exchange(
        &self,
        operation: Operation,
        path: Result<String, BadPathId>,
        checked: Result<Parameters, Vec<ErrorEntry>>,
    ) -> Call<'_, Vec<u8>> {
        let sent = operation
            .request(&self.config, path, checked)
            .map(|request| self.transport.send(request));
        Box::pin(async move { answer::read(operation, &self.config, sent?.await) })
    }
}

/// A call under way. Dropping it ends it.
pub type Call<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + 'a>>;

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("config", &self.config)
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
        pub fn $name(&self, $($id: &$id_type)?) -> Call<'_, $response> {
            self.call::<endpoints::$type>(&[$($id.as_str())?], &NoParams {})
        }
    };

    (@$input:ident #[doc = $summary:literal] $name:ident $type:ident [$($id:ident: $id_type:ty)?] $params:ty, $response:ty) => {
        #[doc = $summary]
        ///
        /// # Errors
        /// What went wrong, what was kept and what to do: see [`Error`].
        pub fn $name(&self, $($id: &$id_type,)? params: &$params) -> Call<'_, $response> {
            self.call::<endpoints::$type>(&[$($id.as_str())?], params)
        }
    };
}

lead_workspace_api::for_each_endpoint!(methods);
lead_workspace_api::for_each_extension!(methods);
