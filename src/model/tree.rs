//! Free JSON as something to read: a tree that is looked into one level and some members at a time,
//! so that neither its depth nor its width can weigh more than what is looked at.

use std::fmt;

use lead_workspace_api::Raw;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::link::web_address;
use super::time::instant;

/// A list of this many short values or fewer is read better in one line.
const IN_LINE: usize = 12;

/// A value as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// Nothing: null, a blank text, an empty list.
    Nothing,
    /// A text, a number, yes or no.
    Text(String),
    /// A date or a time, ISO 8601.
    Time(String),
    /// An address that is safe to link.
    Link(String),
    /// Values within; how many.
    Branch(Raw, usize),
}

/// A member of an object or an element of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its name in words, or its number from 1.
    pub label: String,
    /// Its value.
    pub value: Node,
}

/// Some members of an object or some elements of a list, in their own order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Those that were asked for.
    pub items: Vec<Item>,
    /// How many there are in all.
    pub total: usize,
}

impl Node {
    /// Reads a value.
    pub fn of(raw: &Raw) -> Self {
        let text = raw.text().trim();
        match text.bytes().next() {
            Some(b'"') => match raw.read::<String>() {
                Some(text) => Self::of_text(text),
                // A lone surrogate, say: no text, but all that came.
                None => Self::Text(text.to_owned()),
            },
            Some(b'{' | b'[') => Self::of_branch(raw),
            Some(b't') => Self::Text("Yes".into()),
            Some(b'f') => Self::Text("No".into()),
            None | Some(b'n') => Self::Nothing,
            // A number keeps the digits that it came with.
            Some(_) => Self::Text(text.to_owned()),
        }
    }

    fn of_text(text: String) -> Self {
        if text.trim().is_empty() {
            Self::Nothing
        } else if web_address(&text).is_some() {
            Self::Link(text.trim().to_owned())
        } else if instant(&text).is_some() {
            Self::Time(text)
        } else {
            Self::Text(text)
        }
    }

    /// Looks at the members without looking into them: however deep they are, this is as far as it goes.
    fn of_branch(raw: &Raw) -> Self {
        let Members(members) = raw.read().unwrap_or_default();
        if members.is_empty() {
            return Self::Nothing;
        }
        let line = (members.len() <= IN_LINE).then(|| line(&members)).flatten();
        line.map_or_else(|| Self::Branch(raw.clone(), members.len()), Self::Text)
    }
}

/// A list of short values in one line, where it is one.
fn line(list: &[(Option<String>, Raw)]) -> Option<String> {
    let mut line = String::new();
    for (name, value) in list {
        let branches = value.text().starts_with(['{', '[']);
        let Node::Text(text) = (name.is_none() && !branches).then(|| Node::of(value))? else {
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

/// Looks into an object or a list: `take` members after the first `skip`, without those that are
/// named in `hidden`. Anything else has none.
pub fn level(raw: &Raw, skip: usize, take: usize, hidden: &[&str]) -> Level {
    // Not parsed to a value: that would refuse what is nested deeply, and lose the order of members
    // and the digits of numbers.
    let Members(members) = raw.read().unwrap_or_default();
    let mut level = Level::default();
    for (nth, (name, value)) in members.into_iter().enumerate() {
        if name.as_deref().is_some_and(|name| hidden.contains(&name)) {
            continue;
        }
        if level.total >= skip && level.items.len() < take {
            let label = name.map_or_else(|| (nth + 1).to_string(), |name| label(&name));
            let value = Node::of(&value);
            level.items.push(Item { label, value });
        }
        level.total += 1;
    }
    level
}

/// `follower_count` and `followerCount` as "Follower count".
pub fn label(key: &str) -> String {
    let mut words = String::with_capacity(key.len());
    let mut before = ' ';
    for char in key.chars() {
        if char == '_' || char.is_control() {
            words.push(' ');
        } else if char.is_ascii_uppercase() && before.is_ascii_lowercase() {
            words.push(' ');
            words.push(char.to_ascii_lowercase());
        } else {
            words.push(char);
        }
        before = char;
    }
    let mut words = words.trim().to_owned();
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    if words.is_empty() {
        words.push('–');
    }
    words
}

/// The members of an object with their names, or the elements of a list.
#[derive(Default)]
struct Members(Vec<(Option<String>, Raw)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Arriving;

        impl<'de> Visitor<'de> for Arriving {
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

        deserializer.deserialize_any(Arriving)
    }
}
