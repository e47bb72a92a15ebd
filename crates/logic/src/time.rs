//! Times as text.

use jiff::Timestamp;

/// Formats a time in the form that is stored and returned: ISO 8601, UTC, always with three digits of milliseconds,
/// so that text order is time order.
pub fn iso(time: Timestamp) -> String {
    format!("{time:.3}")
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
