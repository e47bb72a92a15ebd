//! A place in the app: which page, and which view of it.

use form_urlencoded::{Serializer, parse};

/// The path of the leads.
pub const LEADS: &str = "/leads";

/// The path of the accounts.
pub const ACCOUNTS: &str = "/accounts";

/// The path of the settings, of the app's own page only.
pub const SETTINGS: &str = "/settings";

/// The path of the page that imports.
pub const IMPORT: &str = "/import";

/// The path of accounts side by side.
pub const PORTFOLIO: &str = "/portfolio";

/// The paths that a page around the app can name.
const NAMED: &[&str] = &[LEADS, ACCOUNTS, PORTFOLIO];

/// The accounts that a query string names, as `account=ID&account=ID`.
pub fn accounts(query: &str) -> impl Iterator<Item = String> {
    let named = parse(query.as_bytes()).filter(|(name, id)| name == "account" && !id.is_empty());
    named.map(|(_, id)| id.into_owned())
}

/// A place in the app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path, e.g. `/leads`.
    pub path: String,
    /// The query string, without its `?`.
    pub query: String,
}

impl Default for Place {
    fn default() -> Self {
        Self {
            path: LEADS.to_owned(),
            query: String::new(),
        }
    }
}

impl Place {
    /// The details of a lead.
    pub fn of_lead(id: &str) -> Self {
        Self {
            path: LEADS.to_owned(),
            query: with_param("", "lead", Some(id)),
        }
    }

    /// The details of an account.
    pub fn of_account(id: &str) -> Self {
        Self {
            path: ACCOUNTS.to_owned(),
            query: with_param("", "account", Some(id)),
        }
    }

    /// The place that a page around the app names: `leads`, `accounts`, `portfolio`, each with a query string
    /// (`leads?tab=approved`), or a query string alone, which is one of the leads. None for
    /// anything else.
    pub fn of_view(view: &str) -> Option<Self> {
        let view = view.trim().trim_start_matches('/');
        let (area, query) = match view.split_once('?') {
            Some(parts) => parts,
            None if view.contains('=') => ("", view),
            None => (view, ""),
        };
        let path = match area {
            "" => LEADS,
            _ => NAMED.iter().find(|path| &path[1..] == area)?,
        };
        Some(Self {
            path: path.to_owned(),
            query: query.to_owned(),
        })
    }

    /// The name of the place, for [`of_view`](Self::of_view).
    pub fn to_view(&self) -> String {
        let area = self.path.trim_start_matches('/');
        match self.query.as_str() {
            "" => area.to_owned(),
            query => format!("{area}?{query}"),
        }
    }
}

/// A parameter of a query string, unless it is empty.
pub fn param(query: &str, name: &str) -> Option<String> {
    let found = parse(query.as_bytes()).find(|(other, _)| other == name);
    found
        .map(|(_, value)| value.into_owned())
        .filter(|value| !value.is_empty())
}

/// A query string with another value of a parameter, or without it. What is new stands at the end.
pub fn with_param(query: &str, name: &str, value: Option<&str>) -> String {
    let mut new = Serializer::new(String::new());
    let others = parse(query.as_bytes()).filter(|(other, _)| other != name);
    new.extend_pairs(others);
    if let Some(value) = value {
        new.append_pair(name, value);
    }
    new.finish()
}
