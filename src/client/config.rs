//! The address of the workspace, and the credentials for it.

use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use lead_workspace_api::{Quoted, TenantId};

use super::headers::ExtraHeaders;
use super::hooks::Hooks;
use super::key_source::KeySource;
use super::retry::Policy;
use super::web_url::web_url;
use super::{request_path, text_search};

/// The default limit of a response body, in bytes: 32 MiB.
const DEFAULT_BODY_CAP: usize = 32 << 20;

/// The settings of a client, shared by all its requests.
#[derive(Clone)]
pub struct Config {
    base_url: String,
    pub(super) credentials: Option<Credentials>,
    pub(super) key_source: Option<Rc<dyn KeySource>>,
    pub(super) tenant: Option<TenantId>,
    /// Whether and when requests are sent again.
    pub policy: Policy,
    /// The time limit of one attempt. Default 10 s for reads, 15 s for writes, 30 s for scoring.
    pub timeout: Option<Duration>,
    /// The time limit of a call, with its waits. Default 30 s for reads, 20 s for updates, 30 s for
    /// deletes, 60 s for scoring.
    pub deadline: Option<Duration>,
    pub(super) job_path: Option<String>,
    /// Headers of every request, beyond those that the client sets.
    pub extra_headers: ExtraHeaders,
    /// Observes every call.
    pub hooks: Option<Rc<dyn Hooks>>,
    /// The largest response body to read, in bytes. Default 32 MiB.
    pub body_cap: usize,
    /// Allows a bulk update without a status. The contract does not specify its effect, so it is
    /// refused by default.
    pub allow_update_without_status: bool,
    /// Allows scoring to start without any ids, which may mean the whole workspace. Refused by default.
    pub allow_scoring_of_everything: bool,
}

impl Config {
    /// Returns a configuration for the workspace at an address: `http://…`, `https://…`, `/…` for a
    /// path of the page's own origin, or empty for that origin itself.
    ///
    /// # Errors
    /// Fails if the address is anything else, or has a query, a fragment or a password.
    pub fn new(base_url: &str) -> Result<Self, ConfigError> {
        let given = base_url.trim().trim_end_matches('/');
        let (base_url, is_valid) = match text_search::split_once(given, "://") {
            Some((scheme, rest)) => {
                let base_url = [&scheme.to_ascii_lowercase(), "://", rest].concat();
                (base_url, web_url(given).is_some())
            }
            None => {
                let is_valid = given.is_empty() || request_path::refusal(given).is_none();
                (given.to_owned(), is_valid)
            }
        };
        if !is_valid || given.contains(['?', '#']) {
            return Err(ConfigError::BaseUrl(public_part(given)));
        }
        Ok(Self {
            base_url,
            credentials: None,
            key_source: None,
            tenant: None,
            policy: Policy::default(),
            timeout: None,
            deadline: None,
            job_path: None,
            extra_headers: ExtraHeaders::default(),
            hooks: None,
            body_cap: DEFAULT_BODY_CAP,
            allow_update_without_status: false,
            allow_scoring_of_everything: false,
        })
    }

    /// Sets the path that jobs are read from, below the address and with `{job_id}` in it. Default
    /// `/api/jobs/{job_id}`, as in our service; the contract does not specify it.
    ///
    /// # Errors
    /// Fails if the path could lead to another server, or has no `{job_id}`.
    pub fn with_job_path(self, path: &str) -> Result<Self, ConfigError> {
        if request_path::refusal(path).is_some()
            || text_search::split_once(path, "{job_id}").is_none()
        {
            return Err(ConfigError::JobPath(path.to_owned()));
        }
        Ok(Self {
            job_path: Some(path.to_owned()),
            ..self
        })
    }

    /// Sets fixed credentials.
    #[must_use]
    pub fn with(self, credentials: Credentials) -> Self {
        Self {
            tenant: credentials.tenant.clone(),
            credentials: Some(credentials),
            key_source: None,
            ..self
        }
    }

    /// Sets a source of changing keys. `source` is called for the first key, and once more for a
    /// call whose key was refused.
    ///
    /// # Errors
    /// Fails if the workspace id is not valid in a header.
    pub fn with_key_source(
        self,
        source: Rc<dyn KeySource>,
        tenant: Option<TenantId>,
    ) -> Result<Self, ConfigError> {
        check_tenant(tenant.as_ref())?;
        Ok(Self {
            credentials: None,
            key_source: Some(source),
            tenant,
            ..self
        })
    }

    /// Returns the address without a trailing slash; empty for the page's own origin.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    pub(super) fn headers(&self, key: Option<&Credentials>) -> Vec<(&'static str, String)> {
        let mut headers = vec![("accept", "application/json".to_owned())];
        if let Some(Credentials { key, .. }) = key {
            headers.push(("authorization", format!("Bearer {key}")));
        }
        if let Some(tenant) = &self.tenant {
            headers.push(("x-tenant-id", tenant.to_string()));
        }
        headers
    }

    /// Identifies the workspace among others of the same origin, without revealing the key.
    ///
    /// If the tenant is set, all of its keys share one gate, as they share one limit. Otherwise the
    /// key identifies the workspace: two keys may belong to two workspaces, and the limit of one
    /// must not block the other. Keys from a source may change at any time, so they all count as
    /// one.
    pub(super) fn workspace(&self) -> String {
        match (&self.tenant, &self.credentials) {
            (Some(tenant), _) => format!("{} {tenant}", self.base_url),
            (None, Some(key)) => format!("{}  {:x}", self.base_url, key.key_hash()),
            (None, None) => format!("{}  0", self.base_url),
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("base_url", &self.base_url)
            .field("credentials", &self.credentials)
            .field("tenant", &self.tenant)
            .finish_non_exhaustive()
    }
}

/// An API key and, for a key with access to several workspaces, the selected one.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    key: String,
    tenant: Option<TenantId>,
}

impl Credentials {
    /// Returns credentials with a key. Surrounding whitespace, e.g. from pasting, is removed.
    ///
    /// # Errors
    /// Fails if the key is empty, or has a character that is not valid in a header, such as a line break.
    pub fn new(key: &str) -> Result<Self, ConfigError> {
        let key = key.trim();
        if key.is_empty() {
            Err(ConfigError::NoKey)
        } else if key.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self {
                key: key.to_owned(),
                tenant: None,
            })
        } else {
            Err(ConfigError::Key)
        }
    }

    /// Selects the workspace, sent as `x-tenant-id`. `None` sends no header.
    ///
    /// # Errors
    /// Fails if the id is not valid in a header.
    pub fn in_workspace(self, tenant: Option<TenantId>) -> Result<Self, ConfigError> {
        check_tenant(tenant.as_ref())?;
        Ok(Self { tenant, ..self })
    }

    /// Returns the key itself, e.g. to store it.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the text with the key replaced by `[key]`, in case a server echoed it.
    pub(super) fn redact(&self, text: &str) -> String {
        text_search::replaced(text, &self.key, "[key]")
    }

    /// Returns a number that rarely collides for two keys and reveals next to nothing about either:
    /// FNV-1a, folded to 16 bits.
    fn key_hash(&self) -> u32 {
        let mix = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        let hash = self.key.bytes().fold(0x811c_9dc5, mix);
        (hash >> 16) ^ (hash & 0xffff)
    }
}

fn check_tenant(tenant: Option<&TenantId>) -> Result<(), ConfigError> {
    let is_valid = |tenant: &TenantId| {
        let text = tenant.as_str();
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
    };
    if tenant.is_none_or(is_valid) {
        Ok(())
    } else {
        Err(ConfigError::Tenant)
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials")
            .field("key", &"[key]")
            .field("tenant", &self.tenant)
            .finish()
    }
}

/// Returns an address without its query, its fragment and its user: errors are logged, and the address that the service prints
/// has the key.
fn public_part(address: &str) -> String {
    let address = before(before(address, "?"), "#");
    let (scheme, separator, rest) = match text_search::split_once(address, "://") {
        Some((scheme, rest)) => (scheme, "://", rest),
        None => ("", "", address),
    };
    let mut host = rest;
    while let Some((_, after)) = text_search::split_once(host, "@") {
        host = after;
    }
    let user = if host == rest { "" } else { "…@" };
    [scheme, separator, user, host].concat()
}

fn before<'a>(text: &'a str, part: &str) -> &'a str {
    text_search::split_once(text, part).map_or(text, |(before, _)| before)
}

/// Why a configuration is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// The address is not one that requests can be sent to; without what may be a key or a password in it.
    BaseUrl(String),
    /// The path of jobs could lead to another server, or has no `{job_id}`.
    JobPath(String),
    /// The key is empty.
    NoKey,
    /// The key has a character that is not valid in a header.
    Key,
    /// The workspace id is empty or has a character that is not valid in a header.
    Tenant,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BaseUrl(url) => write!(
                f,
                "{} is not a workspace address. Use one like https://workspace.example, \
                 without a query, a key or a password.",
                Quoted(url)
            ),
            Self::JobPath(path) => write!(
                f,
                "{} is not a job path. Use one that starts with one slash and contains {{job_id}}, \
                 like /api/jobs/{{job_id}}.",
                Quoted(path)
            ),
            Self::NoKey => f.write_str("The API key is missing. Use an API key of the workspace."),
            Self::Key => f.write_str(
                "The key contains a space, a line break or another invalid character. \
                 Copy it again.",
            ),
            Self::Tenant => f.write_str(
                "The workspace id is empty or contains an invalid character. Copy it again.",
            ),
        }
    }
}

impl std::error::Error for ConfigError {}
