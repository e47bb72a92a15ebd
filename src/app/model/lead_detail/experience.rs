//! Positions that a lead has held.

use lead_workspace_api::Raw;
use serde_json::Value;

/// Member of `profile_data` with the positions, newest first.
// spec: the content of profile_data is not shown; our service sends title, company and since.
pub const EXPERIENCE: &str = "experience";

/// Members of a position that are shown.
const MEMBERS: [&str; 4] = ["title", "company", "since", "until"];

/// A position that a lead holds or has held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Title and company; never empty.
    pub what: String,
    /// When it was held, in words.
    pub years: Option<String>,
    /// Whether it has no end.
    pub is_current: bool,
}

/// Reads the positions. Empty if there are none, or if an element has any other form: the profile data is then shown as it
/// came.
pub fn experience(profile: &Raw) -> Vec<Position> {
    let profile = profile.value();
    let positions = profile.get(EXPERIENCE).and_then(Value::as_array);
    let positions = positions.into_iter().flatten().map(Position::read);
    positions.collect::<Option<_>>().unwrap_or_default()
}

impl Position {
    fn read(value: &Value) -> Option<Self> {
        let members = value.as_object()?;
        let known = |(name, value): (&String, &Value)| {
            MEMBERS.contains(&&**name) && (value.is_null() || text(value).is_some())
        };
        if !members.iter().all(known) {
            return None;
        }
        let [title, company, since, until] = MEMBERS.map(|name| members.get(name).and_then(text));
        let is_current = until.is_none();
        Some(Self {
            what: match (title, company) {
                (Some(title), Some(company)) => [&*title, ", ", &company].concat(),
                (title, company) => title.or(company)?,
            },
            years: match (since, until) {
                (Some(since), Some(until)) => Some([&*since, "–", &until].concat()),
                (Some(since), None) => Some(["since ", &since].concat()),
                (None, until) => until.map(|until| ["until ", &until].concat()),
            },
            is_current,
        })
    }
}

/// Returns a text or an integer, such as a year, as text.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        value => value.as_i64().map(|number| number.to_string()),
    }
}
