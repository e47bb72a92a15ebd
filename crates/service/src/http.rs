//! The HTTP server: routes, limits, authentication, and the files of the UI.

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

/// State of the service for all handlers. Clones share it.
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

/// Configuration of a service.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folder of the built UI; without it only the API is served.
    pub ui: Option<PathBuf>,
    /// Host names under which the service may be addressed, besides those of this machine.
    pub allow_hosts: Vec<String>,
    /// Whether the service listens beyond this machine. It may then be addressed by any IP address.
    pub open_to_network: bool,
    /// Origins whose pages may call the API from a browser.
    pub allow_origins: Vec<String>,
    /// Sources of the Content-Security-Policy that the UI's pages may connect to, besides this service.
    pub allow_connections: Vec<String>,
    /// Requests per second and workspace; `None` means no limit.
    pub rate_limit: Option<u32>,
    pub limits: Limits,
    /// Forwards the API to an upstream instead of using the data folder, of which only the keys are
    /// used.
    pub gateway: Option<Gateway>,
}

/// Limits on requests and connections.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest JSON body, in bytes.
    pub body_bytes: usize,
    /// Largest body of a preview, in bytes: the beginning of a file. An import has no limit.
    pub preview_bytes: usize,
    /// Requests served at the same time in one workspace.
    pub in_workspace: usize,
    /// Requests served at the same time in all workspaces together.
    pub in_all: usize,
    /// Open connections; further ones wait to be accepted.
    pub connections: usize,
    /// Time limit of a read operation.
    pub read_time: Duration,
    /// Time limit for receiving the headers.
    pub header_time: Duration,
    /// Time limit for receiving the body.
    pub body_time: Duration,
    /// Idle timeout: how long a client may read nothing of a response, or send nothing of a file.
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
