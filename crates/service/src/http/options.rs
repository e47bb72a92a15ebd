//! Configuration of a service, and its limits.

use std::path::PathBuf;
use std::time::Duration;

use crate::gateway::Gateway;

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
    /// Open connections; further ones wait to be accepted. Half of them may be streams of changes.
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
            connections: 2048,
            read_time: Duration::from_secs(10),
            header_time: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            idle_time: Duration::from_secs(30),
        }
    }
}
