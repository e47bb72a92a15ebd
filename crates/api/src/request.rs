//! Request types: one declaration generates the struct, its defaults, its limits and a reader.
//!
//! The reader reports every problem of a body at once, each with its exact location. The service reads bodies
//! and query strings with [`Request::from_wire`]. The client runs the same reader over outgoing requests
//! ([`Request::check`]), so both enforce the same limits.

mod nullable;
mod read;

use std::ops::RangeInclusive;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::error::ErrorEntry;
use crate::wire::described;

pub use nullable::Nullable;
pub use read::{FromWire, Reading};

/// The characters between words, for a class of a regular expression: those of Unicode's property
/// `White_Space`. `\s` is not the same everywhere.
pub(crate) const SPACES: &str = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";
pub(crate) use read::{ParamLimits, is_valid};

/// A parameter of a request, as listed in the contract's tables.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamSpec {
    /// The name on the wire.
    pub name: &'static str,
    /// The text of its doc comment, with a newline after each line.
    pub doc: &'static str,
    /// The contract's name for the type.
    pub ty: String,
    /// The JSON Schema of the value.
    pub schema: Value,
    /// Whether the parameter is required.
    pub required: bool,
    /// The default value; null if there is none.
    pub default: Value,
    /// The allowed range of a number, of the characters of a text, or of the items of an array.
    pub range: Option<RangeInclusive<u32>>,
    /// The maximum number of words of a text.
    pub words: Option<u32>,
    /// The allowed values, if they are a closed set; otherwise empty.
    pub one_of: &'static [&'static str],
    /// Whether it is an id or a list of ids. An id must not be empty.
    pub is_id: bool,
}

/// A body or query string that lists its parameters and reports all its problems when read.
pub trait Request: Serialize + Sized {
    /// The name of the type.
    const NAME: &'static str;
    /// The text of its doc comment, with a newline after each line.
    const DOC: &'static str;

    /// The names of the parameters, in the contract's order.
    const FIELDS: &'static [&'static str];

    /// Returns every parameter, in the contract's order.
    fn params() -> Vec<ParamSpec>;

    /// Reads a JSON body.
    ///
    /// Every error location starts with `root`, usually `body` or `query`. With any root other than `body`,
    /// numbers and booleans may be given as text. Unknown parameters are ignored.
    ///
    /// # Errors
    /// Every problem found, each with its location.
    fn from_wire(value: &Value, root: &'static str) -> Result<Self, Vec<ErrorEntry>> {
        let mut problems = Vec::new();
        Self::read(value, Reading::new(root, &mut problems))
            .filter(|_| problems.is_empty())
            .ok_or(problems)
    }

    /// Reads like [`from_wire`](Self::from_wire), but adds the problems to the list of `reading`.
    fn read(value: &Value, reading: Reading<'_>) -> Option<Self>;

    /// Adds the same problems as [`read`](Self::read), without building the request: less code, for the client.
    fn find_problems(value: &Value, reading: Reading<'_>);

    /// Returns the query string's parameters: scalars as text, null and unset parameters left out.
    fn to_query(&self) -> Vec<(String, String)> {
        query(&serde_json::to_value(self).unwrap_or_default())
    }

    /// Checks the request against the contract's limits.
    ///
    /// # Errors
    /// Every violated limit.
    fn check(&self) -> Result<(), Vec<ErrorEntry>> {
        Self::check_wire(&serde_json::to_value(self).unwrap_or_default())
    }

    /// Checks a request to an upstream, given as JSON, against the contract's limits.
    ///
    /// Filters of another shape than ours are accepted.
    ///
    /// # Errors
    /// Every violated limit.
    fn check_wire(value: &Value) -> Result<(), Vec<ErrorEntry>> {
        check(value, Self::find_problems)
    }
}

/// Not generic, so that it is compiled once for all requests.
fn check(value: &Value, find_problems: fn(&Value, Reading<'_>)) -> Result<(), Vec<ErrorEntry>> {
    let mut problems = Vec::new();
    let reading = Reading {
        foreign: true,
        ..Reading::new("body", &mut problems)
    };
    find_problems(value, reading);
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

/// Returns the query string's parameters of a request that is already JSON; see [`Request::to_query`].
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

/// Decides whether a parameter is left out of a request.
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
    ($($ty:ty)*) => { $(impl $crate::request::Unset for $ty {})* };
}

pub(crate) use always_sent;

always_sent!(String bool u32);

impl<T> Unset for Vec<T> {}

/// Converts any range of numbers to an inclusive one.
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

/// Declares request types.
///
/// `name: Type` is required; `name: Type = default` is optional. `=> range` limits a number, the characters
/// of a text or the items of an array; `; words count` limits the words of a text. `; schema value` is a JSON
/// Schema that says more than the one of the type.
macro_rules! request {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident {
            $($(#[doc = $fdoc:literal])* $field:ident: $ty:ty $(= $default:expr)? $(=> $range:expr $(; words $words:expr)? $(; schema $schema:expr)?)?,)*
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
            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),*];

            fn params() -> Vec<$crate::request::ParamSpec> {
                vec![$({
                    let default: Option<$ty> = $crate::request::request!(@optional $($default)?);
                    $crate::request::ParamSpec {
                        name: stringify!($field),
                        doc: concat!($($fdoc, "\n"),*),
                        ty: <$ty as $crate::wire::Wire>::name(),
                        schema: $crate::request::request!(@schema $ty $($(, $schema)?)?),
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
                if !reading.object(value) {
                    return None;
                }
                $(
                    let $field: Option<$ty> = reading.param(
                        value,
                        stringify!($field),
                        $crate::request::request!(@limits $($range $(; $words)?)?),
                        $crate::request::request!(@optional $($default)?),
                    );
                )*
                Some(Self { $($field: $field?,)* })
            }

            fn find_problems(
                value: &serde_json::Value,
                mut reading: $crate::request::Reading<'_>,
            ) {
                if !reading.object(value) {
                    return;
                }
                $(
                    reading.check_param(
                        value,
                        stringify!($field),
                        &$crate::request::request!(@limits $($range $(; $words)?)?),
                        $crate::request::request!(@required $($default)?),
                        $crate::request::is_valid::<$ty>,
                    );
                )*
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

    (@limits $($range:expr $(; $words:expr)?)?) => {
        $crate::request::ParamLimits {
            range: $crate::request::request!(@range $($range)?),
            words: $crate::request::request!(@optional $($($words)?)?),
        }
    };
    (@required) => { true };
    (@required $default:expr) => { false };
    (@optional) => { None };
    (@optional $default:expr) => { Some($default) };
    (@schema $ty:ty) => { <$ty as $crate::wire::Wire>::schema() };
    (@schema $ty:ty, $schema:expr) => { $schema };
    (@range) => { None };
    (@range $range:expr) => { Some($crate::request::closed($range)) };

    // `Default` exists only if no parameter is required.
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

/// Builds the JSON Schema of a request from its parameters.
pub(crate) fn schema<T: Request>() -> Value {
    let params = T::params();
    let required: Vec<_> = params
        .iter()
        .filter(|param| param.required)
        .map(|param| param.name)
        .collect();
    let properties: Map<String, Value> = params
        .iter()
        .map(|param| {
            (
                param.name.to_owned(),
                described(param.json_schema(), param.doc),
            )
        })
        .collect();
    json!({"type": "object", "title": T::NAME, "properties": properties, "required": required})
}

/// The quantity that the range of a parameter limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// The number itself.
    Number,
    /// The number of characters of a text.
    Text,
    /// The number of items of an array.
    Array,
}

impl ParamKind {
    /// Returns the JSON Schema keywords of the lower and the upper bound.
    const fn bounds(self) -> (&'static str, &'static str) {
        match self {
            Self::Number => ("minimum", "maximum"),
            Self::Text => ("minLength", "maxLength"),
            Self::Array => ("minItems", "maxItems"),
        }
    }
}

impl ParamSpec {
    /// Returns the quantity that the range limits.
    pub fn kind(&self) -> ParamKind {
        // The schema of a nullable parameter is an `anyOf` of its type and null.
        let schema = self.schema["anyOf"].get(0).unwrap_or(&self.schema);
        match schema["type"].as_str() {
            Some("string") => ParamKind::Text,
            Some("array") => ParamKind::Array,
            _ => ParamKind::Number,
        }
    }

    /// Returns whether the parameter may be null.
    pub fn is_nullable(&self) -> bool {
        self.ty.ends_with("or null")
    }

    /// Returns the JSON Schema with the default and the range.
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
                if self.kind() == ParamKind::Number || *range.end() != u32::MAX {
                    schema.insert(most.into(), json!(range.end()));
                }
            }
            if let Some(words) = self.words {
                let before = words.saturating_sub(1);
                let pattern = format!(
                    "^[{SPACES}]*([^{SPACES}]+[{SPACES}]+){{0,{before}}}[^{SPACES}]*[{SPACES}]*$"
                );
                schema.insert("pattern".into(), json!(pattern));
            }
        }
        schema
    }
}
