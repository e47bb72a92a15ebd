//! Values of a statement's parameters.
//!
//! SQLite takes a value of any type. PostgreSQL fixes the type of each parameter when it prepares the statement, so
//! every parameter has one, also when it is NULL.

use std::fmt::Write as _;
use std::sync::OnceLock;

use rusqlite::types::{FromSql, FromSqlResult, ToSqlOutput, ValueRef};

/// A value of any type.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Blob(Vec<u8>),
    List(List),
}

/// Values for `json_each(?1)`, whose column `value` has one in each row: one statement for any number of them.
#[derive(Clone, Debug)]
pub struct List {
    values: Values,
    /// The values as SQLite reads them. A page binds the same list to several statements.
    json: OnceLock<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
    Texts(Vec<String>),
}

/// A value that can be bound to a parameter.
pub trait Param {
    fn bound(&self) -> Bound<'_>;
}

/// A parameter's value.
#[derive(Clone, Copy, Debug)]
pub enum Bound<'a> {
    Null(Kind),
    Integer(i64),
    Real(f64),
    Text(&'a str),
    Blob(&'a [u8]),
    List(&'a List),
    Array(&'a [Self]),
}

/// The values of one column in several rows, as an array of PostgreSQL.
pub struct Array<'a>(pub Vec<Bound<'a>>);

/// The type of a parameter that is NULL.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// That of its place in the statement.
    Unknown,
    Integer,
    Real,
    Text,
    Blob,
}

/// The values of a statement's parameters, in their order.
pub type Params<'a> = &'a [&'a dyn Param];

/// Lists values of different types as [`Params`].
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$(&$value as &dyn $crate::store::db::Param),*] as $crate::store::db::Params<'_> };
}

pub(crate) use params;

/// A type whose values all have the same type in a statement.
pub trait Typed {
    const KIND: Kind;

    fn to_bound(&self) -> Bound<'_>;
}

impl<T: Typed> Param for T {
    fn bound(&self) -> Bound<'_> {
        self.to_bound()
    }
}

macro_rules! typed {
    ($($type:ty, $kind:ident, $value:ident => $bound:expr;)*) => { $(
        impl Typed for $type {
            const KIND: Kind = Kind::$kind;

            fn to_bound(&self) -> Bound<'_> {
                let $value = self;
                Bound::$kind($bound)
            }
        }
    )* };
}

typed! {
    i64, Integer, value => *value;
    u32, Integer, value => i64::from(*value);
    bool, Integer, value => i64::from(*value);
    f64, Real, value => *value;
    str, Text, value => value;
    String, Text, value => value;
    [u8], Blob, value => value;
    Vec<u8>, Blob, value => value;
}

impl<T: Typed> Typed for Option<T> {
    const KIND: Kind = T::KIND;

    fn to_bound(&self) -> Bound<'_> {
        self.as_ref().map_or(Bound::Null(T::KIND), T::to_bound)
    }
}

impl<T: Typed + ?Sized> Typed for &T {
    const KIND: Kind = T::KIND;

    fn to_bound(&self) -> Bound<'_> {
        (**self).to_bound()
    }
}

impl List {
    pub fn integers(numbers: impl IntoIterator<Item = i64>) -> Self {
        Self::of(Values::Integers(numbers.into_iter().collect()))
    }

    pub fn reals(numbers: impl IntoIterator<Item = f64>) -> Self {
        Self::of(Values::Reals(numbers.into_iter().collect()))
    }

    pub fn texts(texts: impl IntoIterator<Item = String>) -> Self {
        Self::of(Values::Texts(texts.into_iter().collect()))
    }

    fn of(values: Values) -> Self {
        Self {
            values,
            json: OnceLock::new(),
        }
    }

    pub fn values(&self) -> &Values {
        &self.values
    }

    fn json(&self) -> &str {
        self.json.get_or_init(|| match &self.values {
            Values::Integers(numbers) => {
                let mut json = String::with_capacity(numbers.len() * 8 + 2);
                let mut separator = '[';
                for number in numbers {
                    let _ = write!(json, "{separator}{number}");
                    separator = ',';
                }
                json.push_str(if numbers.is_empty() { "[]" } else { "]" });
                json
            }
            Values::Reals(numbers) => serde_json::Value::from(numbers.as_slice()).to_string(),
            // A list of texts always has this form.
            Values::Texts(texts) => serde_json::to_string(texts).unwrap_or_default(),
        })
    }
}

impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl Param for List {
    fn bound(&self) -> Bound<'_> {
        Bound::List(self)
    }
}

impl Param for &List {
    fn bound(&self) -> Bound<'_> {
        Bound::List(self)
    }
}

impl Param for Array<'_> {
    fn bound(&self) -> Bound<'_> {
        Bound::Array(&self.0)
    }
}

impl Param for Value {
    fn bound(&self) -> Bound<'_> {
        match self {
            Self::Null => Bound::Null(Kind::Unknown),
            Self::Integer(number) => Bound::Integer(*number),
            Self::Real(number) => Bound::Real(*number),
            Self::Text(text) => Bound::Text(text),
            Self::Blob(bytes) => Bound::Blob(bytes),
            Self::List(list) => Bound::List(list),
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<List> for Value {
    fn from(list: List) -> Self {
        Self::List(list)
    }
}

impl rusqlite::ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null(_) => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Blob(bytes) => ValueRef::Blob(bytes),
            Self::List(list) => ValueRef::Text(list.json().as_bytes()),
            Self::Array(_) => {
                return Err(rusqlite::Error::ToSqlConversionFailure(
                    "SQLite has no arrays".into(),
                ));
            }
        }))
    }
}

/// For statements that only SQLite has.
impl rusqlite::ToSql for List {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Text(
            self.json().as_bytes(),
        )))
    }
}

impl FromSql for Value {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(_) => Self::Text(String::column_result(value)?),
            ValueRef::Blob(bytes) => Self::Blob(bytes.to_vec()),
        })
    }
}

/// Row numbers for `IN (SELECT value FROM json_each(…))`.
pub(crate) fn numbers(ids: &[i64]) -> List {
    List::integers(ids.iter().copied())
}
