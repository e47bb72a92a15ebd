//! A place in the app: a page and its view.

use form_urlencoded::{Serializer, parse};

pub const LEADS_PATH: &str = "/leads";

pub const ACCOUNTS_PATH: &str = "/accounts";

/// Only exists if the app has the page to itself.
pub const SETTINGS_PATH: &str = "/settings";

pub const IMPORT_PATH: &str = "/import";

pub const PORTFOLIO_PATH: &str = "/portfolio";

/// Its query string is that of a view of the leads.
pub const INSIGHTS_PATH: &str = "/insights";

/// The parameter with the id of the open lead.
pub const LEAD_PARAM: &str = "lead";

/// The parameter with the id of the open account.
pub const ACCOUNT_PARAM: &str = "account";

/// The parameter that shows the open lead in focus mode.
pub const FOCUS_MODE_PARAM: &str = "focus";

/// Paths that the host page can select by name.
const HOST_PATHS: &[&str] = &[LEADS_PATH, ACCOUNTS_PATH, PORTFOLIO_PATH, INSIGHTS_PATH];

/// Returns the account ids of a query string: `account=ID&account=ID`.
pub fn accounts(query: &str) -> impl Iterator<Item = String> {
    let named = parse(query.as_bytes()).filter(|(name, id)| name == "account" && !id.is_empty());
    named.map(|(_, id)| id.into_owned())
}

/// A page and its view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// Path, e.g. `/leads`.
    pub path: String,
    /// Query string without `?`.
    pub query: String,
}

impl Default for Route {
    fn default() -> Self {
        Self {
            path: LEADS_PATH.to_owned(),
            query: String::new(),
        }
    }
}

impl Route {
    /// Returns the route that shows the details of a lead.
    pub fn lead(id: &str) -> Self {
        Self {
            path: LEADS_PATH.to_owned(),
            query: with_param("", "lead", Some(id)),
        }
    }

    /// Returns the route that shows the details of an account.
    pub fn account(id: &str) -> Self {
        Self {
            path: ACCOUNTS_PATH.to_owned(),
            query: with_param("", "account", Some(id)),
        }
    }

    /// Returns the address, without the origin.
    pub fn address(&self) -> String {
        match &*self.query {
            "" => self.path.clone(),
            query => [&*self.path, "?", query].concat(),
        }
    }

    /// Reads a view name of the host page; `None` if it is invalid. It is `leads`, `accounts`,
    /// `portfolio` or `insights`, each with an optional query string (`leads?tab=approved`), or only
    /// a query string, which is one of the leads page.
    pub fn from_view(view: &str) -> Option<Self> {
        let view = view.trim().trim_start_matches('/');
        let (area, query) = match view.split_once('?') {
            Some(parts) => parts,
            None if view.contains('=') => ("", view),
            None => (view, ""),
        };
        let path = match area {
            "" => LEADS_PATH,
            _ => HOST_PATHS.iter().find(|path| &path[1..] == area)?,
        };
        Some(Self {
            path: path.to_owned(),
            query: query.to_owned(),
        })
    }

    /// Returns the view name that [`from_view`](Self::from_view) reads.
    pub fn to_view(&self) -> String {
        let area = self.path.trim_start_matches('/');
        match self.query.as_str() {
            "" => area.to_owned(),
            query => format!("{area}?{query}"),
        }
    }
}

/// Returns a parameter of a query string; `None` if it is missing or empty.
pub fn param(query: &str, name: &str) -> Option<String> {
    let found = parse(query.as_bytes()).find(|(other, _)| other == name);
    found
        .map(|(_, value)| value.into_owned())
        .filter(|value| !value.is_empty())
}

/// Sets or removes a parameter of a query string. The new value is at the end.
pub fn with_param(query: &str, name: &str, value: Option<&str>) -> String {
    let mut new = Serializer::new(String::new());
    let others = parse(query.as_bytes()).filter(|(other, _)| other != name);
    new.extend_pairs(others);
    if let Some(value) = value {
        new.append_pair(name, value);
    }
    new.finish()
}
