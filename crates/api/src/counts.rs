//! Counts by name. The contract does not show the names, or how they are counted.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use crate::kind::Kind;
use crate::wire::Wire;

/// 2^64, the first number that does not fit into a `u64`.
const BEYOND: f64 = 18_446_744_073_709_551_616.0;

/// Counts by name.
///
/// Values that are not integers from 0 are left out, so that one malformed count does not hide the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The readable counts, by name.
    pub known: BTreeMap<String, u64>,
    /// Number of values that were left out.
    pub unreadable: u64,
}

impl From<BTreeMap<String, u64>> for Counts {
    fn from(known: BTreeMap<String, u64>) -> Self {
        Self {
            known,
            unreadable: 0,
        }
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.known.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Read as a map first: the last value of a duplicate name wins.
        let all = BTreeMap::<String, Count>::deserialize(deserializer)?;
        let mut counts = Self::default();
        for (name, Count(count)) in all {
            match count {
                Some(count) => {
                    counts.known.insert(name, count);
                }
                None => counts.unreadable += 1,
            }
        }
        Ok(counts)
    }
}

impl Wire for Counts {
    const KIND: Kind = Kind::Counts;

    fn name() -> String {
        "object".into()
    }

    fn schema() -> Value {
        json!({"type": "object", "title": "Counts", "additionalProperties": u64::schema()})
    }
}

/// A count; `None` if the value is not an integer from 0.
struct Count(Option<u64>);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any).map(Self)
    }
}

/// Accepts any JSON value.
struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Option<u64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a count")
    }

    fn visit_u64<E>(self, count: u64) -> Result<Self::Value, E> {
        Ok(Some(count))
    }

    fn visit_i64<E>(self, count: i64) -> Result<Self::Value, E> {
        Ok(u64::try_from(count).ok())
    }

    fn visit_f64<E>(self, count: f64) -> Result<Self::Value, E> {
        let whole = count as u64;
        let fits = count.is_sign_positive() && count < BEYOND && whole as f64 == count;
        Ok(fits.then_some(whole))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<Self::Value, A::Error> {
        IgnoredAny.visit_seq(values)?;
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
        IgnoredAny.visit_map(members)?;
        Ok(None)
    }
}
