//! Times of the demo data. They are made for one fixed day, so that the records of a seed never change, and then moved to
//! the day on which the data is written.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::random::Random;

pub(crate) const HOUR: SignedDuration = SignedDuration::from_hours(1);

const DAY_MS: i64 = 86_400_000;

/// The end of the day that the data is made for: 2026-05-30T00:00:00Z. Data for this time is not moved.
pub const EXAMPLE_NOW: Timestamp = Timestamp::constant(1_780_099_200, 0);

/// The year of that day.
pub(crate) const YEAR: i64 = 2026;

/// Moves times to the day on which the data is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    /// From the end of the fixed day to the end of this day.
    shift: SignedDuration,
    /// The part of this day that has passed, in milliseconds.
    passed: i64,
}

impl Clock {
    /// Takes the time after which nothing has happened.
    pub(crate) fn new(now: Timestamp) -> Self {
        let since = now.as_millisecond() - EXAMPLE_NOW.as_millisecond();
        // Midnight is the end of a day, not the beginning of one.
        let passed = (since - 1).rem_euclid(DAY_MS) + 1;
        Self {
            shift: SignedDuration::from_millis(since - passed + DAY_MS),
            passed,
        }
    }

    /// Returns the end of the day.
    pub(crate) fn day_end(self) -> Timestamp {
        EXAMPLE_NOW.checked_add(self.shift).unwrap_or(EXAMPLE_NOW)
    }

    /// Moves a time of the fixed day, or of one before. The last day is shortened to what has passed of it, so that the
    /// order of all times is kept.
    pub(crate) fn moved(self, time: Timestamp) -> Timestamp {
        let left = EXAMPLE_NOW.as_millisecond() - time.as_millisecond();
        let left = if left < DAY_MS {
            DAY_MS - self.passed + left * self.passed / DAY_MS
        } else {
            left
        };
        let time = EXAMPLE_NOW - SignedDuration::from_millis(left);
        time.checked_add(self.shift).unwrap_or(time)
    }
}

/// Picks a time within the last `within` days, during office hours; recent times are more likely.
pub(crate) fn within(random: &mut Random, within: u64) -> Timestamp {
    let (a, b) = (random.below(within), random.below(within));
    let ago = i64::try_from(if random.percent(40) { a.min(b) } else { a }).unwrap_or(0);
    let hour = SignedDuration::from_hours(random.between(6, 18));
    let within_hour = random.up_to(HOUR - SignedDuration::from_millis(1));
    EXAMPLE_NOW - days(ago + 1) + hour + within_hour
}

/// Picks a time at most `within` days after another, but not after the fixed day.
pub(crate) fn after(random: &mut Random, from: Timestamp, within: i64) -> Timestamp {
    let last = EXAMPLE_NOW - SignedDuration::from_millis(1);
    let latest = (from + days(within)).min(last).max(from);
    from + random.up_to(latest.duration_since(from))
}

pub(crate) const fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

/// Returns the date of a time, such as `2026-05-29`.
pub(crate) fn date(time: Timestamp) -> String {
    TimeZone::UTC.to_datetime(time).date().to_string()
}

#[cfg(test)]
mod tests {
    use super::{Clock, EXAMPLE_NOW};
    use jiff::Timestamp;

    fn moved(now: &str, times: [&str; 3]) -> [String; 3] {
        let clock = Clock::new(now.parse().unwrap());
        times.map(|time| clock.moved(time.parse().unwrap()).to_string())
    }

    #[test]
    fn times_are_moved_by_whole_days_and_are_never_later_than_now() {
        let times = [
            "2026-05-27T06:00:00Z",
            "2026-05-29T12:00:00Z",
            "2026-05-30T00:00:00Z",
        ];
        assert_eq!(moved("2026-05-30T00:00:00Z", times), times);
        assert_eq!(
            moved("2026-11-27T16:00:00Z", times),
            [
                "2026-11-25T06:00:00Z",
                "2026-11-27T08:00:00Z",
                "2026-11-27T16:00:00Z"
            ]
        );
        assert_eq!(
            moved("1970-01-02T00:00:00Z", times),
            [
                "1969-12-30T06:00:00Z",
                "1970-01-01T12:00:00Z",
                "1970-01-02T00:00:00Z"
            ]
        );
    }

    #[test]
    fn any_time_can_be_now() {
        for now in [Timestamp::MIN, Timestamp::MAX] {
            let clock = Clock::new(now);
            assert!(clock.moved(EXAMPLE_NOW) <= Timestamp::MAX);
            clock.moved(EXAMPLE_NOW - super::days(400));
        }
    }
}
