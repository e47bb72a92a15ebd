//! The workspaces that this browser remembers: where they are and what they are called, never how to get in.

use form_urlencoded::Serializer;
use serde_json::{Value, json};

/// So many are remembered; the ones opened longest ago go.
const MOST: usize = 12;

/// A workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Its address; empty for this server.
    pub base: String,
    /// Its id, where a key opens several.
    pub tenant: String,
    /// What the person calls it; may be empty.
    pub name: String,
}

impl Known {
    /// The same workspace, whatever it is called.
    pub fn is(&self, other: &Self) -> bool {
        (&self.base, &self.tenant) == (&other.base, &other.tenant)
    }

    /// What it is called: as the person says, else by its address.
    pub fn label(&self) -> &str {
        match (&*self.name, &*self.base) {
            ("", "") => "This server",
            ("", base) => base,
            (name, _) => name,
        }
    }

    /// Where it is.
    pub fn place(&self) -> String {
        let base = match &*self.base {
            "" => "This server",
            base => base,
        };
        match &*self.tenant {
            "" => base.to_owned(),
            tenant => [base, " · ", tenant].concat(),
        }
    }

    /// The query string that opens it.
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

/// All of them, the one opened last first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remembered(Vec<Known>);

impl Remembered {
    /// Reads what is kept; what makes no sense is left out.
    pub fn of(text: &str) -> Self {
        let Ok(Value::Array(all)) = serde_json::from_str(text) else {
            return Self::default();
        };
        let known = |of: &Value| {
            let part = |at: usize| of.get(at)?.as_str().map(str::to_owned);
            Some(Known {
                base: part(0)?,
                tenant: part(1)?,
                name: part(2)?,
            })
        };
        Self(all.iter().filter_map(known).take(MOST).collect())
    }

    /// The text to be kept; empty where there are none.
    pub fn to_text(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let all = self.0.iter();
        let all = all.map(|known| json!([known.base, known.tenant, known.name]));
        lead_workspace_api::json::text(&Value::Array(all.collect()))
    }

    /// A workspace was opened.
    pub fn opened(&mut self, mut known: Known) {
        if known.name.is_empty()
            && let Some(before) = self.0.iter().find(|other| other.is(&known))
        {
            known.name.clone_from(&before.name);
        }
        self.forget(&known);
        self.0.insert(0, known);
        self.0.truncate(MOST);
    }

    /// A workspace is not wanted any more.
    pub fn forget(&mut self, known: &Known) {
        self.0.retain(|other| !other.is(known));
    }

    /// All of them.
    pub fn all(&self) -> &[Known] {
        &self.0
    }
}
