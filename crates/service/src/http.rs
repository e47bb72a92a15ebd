//! The HTTP server: routes, limits, authentication, and the files of the UI.

pub mod accept_loop;
mod accounts;
mod allowed_hosts;
mod assets;
mod auth;
mod body;
mod changes;
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
mod options;
mod params;
mod pending_connections;
mod permits;
mod probes;
mod rate_limit;
mod refusal;
mod request_context;
mod request_record;
mod router;
mod security_headers;
mod tls;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use error::ApiError;
pub use metrics_page::metrics_router;
pub use options::{Limits, ServiceOptions};
pub use permits::NoPermit;
pub use router::router;
pub use tls::Tls;

use crate::changes::Streams;
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
    pub stream_permits: Permits,
    pub streams: Streams,
    pub large_bodies: LargeBodies,
    pub metrics: HttpMetrics,
    rate_limit: Option<RateLimit>,
    /// Whether changes are recorded in the audit log.
    pub audit: bool,
    stopping: AtomicBool,
}

impl App {
    pub fn new(store: Store, options: &ServiceOptions) -> Self {
        let rate_limit = options.rate_limit;
        let rate_limit = rate_limit.and_then(|limit| RateLimit::new(&store, limit));
        // The other connections are left for requests.
        let streams = (options.limits.connections / 2).max(1);
        Self(Arc::new(AppParts {
            streams: Streams::new(store.clone()),
            stream_permits: Permits::new(streams, streams),
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
