//! Texts, numbers, truth values, lists and optional values.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::{FromWire, Reading};
use crate::json::object;

impl FromWire for String {
    fn fits(value: &Value, range: &RangeInclusive<u32>, reading: &mut Reading<'_>) -> bool {
        reading.characters(value, *range.end())
    }

    fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self> {
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            reading.problem(
                "string_type",
                "the value must be a string",
                value,
                Value::Null,
            );
        }
        text
    }
}

impl FromWire for bool {
    fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self> {
        let flag = match value {
            Value::Bool(flag) => Some(*flag),
            Value::String(text) if reading.texts => match text.to_ascii_lowercase().as_str() {
                "true" | "1" | "yes" | "on" => Some(true),
                "false" | "0" | "no" | "off" => Some(false),
                _ => None,
            },
            _ => None,
        };
        if flag.is_none() {
            reading.problem(
                "bool_parsing",
                "the value must be true or false",
                value,
                Value::Null,
            );
        }
        flag
    }
}

/// Returns the value as an integer, if it is one.
fn integer(value: &Value, texts: bool) -> Option<i64> {
    match value {
        Value::String(text) if texts => text.parse::<i64>().ok(),
        // 2.0 is an integer in JSON; 2.5 is not.
        Value::Number(number) => number.as_i64().or_else(|| {
            number
                .as_f64()
                .filter(|float| float.fract() == 0.0 && float.abs() < 9e15)
                .map(|float| float as i64)
        }),
        _ => None,
    }
}

impl FromWire for u32 {
    fn fits(value: &Value, range: &RangeInclusive<u32>, reading: &mut Reading<'_>) -> bool {
        let number = integer(value, reading.texts);
        let number = number.and_then(|number| Self::try_from(number).ok());
        number.is_none_or(|number| reading.range(number, range))
    }

    fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self> {
        unsigned(value, Self::MAX.into(), reading)
    }
}

impl FromWire for u64 {
    fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self> {
        unsigned(value, i64::MAX.into(), reading)
    }
}

/// Reads a number from 0 to `most`.
fn unsigned<T: TryFrom<i64>>(value: &Value, most: Value, reading: &mut Reading<'_>) -> Option<T> {
    let (kind, msg, context) = match integer(value, reading.texts) {
        None => ("int_parsing", "the value must be an integer", Value::Null),
        Some(number) => match T::try_from(number) {
            Ok(number) => return Some(number),
            Err(_) if number < 0 => (
                "greater_than_equal",
                "the number must not be negative",
                object([("ge", 0.into())]),
            ),
            Err(_) => (
                "less_than_equal",
                "the number is too large",
                object([("le", most)]),
            ),
        },
    };
    reading.problem(kind, msg, value, context);
    None
}

impl<T: FromWire> FromWire for Option<T> {
    const ONE_OF: &'static [&'static str] = T::ONE_OF;
    const IS_ID: bool = T::IS_ID;

    fn fits(value: &Value, range: &RangeInclusive<u32>, reading: &mut Reading<'_>) -> bool {
        T::fits(value, range, reading)
    }

    fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self> {
        if value.is_null() {
            Some(None)
        } else {
            T::from_wire(value, reading).map(Some)
        }
    }
}

impl<T: FromWire> FromWire for Vec<T> {
    const IS_ID: bool = T::IS_ID;

    fn fits(value: &Value, range: &RangeInclusive<u32>, reading: &mut Reading<'_>) -> bool {
        reading.items(value, *range.end())
    }

    fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self> {
        let Some(items) = value.as_array() else {
            reading.problem(
                "list_type",
                "the value must be an array",
                value,
                Value::Null,
            );
            return None;
        };
        let read: Vec<T> = items
            .iter()
            .enumerate()
            .filter_map(|(index, item)| {
                reading.within(index, |reading| T::from_wire(item, reading))
            })
            .collect();
        (read.len() == items.len()).then_some(read)
    }
}
