//! Who asks, and whom: the key and the address of the workspace.

use std::rc::Rc;
use std::sync::Arc;

use form_urlencoded::parse;
use lead_workspace_api::TenantId;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use super::limit::{Limit, Watch};
use crate::client::keys::KeySource;
use crate::client::{Client, Config, ConfigError, Credentials, Transport};
use crate::signal::RwSignal;

/// Why the key dialog is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// There is no key yet.
    NoKey,
    /// Another tab signed out everywhere.
    SignedOut,
    /// The server does not accept the key.
    Refused,
    /// The person wants another one.
    Change,
}

/// The connection to a workspace. The key lives in this tab only, and only for the address it was
/// given for: a link that names another address gets no key.
#[derive(Clone, Copy)]
pub struct Session {
    client: RwSignal<Option<Client>>,
    /// Whether, and why, a key is asked for.
    pub asking: RwSignal<Option<Asking>>,
    /// The rate limit, while the workspace is over it.
    pub limit: RwSignal<Option<Limit>>,
    /// Whether the server answered last time, so that what waits for it can go.
    pub reached: RwSignal<bool>,
    /// Why there is no usable address, if so.
    pub problem: RwSignal<Option<ConfigError>>,
    parts: StoredValue<Parts, LocalStorage>,
}

#[derive(Clone)]
struct Parts {
    base: Arc<str>,
    tenant: Option<TenantId>,
    transport: Arc<dyn Transport>,
    hosted: bool,
    setup: Option<Setup>,
    /// Begins anew, with another workspace.
    again: Option<RwSignal<Opening>>,
}

/// Sets what a client is told besides the address and the key.
pub type Setup = Rc<dyn Fn(Config) -> Result<Config, ConfigError>>;

/// What the app begins with, besides what the address says.
#[derive(Clone, Default)]
pub struct Opening {
    /// The key that somebody typed. It is nowhere but here and in the client.
    pub key: Option<String>,
    /// Whether the tab's storage may keep it.
    pub keep: bool,
    /// Whether another tab signed out everywhere.
    pub is_signed_out: bool,
}

/// The connection that a page of others gives to the app in it.
#[derive(Clone, Default)]
pub struct Connection {
    /// The address of the workspace; empty for the page's own origin.
    pub base: String,
    /// The key; a person is asked for one where there is none.
    pub key: Option<String>,
    /// The workspace that is meant, where a key opens several.
    pub tenant: Option<String>,
    /// Asked for the key, where none is given.
    pub key_source: Option<Rc<dyn KeySource>>,
    /// What else the page's own client was told.
    pub setup: Option<Setup>,
}

impl Session {
    /// Takes the key that somebody typed, else that of `#key=KEY`, else the one in the tab's storage.
    pub fn start(transport: Arc<dyn Transport>, again: RwSignal<Opening>) -> Self {
        let session = Self::of(Parts {
            base: after("base").trim_end_matches('/').into(),
            tenant: Some(after("tenant"))
                .filter(|tenant| !tenant.is_empty())
                .map(TenantId::new),
            transport,
            hosted: false,
            setup: None,
            again: Some(again),
        });
        let opening = again
            .try_maybe_update(|opening| (false, std::mem::take(opening)))
            .unwrap_or_default();
        let kept = || storage()?.get_item(&slot(&session.place())).ok().flatten();
        let why = match opening.is_signed_out {
            true => Asking::SignedOut,
            false => Asking::NoKey,
        };
        let (key, keep) = match opening.key {
            Some(key) => (Some(key), opening.keep),
            None => (take_key().or_else(kept), true),
        };
        if session.problem.with_untracked(Option::is_none)
            && key.is_none_or(|key| session.use_key(&key, keep).is_err())
        {
            session.asking.set(Some(why));
        }
        session
    }

    /// Takes what a page of others gives. Nothing is kept outside of the session, and no dialog
    /// opens over that page until somebody asks for it.
    pub fn given(connection: &Connection, transport: Arc<dyn Transport>) -> Self {
        let session = Self::of(Parts {
            base: connection.base.as_str().into(),
            tenant: connection.tenant.as_deref().map(TenantId::new),
            transport,
            hosted: true,
            setup: connection.setup.clone(),
            again: None,
        });
        if session.problem.with_untracked(Option::is_some) {
            return session;
        }
        let connected = match (&connection.key, &connection.key_source) {
            (Some(key), _) => session.use_key(key, false),
            (None, Some(source)) => session.ask(Rc::clone(source)),
            (None, None) => Ok(()),
        };
        if let Err(problem) = connected {
            session.problem.set(Some(problem));
        }
        session
    }

    fn of(parts: Parts) -> Self {
        Self {
            client: RwSignal::new(None),
            asking: RwSignal::new(None),
            limit: RwSignal::new(None),
            reached: RwSignal::new(true),
            problem: RwSignal::new(Config::new(&parts.base).err()),
            parts: StoredValue::new_local(parts),
        }
    }

    /// Whether the app stands in a page of others, which gave the connection. Only the build for
    /// such pages has a choice.
    pub fn is_hosted(self) -> bool {
        cfg!(feature = "embed") && self.parts.try_with_value(|parts| parts.hosted) == Some(true)
    }

    /// The address of the workspace; empty for the page's own origin.
    pub fn base(self) -> Arc<str> {
        self.parts.with_value(|parts| Arc::clone(&parts.base))
    }

    /// The id of the workspace, where a key opens several.
    pub fn tenant(self) -> Option<TenantId> {
        self.parts.with_value(|parts| parts.tenant.clone())
    }

    /// What tells this workspace from all others in what the browser keeps.
    pub fn place(self) -> Arc<str> {
        let base = self.base();
        match self.tenant() {
            // No address has a # in it.
            Some(tenant) => [&*base, "#", tenant.as_str()].concat().into(),
            None => base,
        }
    }

    /// How requests are sent.
    pub fn transport(self) -> Arc<dyn Transport> {
        self.parts.with_value(|parts| Arc::clone(&parts.transport))
    }

    /// Begins anew: with the workspace that the address names by now.
    pub fn begin_again(self, opening: Opening) {
        if let Some(again) = self.parts.with_value(|parts| parts.again) {
            again.set(opening);
        }
    }

    /// The key in use, for whoever begins anew with it.
    pub fn opening(self) -> Option<Opening> {
        let client = self.client_now()?;
        Some(Opening {
            key: Some(client.key()?),
            keep: self.is_kept(),
            is_signed_out: false,
        })
    }

    /// Whether the tab's storage has the key.
    pub fn is_kept(self) -> bool {
        let kept = || storage()?.get_item(&slot(&self.place())).ok().flatten();
        kept().is_some()
    }

    /// The client, once there is a key. A new key is a new client.
    pub fn client(self) -> Option<Client> {
        self.client.get()
    }

    /// The client, for an action that does not follow the key.
    pub fn client_now(self) -> Option<Client> {
        self.client.try_get_untracked().flatten()
    }

    /// Goes on with another key; `keep` says whether the tab's storage may have it, too.
    ///
    /// # Errors
    /// When no key looks like this.
    pub fn use_key(self, key: &str, keep: bool) -> Result<(), ConfigError> {
        let parts = self.parts.get_value();
        let credentials = Credentials::new(key)?.in_workspace(parts.tenant)?;
        if let Some(storage) = storage().filter(|_| !self.is_hosted()) {
            let slot = slot(&self.place());
            // Without storage the key lasts until the page is left.
            let _ = if keep {
                storage.set_item(&slot, credentials.key())
            } else {
                storage.remove_item(&slot)
            };
        }
        self.connect(Config::new(&parts.base)?.with(credentials))
    }

    /// Goes on with the keys of a source, which is asked again when one is refused.
    fn ask(self, source: Rc<dyn KeySource>) -> Result<(), ConfigError> {
        let config = Config::new(&self.base())?.asking(source, self.tenant())?;
        self.connect(config)
    }

    fn connect(self, config: Config) -> Result<(), ConfigError> {
        let parts = self.parts.get_value();
        let mut config = match parts.setup {
            Some(setup) => setup(config)?,
            None => config,
        };
        config.hooks = Some(Rc::new(Watch {
            limit: self.limit,
            reached: self.reached,
            page: config.hooks.take(),
        }));
        self.limit.set(None);
        self.asking.set(None);
        self.client.set(Some(Client::over(config, parts.transport)));
        Ok(())
    }

    /// The server does not accept the key.
    pub fn refused(self) {
        if !self.is_hosted() {
            self.asking.try_set(Some(Asking::Refused));
        }
    }
}

/// What the names of the slots for keys begin with, in the tab's storage.
pub const KEYS: &str = "lead-workspace.key ";

fn slot(place: &str) -> String {
    [KEYS, place].concat()
}

fn storage() -> Option<web_sys::Storage> {
    window().session_storage().ok().flatten()
}

/// What the address of the page says: `?base=`, which is empty for the page's own origin, and `tenant=`.
fn after(wanted: &str) -> String {
    let query = window().location().search().unwrap_or_default();
    parse(query.trim_start_matches('?').as_bytes())
        .find(|(name, _)| name == wanted)
        .map_or_else(String::new, |(_, value)| value.into_owned())
}

/// The key after `#key=`, which is taken out of the address bar and out of the history.
fn take_key() -> Option<String> {
    let location = window().location();
    let hash = location.hash().ok()?;
    let (_, key) =
        parse(hash.trim_start_matches('#').as_bytes()).find(|(name, _)| name == "key")?;
    let here = location.pathname().ok()? + &location.search().unwrap_or_default();
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&here));
    }
    Some(key.into_owned()).filter(|key| !key.is_empty())
}
