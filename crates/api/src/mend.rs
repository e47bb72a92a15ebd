//! Responses with an odd part: that part reads as nothing, and the rest stays. Nearly every response is sound
//! and is read at once; only one that is not is looked through here.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::wire::{DecodeError, Wire};

/// What is read at a place of a response.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Whatever there is.
    Any,
    /// A text.
    Text,
    /// True or false.
    Flag,
    /// A number.
    Number,
    /// A whole number of 64 bits.
    Integer,
    /// A whole number from 0, of 64 bits.
    Count,
    /// The same of 32 bits.
    SmallCount,
    /// Counts by name.
    Counts,
    /// Elements of one kind.
    List(&'static Kind),
    /// An object with these members.
    Object(&'static [(&'static str, Kind)]),
}

impl Kind {
    fn wanted(self) -> &'static str {
        match self {
            Self::Any => "a value",
            Self::Text => "a text",
            Self::Flag => "true or false",
            Self::Number => "a number",
            Self::Integer => "an integer",
            Self::Count | Self::SmallCount => "an integer from 0",
            Self::List(_) => "an array",
            Self::Counts | Self::Object(_) => "an object",
        }
    }
}

/// What could not be read, and where; as text, `signals: expected an array, got a text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The place, e.g. `lists[2].list_id`; empty for the whole.
    pub at: String,
    /// What was expected there, and what is there instead.
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

/// So many problems are told of one value; the others are not there either.
const MOST: usize = 8;

/// Reads a value. What is odd in it reads as nothing and is told, unless it is the whole.
pub(crate) fn read<T: DeserializeOwned + Wire>(
    text: &str,
) -> Result<(T, Vec<Problem>), DecodeError> {
    let error = match serde_json::from_str(text) {
        Ok(value) => return Ok((value, Vec::new())),
        Err(error) => error,
    };
    let mended = mend(text, T::KIND).and_then(|(mended, problems)| {
        let value = serde_json::from_str(&mended).ok()?;
        Some((value, problems))
    });
    mended.ok_or_else(|| DecodeError::new(error))
}

/// The text without its odd parts. Nothing where it is odd as a whole, or no JSON.
fn mend(text: &str, kind: Kind) -> Option<(String, Vec<Problem>)> {
    let mut mender = Mender::default();
    let raw: &RawValue = serde_json::from_str(text).ok()?;
    mender
        .value(raw, kind)
        .then_some((mender.out, mender.problems))
}

#[derive(Default)]
struct Mender {
    out: String,
    at: String,
    problems: Vec<Problem>,
}

impl Mender {
    /// Writes a value without its odd parts; null, where it is odd itself.
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

    /// An element that is none or odd is left out.
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

/// What is there, in a word; a long value is not quoted.
pub(crate) fn got(text: &str) -> &str {
    match text.as_bytes().first() {
        Some(b'"') => "a text",
        Some(b'[') => "an array",
        Some(b'{') => "an object",
        _ if text.len() > 40 => "a number",
        _ => text,
    }
}
