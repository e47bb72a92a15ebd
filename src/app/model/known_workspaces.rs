//! Workspaces that this browser remembers: addresses and names, never keys.

use form_urlencoded::Serializer;
use serde_json::{Value, json};

/// Maximum number of workspaces. Those opened longest ago are dropped.
const MAX_WORKSPACES: usize = 12;

/// A remembered workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownWorkspace {
    /// Address; empty for this server.
    pub base: String,
    /// Tenant id, if a key opens several workspaces.
    pub tenant: String,
    /// Name given by the user; may be empty.
    pub name: String,
}

impl KnownWorkspace {
    /// Whether both are the same workspace, regardless of the name.
    pub fn is(&self, other: &Self) -> bool {
        (&self.base, &self.tenant) == (&other.base, &other.tenant)
    }

    /// Returns the name given by the user, else the address.
    pub fn label(&self) -> &str {
        match (&*self.name, &*self.base) {
            ("", "") => "This server",
            ("", base) => base,
            (name, _) => name,
        }
    }

    /// Returns what the workspace is called in the bar: the name given by the user, else the one that its server sent,
    /// else the tenant id, else the host. `sent` is empty if the server sent none, and `host` is that of this server.
    pub fn title<'a>(&'a self, sent: &'a str, host: &'a str) -> &'a str {
        let base = &*self.base;
        let elsewhere = base.split_once("://").map_or(base, |(_, rest)| rest);
        let names = [&*self.name, sent, &*self.tenant, elsewhere];
        names
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or(host)
    }

    /// Returns the address and the tenant id as a text for the user.
    pub fn address(&self) -> String {
        let base = match &*self.base {
            "" => "This server",
            base => base,
        };
        match &*self.tenant {
            "" => base.to_owned(),
            tenant => [base, " · ", tenant].concat(),
        }
    }

    /// Returns the query string that opens the workspace.
    pub fn to_query(&self) -> String {
        let mut query = Serializer::new(String::new());
        for (name, value) in [("base", &self.base), ("tenant", &self.tenant)] {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        }
        query.finish()
    }
}

/// All remembered workspaces, last opened first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownWorkspaces(Vec<KnownWorkspace>);

impl KnownWorkspaces {
    /// Reads the stored text. Invalid entries are skipped.
    pub fn parse(text: &str) -> Self {
        let Ok(Value::Array(all)) = serde_json::from_str(text) else {
            return Self::default();
        };
        let known = |of: &Value| {
            let part = |at: usize| of.get(at)?.as_str().map(str::to_owned);
            Some(KnownWorkspace {
                base: part(0)?,
                tenant: part(1)?,
                name: part(2)?,
            })
        };
        Self(all.iter().filter_map(known).take(MAX_WORKSPACES).collect())
    }

    /// Returns the text to store; empty if there are no workspaces.
    pub fn to_text(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let all = self.0.iter();
        let all = all.map(|known| json!([known.base, known.tenant, known.name]));
        lead_workspace_api::json::text(&Value::Array(all.collect()))
    }

    /// Moves a workspace to the front. Without a name, it keeps the one that it had.
    pub fn opened(&mut self, mut known: KnownWorkspace) {
        if known.name.is_empty()
            && let Some(before) = self.0.iter().find(|other| other.is(&known))
        {
            known.name.clone_from(&before.name);
        }
        self.forget(&known);
        self.0.insert(0, known);
        self.0.truncate(MAX_WORKSPACES);
    }

    /// Names a workspace, and remembers it. An empty name removes the one it had.
    pub fn named(&mut self, known: KnownWorkspace) {
        match self.0.iter_mut().find(|other| other.is(&known)) {
            Some(other) => other.name = known.name,
            None => self.opened(known),
        }
    }

    pub fn forget(&mut self, known: &KnownWorkspace) {
        self.0.retain(|other| !other.is(known));
    }

    pub fn all(&self) -> &[KnownWorkspace] {
        &self.0
    }
}
