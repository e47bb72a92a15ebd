//! The HTTP server: routes, limits, authentication, and the files of the UI.

pub mod accept_loop;
mod accounts;
mod allowed_hosts;
mod assets;
mod auth;
mod body;
mod docs_page;
mod error;
mod export;
mod gateway;
mod idle_timeout;
mod import;
mod jobs;
mod json;
mod large_bodies;
mod leads;
mod metrics_page;
mod middleware;
mod openapi;
mod params;
mod pending_connections;
mod permits;
mod probes;
mod rate_limit;
mod request_context;
mod request_record;
mod router;
mod security_headers;
mod tls;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use error::ApiError;
pub use metrics_page::metrics_router;
pub use permits::NoPermit;
pub use router::router;
pub use tls::Tls;

use crate::gateway::Gateway;
use crate::metrics::HttpMetrics;
use crate::store::Store;
use allowed_hosts::AllowedHosts;
use large_bodies::LargeBodies;
use permits::Permits;
use rate_limit::RateLimit;
use security_headers::SecurityHeaders;

/// State of the service for all handlers. Clones share it.
#[derive(Clone)]
pub struct App(Arc<AppParts>);

struct AppParts {
    pub store: Store,
    pub limits: Limits,
    pub allowed_hosts: AllowedHosts,
    pub security_headers: SecurityHeaders,
    pub exports: Permits,
    pub imports: Permits,
    pub in_flight: Permits,
    pub large_bodies: LargeBodies,
    pub metrics: HttpMetrics,
    rate_limit: Option<RateLimit>,
    /// Whether changes are recorded in the audit log.
    pub audit: bool,
    stopping: AtomicBool,
}

/// Configuration of a service.
#[derive(Clone, Debug, Default)]
pub struct ServiceOptions {
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
    /// Records no changes in the audit log.
    pub no_audit: bool,
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
            body_bytes: lead_workspace_logic::params::BODY_BYTES,
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
    pub fn new(store: Store, options: &ServiceOptions) -> Self {
        let rate_limit = options.rate_limit;
        let rate_limit = rate_limit.and_then(|limit| RateLimit::new(&store, limit));
        Self(Arc::new(AppParts {
            store,
            limits: options.limits,
            allowed_hosts: AllowedHosts::new(&options.allow_hosts, options.open_to_network),
            security_headers: SecurityHeaders::new(options),
            exports: export::permits(),
            imports: import::permits(),
            in_flight: Permits::new(options.limits.in_workspace, options.limits.in_all),
            large_bodies: LargeBodies::new(),
            metrics: HttpMetrics::new(),
            rate_limit,
            audit: !options.no_audit,
            stopping: AtomicBool::new(false),
        }))
    }

    /// From now on, `/readyz` reports that the service is stopping.
    pub fn begin_stop(&self) {
        self.0.stopping.store(true, Ordering::Relaxed);
    }

    fn is_stopping(&self) -> bool {
        self.0.stopping.load(Ordering::Relaxed)
    }

    fn store(&self) -> &Store {
        &self.0.store
    }

    fn limits(&self) -> Limits {
        self.0.limits
    }
}
