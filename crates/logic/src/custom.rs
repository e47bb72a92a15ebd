//! Custom fields: what the values of `custom_data` are, and how they are compared.
//!
//! - A number is a JSON number, or a text that [is a plain one](lead_workspace_api::is_plain_number).
//! - A date is a text in the form of ISO 8601, with or without a time. Without one it is the midnight at which the day begins,
//!   UTC.
//! - `true` and `false` are the JSON values, or texts in any case.
//! - Everything else is a text. White space around a text does not matter. If only white space is left, there is no
//!   value. Of a long text, the first [`TEXT_CHARACTERS`] characters count.
//! - Arrays and objects are kept, and there is no value to compare.
//!
//! The kind of a field is that of all its values; of several kinds, it is text. Values are ordered by kind: numbers, then false
//! and true, then dates, then texts. An operator of order takes a bound of the kind of the field.

mod keys;
mod members;
mod summary;

use std::borrow::Cow;

use lead_workspace_api::limits::VALUE_CHARACTERS;
use lead_workspace_api::{CustomKind, plain_number};

use crate::value::{Bounds, Interval, Value};
use crate::{fold, time as times};

pub use keys::{add_keys, can_be_queried, have_custom_field, new_keys, not_queried, note};
pub use members::{Member, members};
pub use summary::Summaries;

/// Characters of a text that are compared.
pub const TEXT_CHARACTERS: usize = 256;

/// The least whole number with more digits than a [`plain_number`].
const TOO_LONG: f64 = 1e15;

/// A value that is compared.
#[derive(Clone, Debug, PartialEq)]
pub enum CustomValue {
    Number(f64),
    Flag(bool),
    /// In the form of [`iso`](crate::iso).
    Time(String),
    /// Folded.
    Text(String),
}

impl CustomValue {
    /// Returns the value of a member; `None` if there is nothing to compare.
    pub fn of(member: &Member<'_>) -> Option<Self> {
        match member {
            Member::Number(number) => Some(Self::number(*number)),
            Member::Flag(flag) => Some(Self::Flag(*flag)),
            Member::Text(text) => Self::of_text(text),
            Member::Nothing | Member::Deep => None,
        }
    }

    fn of_text(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        if let Some(number) = plain_number(text) {
            return Some(Self::number(number));
        }
        if let Some(Bounds {
            from: Value::Text(time),
            ..
        }) = time(text)
        {
            return Some(Self::Time(time));
        }
        for flag in [true, false] {
            if text.eq_ignore_ascii_case(if flag { "true" } else { "false" }) {
                return Some(Self::Flag(flag));
            }
        }
        let folded = fold(text);
        let text = match folded.char_indices().nth(TEXT_CHARACTERS) {
            Some((end, _)) => &folded[..end],
            None => &folded,
        };
        let text = text.trim();
        (!text.is_empty()).then(|| Self::Text(text.to_owned()))
    }

    fn number(number: f64) -> Self {
        // There is one zero.
        Self::Number(if number == 0.0 { 0.0 } else { number })
    }

    pub fn kind(&self) -> CustomKind {
        match self {
            Self::Number(_) => CustomKind::Number,
            Self::Flag(_) => CustomKind::Boolean,
            Self::Time(_) => CustomKind::Date,
            Self::Text(_) => CustomKind::Text,
        }
    }

    /// Returns the form in which the index has the value: numbers, and texts that begin with a mark of their kind.
    pub fn stored(&self) -> Value {
        let text = match self {
            Self::Number(number) => return Value::Real(*number),
            Self::Flag(flag) => Cow::from(if *flag { "true" } else { "false" }),
            // In lower case, like the part that a filter looks for.
            Self::Time(time) => time.to_ascii_lowercase().into(),
            Self::Text(text) => text.into(),
        };
        Value::Text(format!("{}{text}", mark(self.kind())))
    }
}

/// Returns the mark of a kind. It is in no folded text, and marks are in the order of the kinds.
const fn mark(kind: CustomKind) -> char {
    match kind {
        CustomKind::Number | CustomKind::Other => '\0',
        CustomKind::Boolean => '\u{1}',
        CustomKind::Date => '\u{2}',
        CustomKind::Text => '\u{3}',
    }
}

/// The kinds that are compared, in the order of their values.
pub const KINDS: [CustomKind; 4] = [
    CustomKind::Number,
    CustomKind::Boolean,
    CustomKind::Date,
    CustomKind::Text,
];

/// Returns where the index has the values of a kind.
pub fn section(kind: CustomKind) -> Interval {
    let from = Value::Text(mark(kind).into());
    let end = (mark(kind)..).nth(1).unwrap_or_default();
    Interval {
        // Numbers come before all texts.
        from: (kind != CustomKind::Number).then_some(from),
        to: Some(Value::Text(end.into())),
        before: true,
        ..Interval::default()
    }
}

/// Returns a filter value in the form in which the index has values.
pub fn stored(text: &str) -> Value {
    let value = CustomValue::of(&Member::Text(text.into()));
    value.map_or_else(|| text.into(), |value| value.stored())
}

/// Returns the value of a field of a lead in the form of the index, and as it was written: as much of it as a filter
/// takes.
pub fn written(custom_data: &str, key: &str) -> Option<(Value, String)> {
    let mut found = None;
    members(custom_data, |member, value| {
        if member == key {
            let stored = CustomValue::of(&value).map(|value| value.stored());
            let text =
                value.text().map(
                    |text| match text.char_indices().nth(VALUE_CHARACTERS as usize) {
                        Some((end, _)) => text[..end].to_owned(),
                        None => text.into_owned(),
                    },
                );
            found = stored.zip(text);
        }
    });
    found
}

/// Returns the text of a value in the form of the index: folded, as filters look into it.
pub fn text_of(stored: &Value) -> String {
    match stored {
        Value::Text(text) => unmarked(text).to_owned(),
        Value::Real(number) => number.to_string(),
        Value::Integer(number) => number.to_string(),
    }
}

/// Returns a text without the mark of its kind.
pub fn unmarked(text: &str) -> &str {
    text.trim_start_matches(|first| KINDS.iter().any(|kind| mark(*kind) == first))
}

/// Returns the kind of a field from the kinds of its values; `None` if it has no values.
pub fn kind_of(kinds: impl IntoIterator<Item = CustomKind>) -> Option<CustomKind> {
    let mut kinds = kinds.into_iter();
    let first = kinds.next()?;
    let is_first = kinds.all(|kind| kind == first);
    Some(if is_first { first } else { CustomKind::Text })
}

/// Reads a date, or a date with a time.
pub(crate) fn time(text: &str) -> Option<Bounds> {
    let is_date = |date: &[u8; 10]| {
        let mut places = date.iter().enumerate();
        places.all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
    };
    // Most texts are no dates, and there are other forms of dates.
    text.as_bytes()
        .first_chunk()
        .is_some_and(is_date)
        .then(|| times::bounds(text))
        .flatten()
}

#[cfg(test)]
mod tests;
