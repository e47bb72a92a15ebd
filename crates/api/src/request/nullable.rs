//! A member that may be absent, null or a value.

use std::ops::RangeInclusive;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{FromWire, Reading};
use crate::wire::Wire;

/// A parameter that distinguishes null from absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nullable<T> {
    /// Left out of the body.
    #[default]
    Absent,
    /// Sent as null.
    Null,
    /// Sent with a value.
    Set(T),
}

impl<T> Nullable<T> {
    /// Returns whether the parameter is left out of the body.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Returns the value, if one is set.
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
        let value = Option::<T>::from_wire(value, reading)?;
        Some(value.map_or(Self::Null, Self::Set))
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
