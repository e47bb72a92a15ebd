//! Bodies of error responses.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::raw::Raw;
use crate::wire::{Decode, DecodeError, text};

/// The body of an error (spec: Errors, 1).
///
/// A validation error contains a list of entries. Other errors, whose shape is not shown, usually contain a
/// text or an object under the same name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    Other(Raw),
}

/// One invalid input (spec: Errors, 1).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ErrorEntry {
    /// Location of the input, e.g. `["body", "filters", "0", "field"]`. Integers are read as text.
    #[serde(deserialize_with = "location")]
    pub loc: Vec<String>,
    /// What is wrong with the input.
    pub msg: String,
    /// The kind of the problem, e.g. `missing`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The input as sent.
    pub input: Value,
    /// Details of the problem, e.g. `{"ge": 1}`.
    #[serde(deserialize_with = "object_or_null")]
    pub ctx: Map<String, Value>,
}

impl Decode for ErrorBody {
    fn decode(body: &[u8]) -> Result<Self, DecodeError> {
        let said: Said = serde_json::from_str(text(body)?).map_err(DecodeError::new)?;
        let inner = said.error.and_then(|error| error.read::<Said>());
        let message = inner.and_then(|inner| inner.message);
        [said.detail, said.message, message, said.title]
            .into_iter()
            .flatten()
            .find(|said| !matches!(said, Detail::Text(text) if text.is_empty()))
            .map(|detail| Self { detail })
            .ok_or_else(|| DecodeError::new(serde_json::Error::missing_field("detail")))
    }
}

/// The members of a body that may describe the error.
#[derive(Deserialize)]
struct Said {
    detail: Option<Detail>,
    // spec: not shown; other upstreams use other names; `title` is that of problem+json.
    message: Option<Detail>,
    error: Option<Raw>,
    title: Option<Detail>,
}

impl<'de> Deserialize<'de> for Detail {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Raw::deserialize(deserializer)?;
        // serde also reads an array as the members of an object.
        let are_objects = |items: Vec<Raw>| items.iter().all(|item| item.text().starts_with('{'));
        let entries = raw.read().filter(|_| raw.read().is_some_and(are_objects));
        Ok(if let Some(entries) = entries {
            Self::Entries(entries)
        } else if let Some(text) = raw.read() {
            Self::Text(text)
        } else {
            Self::Other(raw)
        })
    }
}

fn location<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let parts = Vec::<Value>::deserialize(deserializer)?;
    let part = |part| match part {
        Value::String(text) => Ok(text),
        Value::Number(index) if !index.is_f64() => Ok(index.to_string()),
        _ => Err(D::Error::custom(
            "a part of a location must be a text or an integer",
        )),
    };
    parts.into_iter().map(part).collect()
}

fn object_or_null<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Map<String, Value>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

impl fmt::Display for ErrorEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // "body" and "query" only state where the server looked; users know just the field.
        let place: Vec<&str> = self.loc.iter().skip(1).map(String::as_str).collect();
        if place.is_empty() {
            f.write_str(&self.msg)
        } else {
            write!(f, "{}: {}", place.join("."), self.msg)
        }
    }
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entries(entries) => {
                for (index, entry) in entries.iter().enumerate() {
                    if index > 0 {
                        f.write_str("; ")?;
                    }
                    entry.fmt(f)?;
                }
                Ok(())
            }
            Self::Text(text) => f.write_str(text),
            Self::Other(raw) => f.write_str(raw.text()),
        }
    }
}
