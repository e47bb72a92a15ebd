//! Times as they are stored and answered.

use jiff::Timestamp;

/// Now: ISO 8601, UTC, always three digits of milliseconds, so that it sorts as it reads.
pub fn now() -> String {
    iso(Timestamp::now())
}

/// A time in the same form.
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
