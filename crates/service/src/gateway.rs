//! The gateway: serves the UI in front of an upstream that browsers cannot call directly.
//!
//! A browser sends a key of this data folder. The gateway sends the upstream's own key to the
//! upstream, and nowhere else. Only listed requests pass ([`Routes`]): the operations of the
//! contract's table, job status, and what the operator adds. Paths are rebuilt from the template
//! that they matched, only the headers of the contract pass (`headers`), redirects are not
//! followed, and a response that contains the upstream's key is withheld.

mod error;
mod event_stream;
mod forward;
mod headers;
mod key_forms;
mod response;
mod routes;
mod upstream;

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use prometheus_client::metrics::histogram::Histogram;

use crate::metrics;

pub(crate) use error::GatewayError;
pub(crate) use event_stream::Forwarded;
pub use routes::{RouteError, Routes, Template, UpstreamRoute};
pub use upstream::{Upstream, UpstreamKey};

/// Limits on requests to the upstream.
#[derive(Clone, Copy, Debug)]
pub struct UpstreamLimits {
    /// Time limit for connecting.
    pub connect_timeout: Duration,
    /// Time limit until the response begins. Longer than any attempt of our client, so that the
    /// client times out first and shows its own message.
    pub response_timeout: Duration,
    /// Idle timeout while the response is received.
    pub idle_timeout: Duration,
    /// Largest response, in bytes; the client has the same limit.
    pub response_bytes: u64,
}

impl Default for UpstreamLimits {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(5),
            response_timeout: Duration::from_secs(60),
            idle_timeout: Duration::from_secs(30),
            response_bytes: 32 << 20,
        }
    }
}

/// A gateway to one upstream. Clones share its connections.
#[derive(Clone)]
pub struct Gateway(Arc<GatewayState>);

struct GatewayState {
    routes: Routes,
    upstream: Upstream,
    key: RwLock<UpstreamKey>,
    client: upstream::UpstreamClient,
    limits: UpstreamLimits,
    seconds: Histogram,
}

impl Gateway {
    /// Creates a gateway; sends nothing yet.
    ///
    /// # Errors
    /// If the upstream uses HTTPS and this machine has no trusted certificates.
    pub fn new(
        upstream: Upstream,
        key: UpstreamKey,
        routes: Routes,
        limits: UpstreamLimits,
    ) -> Result<Self, String> {
        let client = upstream::UpstreamClient::for_upstream(&upstream, limits.connect_timeout)?;
        Ok(Self(Arc::new(GatewayState {
            routes,
            upstream,
            key: RwLock::new(key),
            client,
            limits,
            seconds: metrics::seconds(),
        })))
    }

    /// Durations of the requests to the upstream.
    pub(crate) fn upstream_seconds(&self) -> &Histogram {
        &self.0.seconds
    }

    /// Replaces the upstream's key. Returns true if it differs from the current one.
    pub fn replace_key(&self, key: &UpstreamKey) -> bool {
        if self.0.key().header() == key.header() {
            return false;
        }
        *self.0.key.write().unwrap_or_else(PoisonError::into_inner) = key.clone();
        true
    }
}

impl GatewayState {
    fn key(&self) -> UpstreamKey {
        self.key
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl fmt::Debug for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The key must never be printed.
        f.debug_tuple("Gateway").field(&self.0.upstream).finish()
    }
}
