//! Arbitrary JSON as a tree for display. It is read one level and a limited number of members at a
//! time, so that the cost depends on what is shown, not on the size of the data.

use std::fmt;

use lead_workspace_api::Raw;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::humanize::humanize;
use super::time::instant;
use crate::client::web_url::web_url;

/// A list of at most this many short values is shown in one line.
const MAX_INLINE_VALUES: usize = 12;

/// A value as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum TreeValue {
    /// Null, a blank text, an empty list or an empty object.
    Nothing,
    /// A text, a number or a boolean.
    Text(String),
    /// A date or a time, ISO 8601.
    Time(String),
    /// A URL that is safe to link.
    Link(String),
    /// An object or a list, with its number of members.
    Branch(Raw, usize),
}

/// A member of an object, or an element of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeItem {
    /// Name in words, or position from 1.
    pub label: String,
    pub value: TreeValue,
}

/// Some members of an object, or some elements of a list, in their own order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreeLevel {
    /// The requested members.
    pub items: Vec<TreeItem>,
    /// Total number of members, without the hidden ones.
    pub total: usize,
}

impl TreeValue {
    pub fn from_raw(raw: &Raw) -> Self {
        let text = raw.text().trim();
        match text.bytes().next() {
            Some(b'"') => match raw.read::<String>() {
                Some(text) => Self::from_text(text),
                // Not a valid text, e.g. a lone surrogate: shown as received.
                None => Self::Text(text.to_owned()),
            },
            Some(b'{' | b'[') => Self::from_branch(raw),
            Some(b't') => Self::Text("Yes".into()),
            Some(b'f') => Self::Text("No".into()),
            None | Some(b'n') => Self::Nothing,
            // A number keeps its original digits.
            Some(_) => Self::Text(text.to_owned()),
        }
    }

    fn from_text(text: String) -> Self {
        if text.trim().is_empty() {
            Self::Nothing
        } else if web_url(&text).is_some() {
            Self::Link(text.trim().to_owned())
        } else if instant(&text).is_some() {
            Self::Time(text)
        } else {
            Self::Text(text)
        }
    }

    /// Reads the members, but not what is in them, so that the cost does not depend on the depth.
    fn from_branch(raw: &Raw) -> Self {
        let members = members(raw);
        if members.is_empty() {
            return Self::Nothing;
        }
        let line = (members.len() <= MAX_INLINE_VALUES)
            .then(|| line(&members))
            .flatten();
        line.map_or_else(|| Self::Branch(raw.clone(), members.len()), Self::Text)
    }
}

/// Returns a list of short values as one line; `None` if it is something else.
fn line(list: &[(Option<String>, Raw)]) -> Option<String> {
    let mut line = String::new();
    for (name, value) in list {
        let branches = value.text().starts_with(['{', '[']);
        let TreeValue::Text(text) =
            (name.is_none() && !branches).then(|| TreeValue::from_raw(value))?
        else {
            return None;
        };
        if text.len() > 60 || text.contains('\n') {
            return None;
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(&text);
    }
    Some(line)
}

/// Reads `take` members of an object or a list after the first `skip`, without those in `hidden`.
/// Other values have no members.
pub fn level(raw: &Raw, skip: usize, take: usize, hidden: &[&str]) -> TreeLevel {
    // Not parsed to a value: that would reject deep nesting, and lose the order of the members and
    // the digits of numbers.
    let members = members(raw);
    let mut level = TreeLevel::default();
    for (nth, (name, value)) in members.into_iter().enumerate() {
        if name.as_deref().is_some_and(|name| hidden.contains(&name)) {
            continue;
        }
        if level.total >= skip && level.items.len() < take {
            let label = name.map_or_else(|| (nth + 1).to_string(), |name| label(&name));
            let value = TreeValue::from_raw(&value);
            level.items.push(TreeItem { label, value });
        }
        level.total += 1;
    }
    level
}

/// Returns the label of a key; a dash for an empty one.
pub fn label(key: &str) -> String {
    let label = humanize(key);
    if label.is_empty() {
        "–".to_owned()
    } else {
        label
    }
}

/// Reads the members of an object with their names, or the elements of a list. Other values have none.
pub fn members(raw: &Raw) -> Vec<(Option<String>, Raw)> {
    let Members(members) = raw.read().unwrap_or_default();
    members
}

/// The members of an object with their names, or the elements of a list.
#[derive(Default)]
struct Members(Vec<(Option<String>, Raw)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;

        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object or a list")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry()? {
                    members.push((Some(name), value));
                }
                Ok(Members(members))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(value) = list.next_element()? {
                    members.push((None, value));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_any(MembersVisitor)
    }
}
