//! Types on the wire: their names and schemas, and the decoding of response bodies.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::kind::Kind;

/// A type that crosses the wire.
///
/// The names are those of the contract's tables, so that a test can compare the two. The schemas make up the
/// service's OpenAPI document.
pub trait Wire {
    /// The kind of value that the type accepts, used to repair malformed responses.
    const KIND: Kind = Kind::Any;

    /// Returns the contract's name for the type, e.g. `string` or `array of ListRef`.
    fn name() -> String;

    /// Returns the JSON Schema of the type.
    fn schema() -> Value;
}

macro_rules! plain {
    ($($ty:ty => $kind:ident $name:literal $schema:tt;)*) => {$(
        impl Wire for $ty {
            const KIND: Kind = Kind::$kind;

            fn name() -> String {
                $name.into()
            }

            fn schema() -> Value {
                json!($schema)
            }
        }
    )*};
}

plain! {
    String => Text "string" {"type": "string"};
    bool => Flag "boolean" {"type": "boolean"};
    u32 => SmallCount "integer" {"type": "integer", "format": "uint32", "minimum": 0};
    u64 => Count "integer" {"type": "integer", "format": "uint64", "minimum": 0};
    i64 => Integer "integer" {"type": "integer", "format": "int64"};
    f64 => Number "number" {"type": "number"};
    Value => Any "any" {};
    Timestamp => Text "timestamp" {"type": "string", "format": "date-time"};
}

impl<T: Wire> Wire for Vec<T> {
    const KIND: Kind = Kind::List(&T::KIND);

    fn name() -> String {
        match T::name().as_str() {
            // The contract says just "array" if it does not show the elements.
            "object" => "array".into(),
            name => format!("array of {name}"),
        }
    }

    fn schema() -> Value {
        json!({"type": "array", "items": T::schema()})
    }
}

impl<T: Wire> Wire for Option<T> {
    fn name() -> String {
        format!("{} or null", T::name())
    }

    fn schema() -> Value {
        json!({"anyOf": [T::schema(), {"type": "null"}]})
    }
}

impl Wire for () {
    fn name() -> String {
        "nothing".into()
    }

    fn schema() -> Value {
        Value::Null
    }
}

/// Adds the text of a doc comment to the schema of a field.
pub(crate) fn described(mut schema: Value, doc: &str) -> Value {
    schema["description"] = plain_doc(doc).into();
    schema
}

/// Returns the text of a doc comment as one line without markup. Links become names.
pub fn plain_doc(doc: &str) -> String {
    let mut text = String::new();
    let mut rest = doc;
    while let Some((before, link)) = rest.split_once("[`")
        && let Some((name, after)) = link.split_once("`]")
    {
        text.push_str(before);
        text.push_str(name);
        let target = after.strip_prefix('(').and_then(|to| to.split_once(')'));
        rest = target.map_or(after, |(_, after)| after);
    }
    text.push_str(rest);
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace('`', "")
}

/// A point in time as ISO 8601 text, exactly as received.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub String);

impl Timestamp {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for Timestamp {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Timestamp {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// A response body that does not match the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What is wrong, with line and column if known.
    pub reason: String,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for DecodeError {}

impl DecodeError {
    pub(crate) fn new(reason: impl fmt::Display) -> Self {
        Self {
            reason: reason.to_string(),
        }
    }
}

/// A type that can be decoded from a whole response body.
pub trait Decode: Sized {
    /// Reads the body of a successful response.
    ///
    /// # Errors
    /// If the body is not UTF-8, not JSON, or not of this shape.
    fn decode(body: &[u8]) -> Result<Self, DecodeError>;
}

impl Decode for () {
    /// Accepts any body, because the contract promises none.
    fn decode(_: &[u8]) -> Result<Self, DecodeError> {
        Ok(())
    }
}

/// Returns the body without a leading byte order mark, which some servers send.
pub fn without_mark(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body)
}

/// Returns the body as text. Checking UTF-8 once here is faster than inside every string.
pub(crate) fn text(body: &[u8]) -> Result<&str, DecodeError> {
    std::str::from_utf8(without_mark(body))
        .map_err(|error| DecodeError::new(format_args!("the body is not UTF-8: {error}")))
}
