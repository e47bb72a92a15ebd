//! Reads request parameters from JSON and records the location of every problem.

mod values;

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::error::ErrorEntry;
use crate::json::object;
use crate::limits::{ECHO_BYTES, PROBLEMS};

/// The current location in a request, and the problems found so far.
pub struct Reading<'a> {
    pub(super) at: Vec<String>,
    pub(super) problems: &'a mut Vec<ErrorEntry>,
    /// Query strings contain only text, from which numbers and booleans are parsed.
    pub(crate) texts: bool,
    /// The request goes to an upstream that may accept other shapes than ours.
    pub(crate) foreign: bool,
}

impl<'a> Reading<'a> {
    /// Starts at `root`. With any root other than `body`, numbers and booleans are also read from text.
    pub fn new(root: &'static str, problems: &'a mut Vec<ErrorEntry>) -> Self {
        Self {
            at: vec![root.to_owned()],
            problems,
            texts: root != "body",
            foreign: false,
        }
    }

    /// Returns a reading of an object at the current location.
    pub(crate) fn nested(&mut self) -> Reading<'_> {
        Reading {
            at: self.at.clone(),
            problems: self.problems,
            texts: self.texts,
            foreign: self.foreign,
        }
    }

    /// Runs `read` one level deeper, at `step`.
    pub fn within<T>(&mut self, step: impl ToString, read: impl FnOnce(&mut Self) -> T) -> T {
        self.at.push(step.to_string());
        let result = read(self);
        self.at.pop();
        result
    }

    /// Records a problem at the current location; `ctx` is an object or null.
    ///
    /// After `limits::PROBLEMS` problems, one more entry states that there are others, and the rest is dropped. A
    /// long input is cut or replaced by null.
    pub fn problem(&mut self, kind: &str, msg: &str, input: &Value, ctx: Value) {
        if self.problems.len() >= PROBLEMS {
            if self.problems.len() == PROBLEMS {
                self.problems.push(ErrorEntry {
                    loc: self.at.iter().take(1).cloned().collect(),
                    msg: format!("there are more problems; only the first {PROBLEMS} are listed"),
                    kind: "too_many_errors".into(),
                    ..ErrorEntry::default()
                });
            }
            return;
        }
        let ctx = if let Value::Object(ctx) = ctx {
            ctx
        } else {
            Map::new()
        };
        self.problems.push(ErrorEntry {
            loc: self.at.clone(),
            msg: msg.to_owned(),
            kind: kind.to_owned(),
            input: echo(input),
            ctx,
        });
    }

    /// Reads a parameter of an object. A parameter without a default is required.
    pub(crate) fn param<T: FromWire>(
        &mut self,
        object: &Value,
        name: &str,
        limits: ParamLimits,
        default: Option<T>,
    ) -> Option<T> {
        let Some(found) = object.get(name) else {
            if default.is_none() {
                self.missing(name, object);
            }
            return default;
        };
        self.within(name, |reading| read_within(found, &limits, reading))
    }

    /// Records the problems of a parameter of an object, as [`param`](Self::param) does.
    pub(crate) fn check_param(
        &mut self,
        object: &Value,
        name: &str,
        limits: &ParamLimits,
        required: bool,
        is_valid: fn(&Value, &ParamLimits, &mut Self) -> bool,
    ) {
        match object.get(name) {
            Some(found) => {
                self.within(name, |reading| is_valid(found, limits, reading));
            }
            None if required => self.missing(name, object),
            None => {}
        }
    }

    /// Returns whether the value is an object, and records a problem if not.
    pub(crate) fn object(&mut self, value: &Value) -> bool {
        if !value.is_object() {
            let msg = "the value must be an object";
            self.problem("model_attributes_type", msg, value, Value::Null);
        }
        value.is_object()
    }

    /// Records a missing parameter. The input of the entry is the object that lacks it.
    pub fn missing(&mut self, name: &str, object: &Value) {
        self.within(name, |reading| {
            reading.problem("missing", "this parameter is required", object, Value::Null);
        });
    }

    /// Returns whether a text has at most `most` words, and records a problem if not.
    ///
    /// Values that are not text pass.
    pub fn words(&mut self, value: &Value, most: u32) -> bool {
        let words = value.as_str().unwrap_or_default().split_whitespace();
        let fits = words.count() <= most as usize;
        if !fits {
            let msg = format!("the text can have at most {most} words");
            self.problem(
                "too_many_words",
                &msg,
                value,
                object([("max_words", most.into())]),
            );
        }
        fits
    }

    /// Returns whether a text has at most `most` characters, and records a problem if not.
    ///
    /// Values that are not text pass.
    pub fn characters(&mut self, value: &Value, most: u32) -> bool {
        let text = value.as_str().unwrap_or_default();
        let most_characters = most as usize;
        // At most `most` bytes always fit, and more than 4 bytes per character never do: only count in
        // between.
        let fits = text.len() <= most_characters
            || (text.len() <= 4 * most_characters && text.chars().count() <= most_characters);
        if !fits {
            let msg = format!("the text can have at most {most} characters");
            self.problem(
                "string_too_long",
                &msg,
                value,
                object([("max_length", most.into())]),
            );
        }
        fits
    }

    /// Returns whether an array has at most `most` items, and records a problem if not.
    ///
    /// Values that are not arrays pass.
    pub fn items(&mut self, value: &Value, most: u32) -> bool {
        let items = value.as_array().map_or(0, Vec::len);
        let fits = items <= most as usize;
        if !fits {
            let msg = format!("the array can have at most {most} items");
            let ctx = object([("max_length", most.into()), ("actual_length", items.into())]);
            self.problem("too_long", &msg, value, ctx);
        }
        fits
    }

    /// Returns whether a number is in its range, and records a problem if not.
    fn range(&mut self, number: u32, range: &RangeInclusive<u32>) -> bool {
        let (kind, msg, ctx) = if number < *range.start() {
            let least = range.start();
            (
                "greater_than_equal",
                format!("the number must be at least {least}"),
                object([("ge", (*least).into())]),
            )
        } else if number > *range.end() {
            let most = range.end();
            (
                "less_than_equal",
                format!("the number must be at most {most}"),
                object([("le", (*most).into())]),
            )
        } else {
            return true;
        };
        self.problem(kind, &msg, &number.into(), ctx);
        false
    }
}

/// The limits of a parameter, as declared in `request!`.
pub(crate) struct ParamLimits {
    pub(crate) range: Option<RangeInclusive<u32>>,
    pub(crate) words: Option<u32>,
}

/// Reads the value of a parameter.
fn read_within<T: FromWire>(
    value: &Value,
    limits: &ParamLimits,
    reading: &mut Reading<'_>,
) -> Option<T> {
    // Checked before parsing, whose cost grows with the size.
    let range = limits.range.as_ref();
    let fits = range.is_none_or(|range| T::fits(value, range, reading))
        && limits.words.is_none_or(|most| reading.words(value, most));
    fits.then(|| T::from_wire(value, reading)).flatten()
}

/// Returns whether the value of a parameter can be read, and records the problems if not.
pub(crate) fn is_valid<T: FromWire>(
    value: &Value,
    limits: &ParamLimits,
    reading: &mut Reading<'_>,
) -> bool {
    read_within::<T>(value, limits, reading).is_some()
}

/// A type that can be read from a request.
pub trait FromWire: Sized {
    /// The allowed values, if they are a closed set; otherwise empty.
    const ONE_OF: &'static [&'static str] = &[];

    /// Whether it is an id or made of ids. An id must not be empty.
    const IS_ID: bool = false;

    /// Returns whether the value is within a limit, and records a problem if not.
    ///
    /// The limit applies to a number itself, the characters of a text or the items of an array. A value of
    /// another type passes, because reading it reports a more precise problem.
    fn fits(value: &Value, range: &RangeInclusive<u32>, reading: &mut Reading<'_>) -> bool {
        let _ = (value, range, reading);
        true
    }

    /// Reads the value, or records what is wrong with it and returns `None`.
    fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self>;
}

/// Returns the input for an error entry: a long text is cut, a large array or object becomes null.
fn echo(value: &Value) -> Value {
    let mut room = ECHO_BYTES;
    if takes(value, &mut room) {
        return value.clone();
    }
    match value {
        Value::String(text) => {
            let most = ECHO_BYTES / 4;
            Value::String(text.chars().take(most).chain(['…']).collect())
        }
        _ => Value::Null,
    }
}

/// Subtracts the approximate JSON size of a value, in bytes, from `room`; returns false if it does not fit.
fn takes(value: &Value, room: &mut usize) -> bool {
    let bytes = match value {
        Value::String(text) => text.len(),
        _ => 4,
    };
    let Some(left) = room.checked_sub(bytes) else {
        return false;
    };
    *room = left;
    match value {
        Value::Array(items) => items.iter().all(|item| takes(item, room)),
        Value::Object(members) => members.iter().all(|(name, member)| {
            *room = room.saturating_sub(name.len());
            takes(member, room)
        }),
        _ => true,
    }
}
