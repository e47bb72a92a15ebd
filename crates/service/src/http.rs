//! The HTTP face of the service.

mod accounts;
mod assets;
mod auth;
mod body;
mod error;
mod guard;
mod jobs;
mod large;
mod leads;
mod openapi;
mod params;
mod patience;
mod places;
mod rate;
mod router;
pub mod serve;
mod silent;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub(crate) use auth::Caller;
pub(crate) use body::{json_response, on_blocking_thread, read as read_body};
pub use error::ApiError;
pub(crate) use patience::Patience;
pub use places::NoPlace;
pub(crate) use places::{Place, Places};
pub use router::router;

use crate::gateway::Gateway;
use crate::import::Running;
use crate::store::Store;

/// What every handler works with. Clones share it.
#[derive(Clone)]
pub struct App(Arc<AppParts>);

pub(crate) struct AppParts {
    pub store: Store,
    pub limits: Limits,
    pub hosts: guard::Hosts,
    pub policy: http::HeaderValue,
    pub imports: Running,
    pub in_flight: Places,
    pub large: large::Large,
    rate: Option<rate::Rate>,
}

/// How a service is set up.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The folder of the finished UI; without it only the API is served.
    pub ui: Option<PathBuf>,
    /// Names besides those of this machine under which the service may be addressed.
    pub allow_hosts: Vec<String>,
    /// Whether the service listens beyond this machine, and so may be addressed by any IP address.
    pub open_to_network: bool,
    /// Origins whose pages may call the API from a browser.
    pub allow_origins: Vec<String>,
    /// What the UI's pages may connect to besides this service, as sources of a
    /// Content-Security-Policy.
    pub allow_connections: Vec<String>,
    /// Requests per second and workspace; none means no limit.
    pub rate_limit: Option<u32>,
    /// Limits of a single request.
    pub limits: Limits,
    /// What answers the API in place of the data folder; then only the folder's keys are used.
    pub gateway: Option<Gateway>,
}

/// Limits of a single request.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest JSON body, in bytes.
    pub body_bytes: usize,
    /// The largest beginning of a file that is previewed, in bytes. An import has no limit.
    pub preview_bytes: usize,
    /// Requests that are answered at once in one workspace.
    pub in_workspace: usize,
    /// Requests that are answered at once in all.
    pub in_all: usize,
    /// Connections at once; more wait to be accepted.
    pub connections: usize,
    /// How long a read may take.
    pub read_time: Duration,
    /// How long the headers may take to arrive.
    pub header_time: Duration,
    /// How long the body may take to arrive.
    pub body_time: Duration,
    /// How long the other side may take nothing of an answer, or send nothing of a file.
    pub idle_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1 << 20,
            preview_bytes: 8 << 20,
            in_workspace: 64,
            in_all: 256,
            connections: 1024,
            read_time: Duration::from_secs(10),
            header_time: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            idle_time: Duration::from_secs(30),
        }
    }
}

impl App {
    /// Sets a service up over a data folder.
    pub fn new(store: Store, options: &Options) -> Self {
        Self(Arc::new(AppParts {
            store,
            limits: options.limits,
            policy: guard::policy(&options.allow_connections),
            hosts: guard::Hosts::new(&options.allow_hosts, options.open_to_network),
            imports: Running::default(),
            in_flight: Places::new(options.limits.in_workspace, options.limits.in_all),
            large: large::Large::new(),
            rate: options.rate_limit.and_then(rate::Rate::new),
        }))
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }

    pub(crate) fn imports(&self) -> &Running {
        &self.0.imports
    }

    pub(crate) fn limits(&self) -> Limits {
        self.0.limits
    }
}
