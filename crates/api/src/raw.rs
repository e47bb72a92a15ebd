//! A free JSON value, kept to the letter.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::wire::Wire;

/// A JSON value whose shape the contract leaves open: kept as the text that arrived, and parsed
/// when somebody looks. Numbers keep every digit, objects keep their order.
#[derive(Clone)]
pub struct Raw(Box<RawValue>);

impl Raw {
    /// The JSON text.
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// The value, parsed.
    pub fn value(&self) -> Value {
        serde_json::from_str(self.text()).unwrap_or_default()
    }

    /// The value as `T`, where it has that shape.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(self.text()).ok()
    }

    /// Takes a text that must be JSON.
    ///
    /// # Errors
    /// The parser's message, when it is not.
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
