//! Durations and times in options.

use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, civil};

/// Reads a duration: a number with `s`, `m`, `h` or `d`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let problem = || format!("{text:?} is not a duration; use a number and s, m, h or d, e.g. 90d");
    let at = text.len().checked_sub(1).ok_or_else(problem)?;
    let (number, unit) = text.split_at_checked(at).ok_or_else(problem)?;
    let seconds: u64 = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return Err(problem()),
    };
    let number: u64 = number.parse().map_err(|_| problem())?;
    let total = number.checked_mul(seconds).ok_or_else(problem)?;
    Ok(Duration::from_secs(total))
}

/// Reads a time: a duration after `now`, a day (its beginning, in UTC), or a time with its offset.
pub(super) fn after(text: &str, now: Timestamp) -> Result<Timestamp, String> {
    time(text, |span| now.checked_add(span).ok())
}

/// Reads a time: a duration before `now`, a day (its beginning, in UTC), or a time with its offset.
pub(super) fn before(text: &str, now: Timestamp) -> Result<Timestamp, String> {
    time(text, |span| now.checked_sub(span).ok())
}

fn time(
    text: &str,
    from_now: impl FnOnce(SignedDuration) -> Option<Timestamp>,
) -> Result<Timestamp, String> {
    let problem = || {
        format!(
            "{text:?} is not a time; use a duration such as 90d, a day such as 2027-01-31, or a time such as \
             2027-01-31T18:00:00Z"
        )
    };
    if let Ok(duration) = duration(text) {
        let span = SignedDuration::try_from(duration).map_err(|_| problem())?;
        return from_now(span).ok_or_else(problem);
    }
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time);
    }
    // A day only: a text with a time but no offset could mean any time zone.
    let day = civil::Date::strptime("%Y-%m-%d", text).map_err(|_| problem())?;
    let start = day.to_zoned(TimeZone::UTC).map_err(|_| problem())?;
    Ok(start.timestamp())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::Timestamp;

    use super::{after, before, duration};

    #[test]
    fn durations_have_a_unit() {
        for (text, seconds) in [("30s", 30), ("5m", 300), ("24h", 86_400), ("7d", 604_800)] {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in [
            "",
            "d",
            "7",
            "-7d",
            "7 d",
            "7w",
            "1.5h",
            "99999999999999999999d",
            "7é",
        ] {
            assert!(
                duration(text).unwrap_err().contains("not a duration"),
                "{text}"
            );
        }
    }

    #[test]
    fn times_are_relative_or_absolute() {
        let now: Timestamp = "2026-11-25T12:00:00Z".parse().unwrap();
        let iso = |time: Result<Timestamp, String>| time.map(crate::time::iso);
        let at = |text: &str| Ok(format!("{text}.000Z"));
        assert_eq!(iso(after("1d", now)), at("2026-11-26T12:00:00"));
        assert_eq!(iso(before("1d", now)), at("2026-11-24T12:00:00"));
        assert_eq!(iso(after("2027-01-31", now)), at("2027-01-31T00:00:00"));
        let offset = "2027-01-31T18:00:00+02:00";
        assert_eq!(iso(after(offset, now)), at("2027-01-31T16:00:00"));
        for text in [
            "tomorrow",
            "2027-02-30",
            "2027-01-31T18:00:00",
            "99999999999d",
        ] {
            assert!(
                after(text, now).unwrap_err().contains("is not a time"),
                "{text}"
            );
        }
    }
}
