//! Times of the demo data. All of them are before a fixed day, so that the data never changes.

use jiff::Timestamp;
use jiff::civil::Date;

use super::random::Random;
use crate::time::iso;

const DAY: i64 = 86_400_000;
const HOUR: i64 = 3_600_000;

/// End of the demo data's period, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    pub(crate) today: i64,
    pub(crate) year: i64,
}

impl Clock {
    /// Returns the clock at the end of a day, UTC.
    pub(crate) fn at_end_of(day: Date) -> Self {
        let since = day.duration_since(Date::constant(1970, 1, 1));
        Self {
            today: i64::try_from(since.as_millis()).unwrap_or_default() + DAY,
            year: i64::from(day.year()),
        }
    }

    pub(crate) fn timestamp(self) -> Timestamp {
        Timestamp::from_millisecond(self.today).unwrap_or_default()
    }

    /// Picks a time within the last `days` days, during office hours; recent times are more likely.
    pub(crate) fn within(self, random: &mut Random, days: u64) -> i64 {
        let (a, b) = (random.below(days), random.below(days));
        let ago = i64::try_from(if random.percent(40) { a.min(b) } else { a }).unwrap_or(0);
        let hour = random.between(6, 18);
        let within_hour = random.between(0, HOUR - 1);
        self.today - (ago + 1) * DAY + hour * HOUR + within_hour
    }

    /// Picks a time at most `days` days after another, but not after the end of the period.
    pub(crate) fn after(self, random: &mut Random, from: i64, days: i64) -> i64 {
        let latest = (from + days * DAY).min(self.today - 1);
        random.between(from, latest.max(from))
    }
}

/// Formats a time in the stored form.
pub(crate) fn text(millis: i64) -> String {
    // Times of the demo data are far from the limits of a timestamp.
    iso(Timestamp::from_millisecond(millis).unwrap_or_default())
}

/// Returns the whole days from one time to another.
pub(crate) const fn days_between(from: i64, to: i64) -> i64 {
    (to - from) / DAY
}

pub(crate) const fn days(days: i64) -> i64 {
    days * DAY
}
