//! The session: API key and address of the workspace.

use std::rc::Rc;
use std::sync::Arc;

use form_urlencoded::parse;
use lead_workspace_api::TenantId;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::rate_limit_state::{ActiveRateLimit, RateLimitState};
use super::workspace_name::NameReader;
use crate::app::reactive::{RwSignal, StoredValue};
use crate::client::key_source::KeySource;
use crate::client::{Client, Config, ConfigError, Credentials, Error, Transport};
use crate::platform::storage;

/// Why the key dialog is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPrompt {
    NoKey,
    /// Another tab signed out everywhere.
    SignedOut,
    /// The server rejected the key.
    Refused,
    /// The user wants to use another key.
    Change,
}

/// The connection to a workspace. The key is stored in this tab only, and used only for the address it was given
/// for: a link to another address gets no key.
#[derive(Clone, Copy)]
pub struct Session {
    client: RwSignal<Option<Client>>,
    /// Why the key dialog is open, if it is.
    pub prompt: RwSignal<Option<KeyPrompt>>,
    /// Set while the workspace is over its rate limit.
    pub limit: RwSignal<Option<ActiveRateLimit>>,
    /// Whether the server sent the last response, so that queued decisions can be sent.
    pub reached: RwSignal<bool>,
    /// Notified when the user renames the workspace.
    pub renamed: RwSignal<()>,
    /// The name of the workspace that the server sent; empty if it sent none, or has not responded yet.
    pub name: RwSignal<String>,
    /// Why the address cannot be used, if so.
    pub problem: RwSignal<Option<ConfigError>>,
    parts: StoredValue<SessionParts>,
}

#[derive(Clone)]
struct SessionParts {
    base: Arc<str>,
    tenant: Option<TenantId>,
    transport: Arc<dyn Transport>,
    is_embedded: bool,
    has_own_requests: bool,
    setup: Option<ClientSetup>,
    /// Restarts the app with another workspace.
    restart: Option<RwSignal<StartOptions>>,
}

/// Sets client options other than address and key.
pub type ClientSetup = Rc<dyn Fn(Config) -> Result<Config, ConfigError>>;

/// What the app starts with, besides the address.
#[derive(Clone, Default)]
pub struct StartOptions {
    /// The key that the user typed. Stored only here and in the client.
    pub key: Option<String>,
    /// Whether the tab's session storage may store the key.
    pub keep: bool,
    /// Whether another tab signed out everywhere.
    pub is_signed_out: bool,
}

/// The connection that a host page provides.
#[derive(Clone, Default)]
pub struct Connection {
    /// Empty for the page's own origin.
    pub base: String,
    /// Without this and without `key_source`, the user is asked for a key.
    pub key: Option<String>,
    /// The workspace id, for a key that opens several.
    pub tenant: Option<String>,
    /// Provides the key if `key` is `None`.
    pub key_source: Option<Rc<dyn KeySource>>,
    /// Further options of the host page's client.
    pub setup: Option<ClientSetup>,
    /// Whether the host page sends the requests itself, or adds headers to them.
    pub has_own_requests: bool,
}

impl Session {
    /// Uses the key that the user typed, else the one of `#key=KEY`, else the one in session storage.
    pub fn start(transport: Arc<dyn Transport>, restart: RwSignal<StartOptions>) -> Self {
        let session = Self::new(SessionParts {
            base: after("base").trim_end_matches('/').into(),
            tenant: Some(after("tenant"))
                .filter(|tenant| !tenant.is_empty())
                .map(TenantId::new),
            transport,
            is_embedded: false,
            has_own_requests: false,
            setup: None,
            restart: Some(restart),
        });
        let options = restart
            .try_maybe_update(|options| (false, std::mem::take(options)))
            .unwrap_or_default();
        let stored = || {
            storage::session()?
                .get_item(&slot(&session.storage_scope()))
                .ok()
                .flatten()
        };
        let why = match options.is_signed_out {
            true => KeyPrompt::SignedOut,
            false => KeyPrompt::NoKey,
        };
        let (key, keep) = match options.key {
            Some(key) => (Some(key), options.keep),
            None => (take_key().or_else(stored), true),
        };
        if session.problem.with_untracked(Option::is_none)
            && key.is_none_or(|key| session.use_key(&key, keep).is_err())
        {
            session.prompt.set(Some(why));
        }
        session
    }

    /// Uses the connection of a host page. Stores nothing outside of the session, and opens no dialog over that
    /// page unless the user requests it.
    pub fn given(connection: &Connection, transport: Arc<dyn Transport>) -> Self {
        let session = Self::new(SessionParts {
            base: connection.base.as_str().into(),
            tenant: connection.tenant.as_deref().map(TenantId::new),
            transport,
            is_embedded: true,
            has_own_requests: connection.has_own_requests,
            setup: connection.setup.clone(),
            restart: None,
        });
        if session.problem.with_untracked(Option::is_some) {
            return session;
        }
        let connected = match (&connection.key, &connection.key_source) {
            (Some(key), _) => session.use_key(key, false),
            (None, Some(source)) => session.use_key_source(Rc::clone(source)),
            (None, None) => Ok(()),
        };
        if let Err(problem) = connected {
            session.problem.set(Some(problem));
        }
        session
    }

    fn new(parts: SessionParts) -> Self {
        Self {
            client: RwSignal::new(None),
            prompt: RwSignal::new(None),
            limit: RwSignal::new(None),
            reached: RwSignal::new(true),
            renamed: RwSignal::new(()),
            name: RwSignal::new(String::new()),
            problem: RwSignal::new(Config::new(&parts.base).err()),
            parts: StoredValue::new(parts),
        }
    }

    /// Returns whether the app runs in a host page, which provides the connection. Always `false` without the
    /// feature `embed`.
    pub fn is_embedded(self) -> bool {
        cfg!(feature = "embed")
            && self.parts.try_with_value(|parts| parts.is_embedded) == Some(true)
    }

    /// Returns the name of the workspace's stream of changes, which tabs and the reviews of a page share. `None` if the same
    /// name may mean different workspaces: the key chooses one, and so may a function or the headers of a host page.
    pub fn stream_name(self) -> Option<String> {
        let is_shared = self.parts.try_with_value(|parts| !parts.has_own_requests) == Some(true);
        let key = self.client_now()?.key().filter(|_| is_shared)?;
        Some([&*self.storage_scope(), " ", &hash(&key).to_string()].concat())
    }

    /// Returns the address of the workspace. Empty for the page's own origin.
    pub fn base(self) -> Arc<str> {
        self.parts.with_value(|parts| Arc::clone(&parts.base))
    }

    /// Returns the workspace id, for a key that opens several.
    pub fn tenant(self) -> Option<TenantId> {
        self.parts.with_value(|parts| parts.tenant.clone())
    }

    /// Returns an identifier of the workspace, which is part of the names of its storage slots.
    pub fn storage_scope(self) -> Arc<str> {
        let base = self.base();
        match self.tenant() {
            // An address contains no `#`.
            Some(tenant) => [&*base, "#", tenant.as_str()].concat().into(),
            None => base,
        }
    }

    pub fn transport(self) -> Arc<dyn Transport> {
        self.parts.with_value(|parts| Arc::clone(&parts.transport))
    }

    /// Restarts the app with the workspace that the address names now.
    pub fn restart(self, options: StartOptions) {
        if let Some(restart) = self.parts.with_value(|parts| parts.restart) {
            restart.set(options);
        }
    }

    /// Returns the key in use, to restart with it.
    pub fn restart_options(self) -> Option<StartOptions> {
        let client = self.client_now()?;
        Some(StartOptions {
            key: Some(client.key()?),
            keep: self.is_kept(),
            is_signed_out: false,
        })
    }

    /// Returns whether the tab's session storage has the key.
    pub fn is_kept(self) -> bool {
        let stored = || {
            storage::session()?
                .get_item(&slot(&self.storage_scope()))
                .ok()
                .flatten()
        };
        stored().is_some()
    }

    /// Returns the client, tracked. `None` without a key. A new key makes a new client.
    pub fn client(self) -> Option<Client> {
        self.client.get()
    }

    /// Returns the client, untracked.
    pub fn client_now(self) -> Option<Client> {
        self.client.try_get_untracked().flatten()
    }

    /// Switches to another key. `keep` stores it in the tab's session storage, else a stored key is removed.
    ///
    /// # Errors
    /// If the key, the address, the workspace id or an option of the host page is invalid.
    pub fn use_key(self, key: &str, keep: bool) -> Result<(), ConfigError> {
        let parts = self.parts.get_value();
        let credentials = Credentials::new(key)?.in_workspace(parts.tenant)?;
        if let Some(storage) = storage::session().filter(|_| !self.is_embedded()) {
            let slot = slot(&self.storage_scope());
            // Without storage the key lasts until the page is left.
            let _ = if keep {
                storage.set_item(&slot, credentials.key())
            } else {
                storage.remove_item(&slot)
            };
        }
        self.connect(Config::new(&parts.base)?.with(credentials))
    }

    /// Uses the keys of a source, which is queried again when the server rejects a key.
    fn use_key_source(self, source: Rc<dyn KeySource>) -> Result<(), ConfigError> {
        let config = Config::new(&self.base())?.with_key_source(source, self.tenant())?;
        self.connect(config)
    }

    fn connect(self, config: Config) -> Result<(), ConfigError> {
        let parts = self.parts.get_value();
        let mut config = match parts.setup {
            Some(setup) => setup(config)?,
            None => config,
        };
        config.hooks = Some(Rc::new(RateLimitState {
            limit: self.limit,
            reached: self.reached,
            page: config.hooks.take(),
        }));
        self.limit.set(None);
        self.prompt.set(None);
        let transport = Arc::new(NameReader {
            transport: parts.transport,
            name: self.name,
        });
        self.client
            .set(Some(Client::with_transport(config, transport)));
        Ok(())
    }

    /// Opens the key dialog if the server rejected the key, except in a host page. Such a key concerns all calls.
    pub fn check_key(self, error: &Error) {
        if error.is_key_refused() {
            self.ask_for_another_key();
        }
    }

    /// Opens the key dialog, except in a host page.
    pub fn ask_for_another_key(self) {
        if !self.is_embedded() {
            self.prompt.set(Some(KeyPrompt::Refused));
        }
    }
}

/// Prefix of the session storage slots for keys.
pub const KEYS: &str = "lead-workspace.key ";

fn slot(storage_scope: &str) -> String {
    [KEYS, storage_scope].concat()
}

/// Returns the parameter `base` or `tenant` of the page's address, or an empty string.
fn after(wanted: &str) -> String {
    let query = window().location().search().unwrap_or_default();
    parse(query.trim_start_matches('?').as_bytes())
        .find(|(name, _)| name == wanted)
        .map_or_else(String::new, |(_, value)| value.into_owned())
}

/// Returns the key after `#key=`, and removes it from the address bar and the history.
fn take_key() -> Option<String> {
    let location = window().location();
    let hash = location.hash().ok()?;
    let (_, key) =
        parse(hash.trim_start_matches('#').as_bytes()).find(|(name, _)| name == "key")?;
    let url = location.pathname().ok()? + &location.search().unwrap_or_default();
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&url));
    }
    Some(key.into_owned()).filter(|key| !key.is_empty())
}

/// Returns a number for a key (FNV-1a), for names that all scripts of the page can read.
fn hash(key: &str) -> u64 {
    let add = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    key.bytes().fold(0xcbf2_9ce4_8422_2325, add)
}
