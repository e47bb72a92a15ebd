//! What a call sends beyond the contract.

use lead_workspace_api::{Input, Quoted, json};
use serde_json::Value;

use super::headers::ExtraHeaders;

/// Headers, query parameters and members of the body beyond the contract. Names of the contract are
/// refused when the call is made: the client checks their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    /// Headers of the call; they replace the client's of the same name.
    pub headers: ExtraHeaders,
    /// Query parameters: names and values.
    pub query: Vec<(String, String)>,
    /// Members of the body: names, and values as JSON; see [`add_member`](Self::add_member). Refused if
    /// the request has no body.
    pub body: Vec<(String, String)>,
}

impl Extra {
    /// Adds a member to the body.
    pub fn add_member(&mut self, name: &str, value: &Value) {
        self.body.push((name.to_owned(), json::text(value)));
    }

    pub(super) fn has_members(&self) -> bool {
        !self.body.is_empty()
    }

    /// Returns why the parameters are not sent to an operation, which has these `fields`.
    pub(super) fn refusal(&self, fields: &[&str], input: Input) -> Option<String> {
        for (name, _) in self.query.iter().chain(&self.body) {
            if fields.contains(&name.as_str()) {
                return Some(format!(
                    "{} is a parameter of the contract. Pass it with the others, not as an extra one",
                    Quoted(name)
                ));
            }
        }
        (input != Input::Body && self.has_members())
            .then(|| "the request has no body for extra members. Pass them in the query".into())
    }

    /// Adds the members to the JSON text of a body, an object.
    pub(super) fn add_to(&self, body: &mut String) {
        for (name, value) in &self.body {
            body.pop();
            if body != "{" {
                body.push(',');
            }
            json::quote(name, body);
            body.push(':');
            body.push_str(value);
            body.push('}');
        }
    }
}
