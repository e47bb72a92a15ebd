//! The gateway: the UI in front of an upstream that browsers cannot call themselves.
//!
//! A browser sends a key of this data folder; the upstream sees its own key, which never leaves this
//! process in any other direction. What passes is on a list ([`Routes`]): the operations of the
//! contract's table, how a job stands, and what the person who runs the gateway adds. Paths are not
//! handed on as they came but written anew from the template that they matched, headers are the few
//! that the contract knows (`headers`), redirects are not followed, and an answer that holds the upstream's key
//! is kept back.

mod answer;
mod forward;
mod headers;
mod key_forms;
mod routes;
mod upstream;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use http::HeaderValue;

use crate::store::Tenant;

pub(crate) use forward::forward;
pub use routes::{Refused, Routes, Template};
pub use upstream::{Key, Upstream};

/// What a gateway may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long the upstream may take to accept a connection.
    pub connect_time: Duration,
    /// How long it may take until it begins to answer. Longer than any attempt of our client, so
    /// that it is the client who gives up first, with its own words.
    pub answer_time: Duration,
    /// How long its answer may pause.
    pub pause_time: Duration,
    /// The largest answer, in bytes; that of the client.
    pub answer_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect_time: Duration::from_secs(5),
            answer_time: Duration::from_secs(60),
            pause_time: Duration::from_secs(30),
            answer_bytes: 32 << 20,
        }
    }
}

/// A way to one upstream. Clones share its connections.
#[derive(Clone)]
pub struct Gateway(Arc<Parts>);

struct Parts {
    routes: Routes,
    upstream: Upstream,
    key: RwLock<Key>,
    client: upstream::Client,
    limits: Limits,
    /// What the upstream calls the workspaces; their ids never change.
    tenants: RwLock<HashMap<Tenant, Option<HeaderValue>>>,
}

impl Gateway {
    /// Sets a gateway up; nothing is sent yet.
    ///
    /// # Errors
    /// When the upstream is to be reached by HTTPS and this machine trusts no certificates.
    pub fn new(
        upstream: Upstream,
        key: Key,
        routes: Routes,
        limits: Limits,
    ) -> Result<Self, String> {
        let client = upstream::Client::for_upstream(&upstream, limits.connect_time)?;
        Ok(Self(Arc::new(Parts {
            routes,
            upstream,
            key: RwLock::new(key),
            client,
            limits,
            tenants: RwLock::default(),
        })))
    }

    /// Goes on with another key of the upstream's. True when it is not the one in use.
    pub fn use_key(&self, key: &Key) -> bool {
        if self.0.key().header() == key.header() {
            return false;
        }
        *self.0.key.write().unwrap_or_else(PoisonError::into_inner) = key.clone();
        true
    }
}

impl Parts {
    fn key(&self) -> Key {
        self.key
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl fmt::Debug for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Never the key.
        f.debug_tuple("Gateway").field(&self.0.upstream).finish()
    }
}
