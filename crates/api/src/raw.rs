//! A free-form JSON value, stored verbatim.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::wire::Wire;

/// A JSON value whose shape the contract leaves open.
///
/// Stored as the received text and parsed on access. Numbers keep every digit, objects keep their order.
#[derive(Clone)]
pub struct Raw(Box<RawValue>);

impl Raw {
    /// Returns the JSON text.
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// Parses the value.
    pub fn value(&self) -> Value {
        serde_json::from_str(self.text()).unwrap_or_default()
    }

    /// Parses the value as `T`, if it has that shape.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(self.text()).ok()
    }

    /// Wraps a text, which must be JSON.
    ///
    /// # Errors
    /// The parser's message, if it is not JSON.
    pub fn parse(text: String) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text).map(Self)
    }
}

impl From<Value> for Raw {
    fn from(value: Value) -> Self {
        // A `Value` always has a JSON text.
        Self(
            RawValue::from_string(crate::json::text(&value))
                .unwrap_or_else(|_| RawValue::NULL.to_owned()),
        )
    }
}

impl Default for Raw {
    fn default() -> Self {
        Self(RawValue::NULL.to_owned())
    }
}

impl PartialEq for Raw {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text() || self.value() == other.value()
    }
}

impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self)
    }
}

impl Wire for Raw {
    fn name() -> String {
        "object".into()
    }

    fn schema() -> Value {
        json!({})
    }
}
