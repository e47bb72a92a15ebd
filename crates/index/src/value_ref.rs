//! A stored value that is borrowed.

use lead_workspace_logic::filter::Value;

/// A stored value, borrowed. A column with integers has no values of other types.
#[derive(Clone, Copy, Debug)]
pub enum ValueRef<'a> {
    Integer(i64),
    Real(f64),
    Text(&'a str),
}

impl<'a> From<&'a Value> for ValueRef<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Integer(number) => Self::Integer(*number),
            Value::Real(number) => Self::Real(*number),
            Value::Text(text) => Self::Text(text),
        }
    }
}

impl From<ValueRef<'_>> for Value {
    fn from(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(text) => Self::Text(text.to_owned()),
        }
    }
}
