//! Stored values, and intervals of them.

use std::cmp::Ordering;

/// A stored value: text fields are folded, flags are 0 or 1, times are in the form of [`iso`](crate::iso).
#[derive(Clone, Debug)]
pub enum Value {
    Integer(i64),
    Real(f64),
    Text(String),
}

/// An interval; a missing end is unbounded.
#[derive(Clone, Debug, Default)]
pub struct Interval {
    pub from: Option<Value>,
    /// Whether `from` is excluded.
    pub after: bool,
    pub to: Option<Value>,
    /// Whether `to` is excluded.
    pub before: bool,
}

/// A value as an interval: a day has two ends, everything else is a single point.
pub(crate) struct Bounds {
    pub from: Value,
    pub to: Value,
    /// Whether `to` is excluded.
    pub open: bool,
}

impl From<Value> for Bounds {
    fn from(value: Value) -> Self {
        Self {
            from: value.clone(),
            to: value,
            open: false,
        }
    }
}

impl Value {
    /// Compares two values: numbers by value, texts by their bytes, numbers before texts.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a.cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Text(_), _) => Ordering::Greater,
            (_, Self::Text(_)) => Ordering::Less,
            (a, b) => a.number().total_cmp(&b.number()),
        }
    }

    fn number(&self) -> f64 {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "no stored number is that large")]
            Self::Integer(number) => *number as f64,
            Self::Real(number) => *number,
            Self::Text(_) => f64::NAN,
        }
    }
}

impl Interval {
    pub(crate) fn contains(&self, value: &Value) -> bool {
        let after = self.from.as_ref().is_none_or(|from| {
            let order = value.order(from);
            order.is_gt() || (order.is_eq() && !self.after)
        });
        let before = self.to.as_ref().is_none_or(|to| {
            let order = value.order(to);
            order.is_lt() || (order.is_eq() && !self.before)
        });
        after && before
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Integer(flag.into())
    }
}
