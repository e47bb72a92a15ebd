//! Reads the members of `custom_data` one by one, without the values inside of arrays and objects.

use std::borrow::Cow;
use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::Value as Json;

use super::TOO_LONG;

/// The value of a member.
#[derive(Clone, Debug, PartialEq)]
pub enum Member<'a> {
    /// Null.
    Nothing,
    Flag(bool),
    Number(f64),
    Text(Cow<'a, str>),
    /// An array or an object.
    Deep,
}

impl<'a> Member<'a> {
    /// A number that a float may not keep is a text.
    fn number(number: f64, text: impl Fn() -> String) -> Self {
        match number.abs() < TOO_LONG {
            true => Self::Number(number),
            false => Self::Text(text().into()),
        }
    }

    /// Returns the value as a filter value; none of null, arrays and objects.
    pub fn text(&self) -> Option<Cow<'a, str>> {
        match self {
            Self::Nothing | Self::Deep => None,
            Self::Flag(flag) => Some(flag.to_string().into()),
            Self::Number(number) => Some(number.to_string().into()),
            Self::Text(text) => Some(text.clone()),
        }
    }
}

impl<'a> From<&'a Json> for Member<'a> {
    fn from(value: &'a Json) -> Self {
        match value {
            Json::Null => Self::Nothing,
            Json::Bool(flag) => Self::Flag(*flag),
            Json::Number(number) => {
                let float = number.as_f64().unwrap_or_default();
                // As the values of leads are read: serde_json writes floats in another form.
                Self::number(float, || match number.is_f64() {
                    true => float.to_string(),
                    false => number.to_string(),
                })
            }
            Json::String(text) => Self::Text(text.into()),
            Json::Array(_) | Json::Object(_) => Self::Deep,
        }
    }
}

/// Passes each member of a JSON object on. If a key occurs twice, so does the member: the last one counts. A text that is
/// no JSON object has the members that come before the fault.
pub fn members<'a>(json: &'a str, each: impl FnMut(Cow<'a, str>, Member<'a>)) {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    // Invalid JSON has no fields instead of failing the read of all leads.
    let _ = deserializer.deserialize_any(Members(each));
}

struct Members<F>(F);

impl<'de, F: FnMut(Cow<'de, str>, Member<'de>)> Visitor<'de> for Members<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(Text)? {
            let member = map.next_value()?;
            (self.0)(key, member);
        }
        Ok(())
    }
}

/// Reads a text, borrowed if it has no escapes.
struct Text;

impl<'de> DeserializeSeed<'de> for Text {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        match Member::deserialize(deserializer)? {
            Member::Text(text) => Ok(text),
            _ => Err(D::Error::custom("a key is no text")),
        }
    }
}

impl<'de> Deserialize<'de> for Member<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Value)
    }
}

struct Value;

impl<'de> Visitor<'de> for Value {
    type Value = Member<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Member::Nothing)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Self::Value, E> {
        Ok(Member::Flag(flag))
    }

    #[expect(clippy::cast_precision_loss, reason = "numbers are compared as floats")]
    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Member::number(number as f64, || number.to_string()))
    }

    #[expect(clippy::cast_precision_loss, reason = "numbers are compared as floats")]
    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Member::number(number as f64, || number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Member::number(number, || number.to_string()))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Member::Text(text.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Member::Text(text.to_owned().into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Member::Deep)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Member::Deep)
    }
}
