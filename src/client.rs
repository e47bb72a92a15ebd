//! The client: one async method for each operation of the contract's table.
//!
//! A call is checked against the contract's limits before anything is sent, and ends its request
//! when its future is dropped. How a request reaches the wire is the [`Transport`]'s business:
//! [`Fetch`] in a browser, anything else in a test.

use std::sync::Arc;

use lead_workspace_api::endpoints::{self, NoParams};
use lead_workspace_api::{Decode, Endpoint, Input, Request};

pub use self::config::{Config, ConfigError, Credentials};
pub use self::error::{Error, ErrorKind};
pub use self::fetch::Fetch;
pub use self::transport::{Exchange, Outgoing, Reply, Transport, Trouble};

mod answer;
mod config;
mod error;
mod fetch;
mod guard;
mod operation;
mod transport;

use self::operation::Operation;

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

    async fn call<E: Endpoint>(
        &self,
        ids: &[&str],
        params: &E::Params,
    ) -> Result<E::Response, Error> {
        let operation = Operation::of::<E>();
        let prepared = params
            .check()
            .map_err(|entries| operation.invalid(entries))
            .and_then(|()| {
                let path =
                    E::path(ids).map_err(|refusal| operation.refused(refusal.to_string()))?;
                let mut request = operation.request(&self.config, path);
                match E::INPUT {
                    Input::Body => {
                        let body = serde_json::to_value(params).unwrap_or_default();
                        guard::body(E::NAME, &body, &self.config)
                            .map_err(|reason| operation.refused(reason.to_owned()))?;
                        request.body = Some(body.to_string());
                    }
                    Input::Query => request.query = params.to_query(),
                    Input::Nothing => {}
                }
                Ok(request)
            });
        let reply = self.transport.send(prepared?).await;
        let body = answer::read(operation, &self.config, reply)?;
        E::Response::decode(&body)
            .map_err(|problem| answer::undecodable(operation, &self.config, &problem.reason))
    }
}

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
        pub async fn $name(&self, $($id: &$id_type)?) -> Result<$response, Error> {
            self.call::<endpoints::$type>(&[$($id.as_str())?], &NoParams {}).await
        }
    };

    (@$input:ident #[doc = $summary:literal] $name:ident $type:ident [$($id:ident: $id_type:ty)?] $params:ty, $response:ty) => {
        #[doc = $summary]
        ///
        /// # Errors
        /// What went wrong, what was kept and what to do: see [`Error`].
        pub async fn $name(&self, $($id: &$id_type,)? params: &$params) -> Result<$response, Error> {
            self.call::<endpoints::$type>(&[$($id.as_str())?], params).await
        }
    };
}

lead_workspace_api::for_each_endpoint!(methods);
lead_workspace_api::for_each_extension!(methods);
