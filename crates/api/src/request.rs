//! Request types: one declaration gives the struct, its defaults, its limits and the reader that
//! finds every problem of a body at once, each with its exact location.
//!
//! The service reads bodies and query strings with [`Request::from_wire`]; the client runs the same
//! reader over what it is about to send ([`Request::check`]), so that both agree on every limit.

mod read;

use std::ops::RangeInclusive;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::error::ErrorEntry;
use crate::wire::Wire;

pub use read::{FromWire, Reading};

/// A parameter of a request, as the contract's tables list it.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamSpec {
    /// The name on the wire.
    pub name: &'static str,
    /// What it is, one line of its documentation after the other.
    pub doc: &'static str,
    /// The contract's word for the type.
    pub ty: String,
    /// The JSON Schema of the value.
    pub schema: Value,
    /// Whether it must be present.
    pub required: bool,
    /// What holds where it is absent.
    pub default: Value,
    /// The least and the greatest value of a number, number of characters of a text, or number of
    /// items of an array.
    pub range: Option<RangeInclusive<u32>>,
    /// The greatest number of words of a text.
    pub words: Option<u32>,
    /// The values it may have, where they are a closed set.
    pub one_of: &'static [&'static str],
    /// Whether it is an id, or made of ids: no empty text.
    pub is_id: bool,
}

/// A body or query string that can list its parameters and be read with all its problems.
pub trait Request: Serialize + Sized {
    /// The name of the type.
    const NAME: &'static str;
    /// What it is, one line of its documentation after the other.
    const DOC: &'static str;

    /// Every parameter, in the contract's order.
    fn params() -> Vec<ParamSpec>;

    /// Reads a JSON body; `root` starts every location, as a rule `body` or `query`. Unknown
    /// parameters are passed over.
    ///
    /// # Errors
    /// Every problem found, each with its location.
    fn from_wire(value: &Value, root: &'static str) -> Result<Self, Vec<ErrorEntry>> {
        let mut problems = Vec::new();
        Self::read(value, Reading::new(root, &mut problems))
            .filter(|_| problems.is_empty())
            .ok_or(problems)
    }

    /// Reads as [`from_wire`](Self::from_wire) does, into a given list of problems.
    fn read(value: &Value, reading: Reading<'_>) -> Option<Self>;

    /// The query string's parameters: scalars as text, what is not set left out.
    fn to_query(&self) -> Vec<(String, String)> {
        query(&serde_json::to_value(self).unwrap_or_default())
    }

    /// Whether the request keeps the contract's limits.
    ///
    /// # Errors
    /// Every limit that it breaks.
    fn check(&self) -> Result<(), Vec<ErrorEntry>> {
        Self::check_wire(&serde_json::to_value(self).unwrap_or_default())
    }

    /// Whether a request that is on its way to an upstream, as JSON, keeps the contract's limits.
    ///
    /// # Errors
    /// Every limit that it breaks.
    fn check_wire(value: &Value) -> Result<(), Vec<ErrorEntry>> {
        let mut problems = Vec::new();
        let reading = Reading {
            foreign: true,
            ..Reading::new("body", &mut problems)
        };
        Self::read(value, reading);
        if problems.is_empty() {
            Ok(())
        } else {
            Err(problems)
        }
    }
}

/// The query string's parameters of a request that is JSON already; see [`Request::to_query`].
pub fn query(params: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(crate::json::text(other)),
    };
    let params = params.as_object().into_iter().flatten();
    params
        .filter_map(|(name, value)| Some((name.clone(), text(value)?)))
        .collect()
}

/// A parameter for which null and absent are two different things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nullable<T> {
    /// Not in the body.
    #[default]
    Absent,
    /// In the body, as null.
    Null,
    /// In the body, with a value.
    Set(T),
}

impl<T> Nullable<T> {
    /// Whether it is left out of the body.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The value, if there is one.
    pub fn value(self) -> Option<T> {
        if let Self::Set(value) = self {
            Some(value)
        } else {
            None
        }
    }
}

impl<T> From<T> for Nullable<T> {
    fn from(value: T) -> Self {
        Self::Set(value)
    }
}

impl<T: Serialize> Serialize for Nullable<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Set(value) => value.serialize(serializer),
            Self::Absent | Self::Null => serializer.serialize_none(),
        }
    }
}

impl<T: FromWire> FromWire for Nullable<T> {
    const ONE_OF: &'static [&'static str] = T::ONE_OF;
    const IS_ID: bool = T::IS_ID;

    fn fits(value: &Value, range: &RangeInclusive<u32>, reading: &mut Reading<'_>) -> bool {
        T::fits(value, range, reading)
    }

    fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self> {
        if value.is_null() {
            Some(Self::Null)
        } else {
            T::from_wire(value, reading).map(Self::Set)
        }
    }
}

impl<T: Wire> Wire for Nullable<T> {
    fn name() -> String {
        Option::<T>::name()
    }

    fn schema() -> Value {
        Option::<T>::schema()
    }
}

/// Tells whether a parameter is left out of what is sent.
pub(crate) trait Unset {
    fn unset(&self) -> bool {
        false
    }
}

impl<T> Unset for Option<T> {
    fn unset(&self) -> bool {
        self.is_none()
    }
}

impl<T> Unset for Nullable<T> {
    fn unset(&self) -> bool {
        self.is_absent()
    }
}

macro_rules! always_sent {
    ($($ty:ty)*) => { $(impl Unset for $ty {})* };
}

always_sent! {
    String bool u32
    crate::choice::LeadSort crate::choice::AccountSort crate::choice::SortDir
    crate::choice::NewApprovalStatus
}

impl<T> Unset for Vec<T> {}

/// A half-open or closed range of numbers as the one type that the tables use.
pub(crate) fn closed(range: impl std::ops::RangeBounds<u32>) -> RangeInclusive<u32> {
    use std::ops::Bound::{Excluded, Included, Unbounded};
    let start = match range.start_bound() {
        Included(start) => *start,
        Excluded(start) => start.saturating_add(1),
        Unbounded => 0,
    };
    let end = match range.end_bound() {
        Included(end) => *end,
        Excluded(end) => end.saturating_sub(1),
        Unbounded => u32::MAX,
    };
    start..=end
}

/// Declares request types. `name: Type` is required; `name: Type = default` is not;
/// `=> range` limits a number, the characters of a text or the items of an array, and
/// `; words count` the words of a text.
macro_rules! request {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident {
            $($(#[doc = $fdoc:literal])* $field:ident: $ty:ty $(= $default:expr)? $(=> $range:expr $(; words $words:expr)?)?,)*
        }
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        pub struct $name {
            $(
                $(#[doc = $fdoc])*
                #[serde(skip_serializing_if = "crate::request::Unset::unset")]
                pub $field: $ty,
            )*
        }

        $crate::request::request!(@default $name { $($field: $ty $(= $default)?,)* });

        impl $crate::request::Request for $name {
            const NAME: &'static str = stringify!($name);
            const DOC: &'static str = concat!($($doc, "\n"),*);

            fn params() -> Vec<$crate::request::ParamSpec> {
                vec![$({
                    let default: Option<$ty> = $crate::request::request!(@optional $($default)?);
                    $crate::request::ParamSpec {
                        name: stringify!($field),
                        doc: concat!($($fdoc, "\n"),*),
                        ty: <$ty as $crate::wire::Wire>::name(),
                        schema: <$ty as $crate::wire::Wire>::schema(),
                        required: default.is_none(),
                        default: serde_json::to_value(default).unwrap_or_default(),
                        range: $crate::request::request!(@range $($range)?),
                        words: $crate::request::request!(@optional $($($words)?)?),
                        one_of: <$ty as $crate::request::FromWire>::ONE_OF,
                        is_id: <$ty as $crate::request::FromWire>::IS_ID,
                    }
                },)*]
            }

            fn read(
                value: &serde_json::Value,
                mut reading: $crate::request::Reading<'_>,
            ) -> Option<Self> {
                if !value.is_object() {
                    reading.problem(
                        "model_attributes_type",
                        "the value must be an object",
                        value,
                        serde_json::Value::Null,
                    );
                    return None;
                }
                $(
                    let $field: Option<$ty> = match value.get(stringify!($field)) {
                        Some(found) => reading.within(stringify!($field), |reading| {
                            // Before anything is read, which costs by the size.
                            $(
                                let range = $crate::request::closed($range);
                                if !<$ty as $crate::request::FromWire>::fits(found, &range, reading) {
                                    return None;
                                }
                                $(
                                    if !reading.words(found, $words) {
                                        return None;
                                    }
                                )?
                            )?
                            <$ty as $crate::request::FromWire>::from_wire(found, reading)
                        }),
                        None => {
                            let default: Option<$ty> = $crate::request::request!(@optional $($default)?);
                            if default.is_none() {
                                reading.missing(stringify!($field), value);
                            }
                            default
                        }
                    };
                )*
                Some(Self { $($field: $field?,)* })
            }
        }

        impl $crate::wire::Wire for $name {
            fn name() -> String {
                stringify!($name).into()
            }

            fn schema() -> serde_json::Value {
                $crate::request::schema::<$name>()
            }
        }
    )*};

    (@optional) => { None };
    (@optional $default:expr) => { Some($default) };
    (@range) => { None };
    (@range $range:expr) => { Some($crate::request::closed($range)) };

    // `Default` exists only where nothing is required.
    (@default $name:ident { $($field:ident: $ty:ty = $default:expr,)* }) => {
        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }
    };
    (@default $name:ident { $($any:tt)* }) => {};
}

pub(crate) use request;

/// The JSON Schema of a request, from its parameters.
pub(crate) fn schema<T: Request>() -> Value {
    let params = T::params();
    let required: Vec<_> = params
        .iter()
        .filter(|param| param.required)
        .map(|param| param.name)
        .collect();
    let properties: Map<String, Value> = params
        .iter()
        .map(|param| (param.name.to_owned(), param.json_schema()))
        .collect();
    json!({"type": "object", "title": T::NAME, "properties": properties, "required": required})
}

/// What the range of a parameter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// The number itself.
    Number,
    /// Characters of a text.
    Text,
    /// Items of an array.
    Array,
}

impl ParamKind {
    /// The keywords of JSON Schema for both ends.
    const fn bounds(self) -> (&'static str, &'static str) {
        match self {
            Self::Number => ("minimum", "maximum"),
            Self::Text => ("minLength", "maxLength"),
            Self::Array => ("minItems", "maxItems"),
        }
    }
}

impl ParamSpec {
    /// What the range counts.
    pub fn kind(&self) -> ParamKind {
        // Where null is allowed, the schema is a choice of two.
        let schema = self.schema["anyOf"].get(0).unwrap_or(&self.schema);
        match schema["type"].as_str() {
            Some("string") => ParamKind::Text,
            Some("array") => ParamKind::Array,
            _ => ParamKind::Number,
        }
    }

    /// The JSON Schema with the default and the range.
    pub fn json_schema(&self) -> Value {
        let mut schema = self.schema.clone();
        if let Value::Object(schema) = &mut schema {
            if !self.required && !self.default.is_null() {
                schema.insert("default".into(), self.default.clone());
            }
            if let Some(range) = &self.range {
                let (least, most) = self.kind().bounds();
                if self.kind() == ParamKind::Number || *range.start() > 0 {
                    schema.insert(least.into(), json!(range.start()));
                }
                if *range.end() != u32::MAX {
                    schema.insert(most.into(), json!(range.end()));
                }
            }
        }
        schema
    }
}
