//! Times as text.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::value::{Bounds, Value};

/// Formats a time in the form that is stored and returned: ISO 8601, UTC, always with three digits of milliseconds,
/// so that text order is time order.
pub fn iso(time: Timestamp) -> String {
    format!("{time:.3}")
}

/// Reads a date, which means the whole day, or a date with a time. Both are UTC without an offset.
pub(crate) fn bounds(text: &str) -> Option<Bounds> {
    if text.len() == "2026-01-31".len() {
        let day = text.parse::<Date>().ok()?;
        // As text, the stored form of times: the last representable days have no timestamp, and the
        // very last one has no next day.
        let end = match day.tomorrow() {
            Ok(next) => midnight(next),
            Err(_) => format!("{day}T24"),
        };
        return Some(Bounds {
            from: Value::Text(midnight(day)),
            to: Value::Text(end),
            open: true,
        });
    }
    // A time without an offset is UTC.
    let time = text
        .parse::<Timestamp>()
        .or_else(|_| format!("{text}Z").parse::<Timestamp>());
    Some(Value::Text(iso(time.ok()?)).into())
}

/// Returns the start of a day, in the format of [`iso`].
fn midnight(day: Date) -> String {
    format!("{day}T00:00:00.000Z")
}

#[cfg(test)]
mod tests {
    use super::iso;

    #[test]
    fn times_have_milliseconds() {
        let time = jiff::Timestamp::from_millisecond(1_700_000_000_000).unwrap();
        assert_eq!(iso(time), "2023-11-14T22:13:20.000Z");
    }
}
