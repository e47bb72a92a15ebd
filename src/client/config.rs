//! Where the workspace is, and who asks.

use std::fmt;

use lead_workspace_api::TenantId;

/// The largest body that is read, in bytes: 32 MiB.
const BODY_CAP: usize = 32 << 20;

/// What every request of a client shares.
#[derive(Clone, Debug)]
pub struct Config {
    base_url: String,
    credentials: Option<Credentials>,
    /// The largest response body that is read, in bytes. Default 32 MiB.
    pub body_cap: usize,
    /// Lets a bulk update go out without a status. Its effect is not shown by the contract, so it
    /// is refused by default.
    pub allow_update_without_status: bool,
    /// Lets scoring start without any ids, which may well mean the whole workspace. Refused by
    /// default.
    pub allow_scoring_of_everything: bool,
}

impl Config {
    /// The workspace at an address: `http://…`, `https://…`, or empty for the page's own origin.
    ///
    /// # Errors
    /// When the address is anything else, or carries a query, a fragment or a password.
    pub fn new(base_url: &str) -> Result<Self, ConfigError> {
        let base_url = base_url.trim().trim_end_matches('/');
        let rest = base_url
            .strip_prefix("https://")
            .or_else(|| base_url.strip_prefix("http://"));
        let host = rest.map(|rest| rest.split('/').next().unwrap_or_default());
        let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '?' | '#' | '\\');
        match host {
            _ if base_url.is_empty() => {}
            Some(host) if !host.is_empty() && !host.contains('@') && !base_url.contains(odd) => {}
            _ => return Err(ConfigError::BaseUrl(base_url.to_owned())),
        }
        Ok(Self {
            base_url: base_url.to_owned(),
            credentials: None,
            body_cap: BODY_CAP,
            allow_update_without_status: false,
            allow_scoring_of_everything: false,
        })
    }

    /// Sends requests in somebody's name.
    #[must_use]
    pub fn with(self, credentials: Credentials) -> Self {
        Self {
            credentials: Some(credentials),
            ..self
        }
    }

    /// The address, without a slash at its end; empty for the page's own origin.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    pub(super) fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = vec![("accept", "application/json".to_owned())];
        if let Some(Credentials { key, tenant }) = &self.credentials {
            headers.push(("authorization", format!("Bearer {key}")));
            if let Some(tenant) = tenant {
                headers.push(("x-tenant-id", tenant.to_string()));
            }
        }
        headers
    }

    /// The text with the key taken out, should a server have echoed it.
    pub(super) fn redact(&self, text: &str) -> String {
        match &self.credentials {
            Some(credentials) => text.replace(&credentials.key, "[key]"),
            None => text.to_owned(),
        }
    }
}

/// An API key and, where a key opens several workspaces, the one that is meant.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    key: String,
    tenant: Option<TenantId>,
}

impl Credentials {
    /// A key. Space around it, as pasting leaves it, is taken off.
    ///
    /// # Errors
    /// When it is empty, or holds what cannot stand in a header, such as a line break.
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

    /// The workspace that is meant, sent as `x-tenant-id`. None sends no header.
    ///
    /// # Errors
    /// When the id cannot stand in a header.
    pub fn in_workspace(self, tenant: Option<TenantId>) -> Result<Self, ConfigError> {
        let fits = |tenant: &TenantId| {
            let text = tenant.as_str();
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
        };
        if tenant.as_ref().is_some_and(|tenant| !fits(tenant)) {
            return Err(ConfigError::Tenant);
        }
        Ok(Self { tenant, ..self })
    }

    /// The key itself, for whoever must keep it.
    pub fn key(&self) -> &str {
        &self.key
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

/// What cannot be used to reach a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// The address is none that requests can be sent to.
    BaseUrl(String),
    /// There is no key.
    NoKey,
    /// The key holds a character that cannot stand in a header.
    Key,
    /// The workspace id is empty or holds a character that cannot stand in a header.
    Tenant,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BaseUrl(url) => write!(
                f,
                "{url:?} is not an address of a workspace. Give one like https://workspace.example, \
                 without a query or a password."
            ),
            Self::NoKey => f.write_str("There is no key. Paste the API key of your workspace."),
            Self::Key => f.write_str(
                "The key holds a space, a line break or another character that no key has. \
                 Copy it again, whole and alone.",
            ),
            Self::Tenant => f.write_str(
                "The workspace id is empty or holds a character that no id has. Copy it again.",
            ),
        }
    }
}

impl std::error::Error for ConfigError {}
