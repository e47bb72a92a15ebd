//! Repairs malformed responses: malformed parts read as null, and the rest is kept.
//!
//! Nearly every response is well-formed and parsed directly. Only a malformed one is repaired here.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::kind::Kind;
use crate::wire::{DecodeError, Wire};

/// What could not be read, and where. Formatted as `signals: expected an array, got a string`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The location, e.g. `lists[2].list_id`; empty for the whole value.
    pub at: String,
    /// What was expected and what was found instead.
    pub what: String,
}

impl Problem {
    pub(crate) fn new(at: &str, wanted: &str, got: &str) -> Self {
        Self {
            at: at.to_owned(),
            what: ["expected ", wanted, ", got ", got].concat(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.at.is_empty() {
            f.write_str(&self.at)?;
            f.write_str(": ")?;
        }
        f.write_str(&self.what)
    }
}

/// Maximum number of problems reported per value. Further malformed parts are removed without a report.
const MOST: usize = 8;

/// Reads a value. Malformed parts read as null and are reported; a value malformed as a whole is an error.
pub(crate) fn read<T: DeserializeOwned + Wire>(
    text: &str,
) -> Result<(T, Vec<Problem>), DecodeError> {
    let error = match serde_json::from_str(text) {
        Ok(value) => return Ok((value, Vec::new())),
        Err(error) => error,
    };
    let repaired = repair(text, T::KIND).and_then(|(repaired, problems)| {
        let value = serde_json::from_str(&repaired).ok()?;
        Some((value, problems))
    });
    repaired.ok_or_else(|| DecodeError::new(error))
}

/// Returns the text without its malformed parts; `None` if all of it is malformed, or not JSON.
fn repair(text: &str, kind: Kind) -> Option<(String, Vec<Problem>)> {
    let mut repairer = Repairer::default();
    let raw: &RawValue = serde_json::from_str(text).ok()?;
    repairer
        .value(raw, kind)
        .then_some((repairer.out, repairer.problems))
}

#[derive(Default)]
struct Repairer {
    out: String,
    at: String,
    problems: Vec<Problem>,
}

impl Repairer {
    /// Writes a value without its malformed parts; writes null and returns false if it is malformed itself.
    fn value(&mut self, raw: &RawValue, kind: Kind) -> bool {
        let text = raw.get();
        let fits = match kind {
            Kind::Object(fields) => return self.object(raw, fields),
            Kind::List(of) => return self.list(raw, *of),
            Kind::Any => true,
            Kind::Text => text.starts_with('"'),
            Kind::Flag => matches!(text, "true" | "false"),
            Kind::Number => serde_json::from_str::<f64>(text).is_ok(),
            Kind::Integer => serde_json::from_str::<i64>(text).is_ok(),
            Kind::Count => serde_json::from_str::<u64>(text).is_ok(),
            Kind::SmallCount => serde_json::from_str::<u32>(text).is_ok(),
            Kind::Counts => text.starts_with('{'),
        };
        if !fits {
            return self.odd(text, kind);
        }
        self.out.push_str(text);
        true
    }

    fn odd(&mut self, text: &str, kind: Kind) -> bool {
        if self.problems.len() < MOST {
            self.problems
                .push(Problem::new(&self.at, kind.wanted(), got(text)));
        }
        self.out.push_str("null");
        false
    }

    fn object(&mut self, raw: &RawValue, fields: &'static [(&'static str, Kind)]) -> bool {
        let Ok(members) = serde_json::from_str::<BTreeMap<String, &RawValue>>(raw.get()) else {
            return self.odd(raw.get(), Kind::Object(fields));
        };
        self.out.push('{');
        let mut first = true;
        for (name, kind) in fields {
            let Some(member) = members.get(*name).filter(|member| member.get() != "null") else {
                continue;
            };
            if !std::mem::take(&mut first) {
                self.out.push(',');
            }
            self.out.push('"');
            self.out.push_str(name);
            self.out.push_str("\":");
            let end = self.at.len();
            if end > 0 {
                self.at.push('.');
            }
            self.at.push_str(name);
            self.value(member, *kind);
            self.at.truncate(end);
        }
        self.out.push('}');
        true
    }

    /// Leaves out malformed elements, and null elements unless any value is allowed.
    fn list(&mut self, raw: &RawValue, of: Kind) -> bool {
        let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(raw.get()) else {
            return self.odd(raw.get(), Kind::List(&Kind::Any));
        };
        self.out.push('[');
        let mut first = true;
        for (index, item) in items.into_iter().enumerate() {
            if item.get() == "null" && !matches!(of, Kind::Any) {
                continue;
            }
            let (end, written) = (self.at.len(), self.out.len());
            self.at += &["[", &crate::json::text(&index.into()), "]"].concat();
            if !std::mem::take(&mut first) {
                self.out.push(',');
            }
            if !self.value(item, of) {
                self.out.truncate(written);
                first = written > 0 && self.out.ends_with('[');
            }
            self.at.truncate(end);
        }
        self.out.push(']');
        true
    }
}

/// Describes what was found: its kind, or a short literal itself.
pub(crate) fn got(text: &str) -> &str {
    match text.as_bytes().first() {
        Some(b'"') => "a string",
        Some(b'[') => "an array",
        Some(b'{') => "an object",
        _ if text.len() > 40 => "a number",
        _ => text,
    }
}
