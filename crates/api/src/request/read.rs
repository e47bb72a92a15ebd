//! Reading parameters out of JSON, with the place of every problem.

use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use crate::error::ErrorEntry;

/// The place in a request that is being read, and the problems found so far.
pub struct Reading<'a> {
    pub(super) at: Vec<String>,
    pub(super) problems: &'a mut Vec<ErrorEntry>,
    /// A query string has only texts: numbers and booleans are read out of them.
    pub(crate) texts: bool,
    /// What is read goes to an upstream that may know more shapes than we do.
    pub(crate) foreign: bool,
}

impl<'a> Reading<'a> {
    /// Starts at `root`.
    pub fn new(root: &'static str, problems: &'a mut Vec<ErrorEntry>) -> Self {
        Self {
            at: vec![root.to_owned()],
            problems,
            texts: root != "body",
            foreign: false,
        }
    }

    /// Runs `read` one step further in.
    pub fn within<T>(&mut self, step: impl ToString, read: impl FnOnce(&mut Self) -> T) -> T {
        self.at.push(step.to_string());
        let result = read(self);
        self.at.pop();
        result
    }

    /// Notes a problem at this place. `ctx` is an object.
    pub fn problem(&mut self, kind: &str, msg: &str, input: &Value, ctx: Value) {
        let ctx = if let Value::Object(ctx) = ctx {
            ctx
        } else {
            Map::new()
        };
        self.problems.push(ErrorEntry {
            loc: self.at.clone(),
            msg: msg.to_owned(),
            kind: kind.to_owned(),
            input: input.clone(),
            ctx,
        });
    }

    /// Notes a missing parameter. The input is the object that lacks it.
    pub fn missing(&mut self, name: &str, object: &Value) {
        self.within(name, |reading| {
            reading.problem("missing", "this parameter is required", object, Value::Null);
        });
    }

    /// Notes a number out of its range.
    pub fn range(&mut self, number: u32, range: &RangeInclusive<u32>) -> bool {
        let (kind, msg, ctx) = if number < *range.start() {
            let least = range.start();
            (
                "greater_than_equal",
                format!("the number must be at least {least}"),
                json!({"ge": least}),
            )
        } else if number > *range.end() {
            let most = range.end();
            (
                "less_than_equal",
                format!("the number must be at most {most}"),
                json!({"le": most}),
            )
        } else {
            return true;
        };
        self.problem(kind, &msg, &json!(number), ctx);
        false
    }
}

/// A type that can be read out of a request.
pub trait FromWire: Sized {
    /// The values it may have, where they are a closed set.
    const ONE_OF: &'static [&'static str] = &[];

    /// Whether it is an id, or made of ids: no empty text.
    const IS_ID: bool = false;

    /// Reads the value, or notes what is wrong with it and gives nothing.
    fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self>;
}

impl FromWire for String {
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

impl FromWire for u32 {
    fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self> {
        let number = match value {
            Value::String(text) if reading.texts => text.parse::<i64>().ok(),
            // 2.0 is an integer in JSON; 2.5 is not.
            Value::Number(number) => number.as_i64().or_else(|| {
                number
                    .as_f64()
                    .filter(|float| float.fract() == 0.0 && float.abs() < 9e15)
                    .map(|float| float as i64)
            }),
            _ => None,
        };
        match number {
            None => {
                reading.problem(
                    "int_parsing",
                    "the value must be an integer",
                    value,
                    Value::Null,
                );
                None
            }
            Some(number) => match Self::try_from(number) {
                Ok(number) => Some(number),
                Err(_) if number < 0 => {
                    reading.problem(
                        "greater_than_equal",
                        "the number must not be negative",
                        value,
                        json!({"ge": 0}),
                    );
                    None
                }
                Err(_) => {
                    reading.problem(
                        "less_than_equal",
                        "the number is too large",
                        value,
                        json!({"le": Self::MAX}),
                    );
                    None
                }
            },
        }
    }
}

impl<T: FromWire> FromWire for Option<T> {
    const ONE_OF: &'static [&'static str] = T::ONE_OF;
    const IS_ID: bool = T::IS_ID;

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
