//! Bodies of error responses.

use std::fmt;

use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::first_messages::FirstMessages;
use crate::json;
use crate::wire::{Decode, DecodeError, text};

/// The body of an error (spec: Errors, 1).
///
/// A validation error contains a list of entries. Other errors, whose shape is not shown, usually contain a
/// text or an object under the same name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorBody {
    /// What is wrong.
    pub detail: Detail,
}

/// What is wrong: validation entries, a text, or any other JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Detail {
    /// One entry per invalid input.
    Entries(Vec<ErrorEntry>),
    /// A sentence.
    Text(String),
    /// Any other JSON value, unchanged.
    Other(Value),
}

/// One invalid input (spec: Errors, 1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ErrorEntry {
    /// Location of the input, e.g. `["body", "filters", "0", "field"]`. Integers are read as text.
    pub loc: Vec<String>,
    /// What is wrong with the input.
    pub msg: String,
    /// The kind of the problem, e.g. `missing`. Its name in JSON is `type`.
    pub kind: String,
    /// The input as sent.
    pub input: Value,
    /// Details of the problem, e.g. `{"ge": 1}`.
    pub ctx: Map<String, Value>,
}

impl ErrorBody {
    /// Reads a body that is parsed already; `None` if it has no error message.
    pub fn from_value(body: &Value) -> Option<Self> {
        // spec: not shown; other upstreams use other names; `title` is that of problem+json.
        let members = [
            body.get("detail"),
            body.get("message"),
            body.get("error").and_then(|error| error.get("message")),
            body.get("title"),
        ];
        let is_said = |member: &&Value| !member.is_null() && member.as_str() != Some("");
        let detail = members.into_iter().flatten().find(is_said)?;
        Some(Self {
            detail: Detail::from_value(detail),
        })
    }
}

impl Decode for ErrorBody {
    fn decode(body: &[u8]) -> Result<Self, DecodeError> {
        serde_json::from_str(text(body)?).map_err(DecodeError::new)
    }
}

impl<'de> Deserialize<'de> for ErrorBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let body = Value::deserialize(deserializer)?;
        Self::from_value(&body).ok_or_else(|| D::Error::missing_field("detail"))
    }
}

impl Detail {
    /// Returns the same as its `Serialize`, with less code in the Wasm.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Entries(entries) => entries.iter().map(ErrorEntry::to_value).collect(),
            Self::Text(text) => text.as_str().into(),
            Self::Other(value) => value.clone(),
        }
    }

    /// Returns all messages, one on each line, if the text of the detail leaves some of them out.
    pub fn all_messages(&self) -> Option<String> {
        let (mut first, mut all) = (FirstMessages::default(), String::new());
        self.each_message(&mut |message| {
            all += &message;
            all.push('\n');
            first.add(message);
        });
        (first.more > 0).then(|| all.trim_end().to_owned())
    }

    fn each_message(&self, add: &mut dyn FnMut(String)) {
        match self {
            Self::Entries(entries) => entries.iter().for_each(|entry| add(entry.to_string())),
            Self::Text(text) => add(text.clone()),
            // spec: not shown; some servers send a list of texts.
            Self::Other(Value::Array(values)) => {
                values.iter().for_each(|value| add(json::text(value)));
            }
            Self::Other(value) => add(json::text(value)),
        }
    }

    /// Reads what is wrong from any JSON.
    pub fn from_value(value: &Value) -> Self {
        if let Value::String(text) = value {
            return Self::Text(text.clone());
        }
        let entries = value.as_array();
        let entries =
            entries.and_then(|entries| entries.iter().map(ErrorEntry::from_value).collect());
        entries.map_or_else(|| Self::Other(value.clone()), Self::Entries)
    }
}

/// As a map: a derived implementation would bring serde-wasm-bindgen's cache of member names into the client's Wasm.
impl Serialize for ErrorEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("loc", &self.loc)?;
        map.serialize_entry("msg", &self.msg)?;
        map.serialize_entry("type", &self.kind)?;
        map.serialize_entry("input", &self.input)?;
        map.serialize_entry("ctx", &self.ctx)?;
        map.end()
    }
}

impl ErrorEntry {
    fn to_value(&self) -> Value {
        json::object([
            ("loc", self.loc.clone().into()),
            ("msg", self.msg.as_str().into()),
            ("type", self.kind.as_str().into()),
            ("input", self.input.clone()),
            ("ctx", self.ctx.clone().into()),
        ])
    }

    /// Reads an entry. Its members are optional, but must have the right types.
    fn from_value(value: &Value) -> Option<Self> {
        let entry = value.as_object()?;
        let text = |name: &str| match entry.get(name) {
            None => Some(String::new()),
            Some(text) => text.as_str().map(str::to_owned),
        };
        let part = |part: &Value| match part {
            Value::String(text) => Some(text.clone()),
            Value::Number(index) if !index.is_f64() => Some(index.to_string()),
            _ => None,
        };
        Some(Self {
            loc: match entry.get("loc") {
                None => Vec::new(),
                Some(loc) => loc.as_array()?.iter().map(part).collect::<Option<_>>()?,
            },
            msg: text("msg")?,
            kind: text("type")?,
            input: entry.get("input").cloned().unwrap_or_default(),
            ctx: match entry.get("ctx") {
                None | Some(Value::Null) => Map::new(),
                Some(ctx) => ctx.as_object()?.clone(),
            },
        })
    }
}

impl fmt::Display for ErrorEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // "body" and "query" only state where the server looked; users know just the field.
        for (index, part) in self.loc.iter().skip(1).enumerate() {
            f.write_str(if index > 0 { "." } else { "" })?;
            f.write_str(part)?;
        }
        f.write_str(if self.loc.len() > 1 { ": " } else { "" })?;
        f.write_str(&self.msg)
    }
}

/// The first messages that differ, and how many more there are.
impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = FirstMessages::default();
        self.each_message(&mut |message| {
            first.add(message);
        });
        f.write_str(&first.join("; "))
    }
}
