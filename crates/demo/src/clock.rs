//! Times of the demo data. All of them are before a fixed day, so that the data never changes.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

use crate::random::Random;

pub(crate) const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// End of the demo data's period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clock {
    pub(crate) end: Timestamp,
    pub(crate) year: i64,
}

impl Clock {
    /// Returns the clock at the end of a day, UTC.
    pub(crate) fn at_end_of(day: Date) -> Self {
        let since = day.duration_since(Date::constant(1970, 1, 1));
        Self {
            end: Timestamp::UNIX_EPOCH + since + days(1),
            year: i64::from(day.year()),
        }
    }

    /// Picks a time within the last `within` days, during office hours; recent times are more
    /// likely.
    pub(crate) fn within(self, random: &mut Random, within: u64) -> Timestamp {
        let (a, b) = (random.below(within), random.below(within));
        let ago = i64::try_from(if random.percent(40) { a.min(b) } else { a }).unwrap_or(0);
        let hour = SignedDuration::from_hours(random.between(6, 18));
        let within_hour = random.up_to(HOUR - SignedDuration::from_millis(1));
        self.end - days(ago + 1) + hour + within_hour
    }

    /// Picks a time at most `within` days after another, but not after the end of the period.
    pub(crate) fn after(self, random: &mut Random, from: Timestamp, within: i64) -> Timestamp {
        let last = self.end - SignedDuration::from_millis(1);
        let latest = (from + days(within)).min(last).max(from);
        from + random.up_to(latest.duration_since(from))
    }
}

pub(crate) const fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

/// Returns the date of a time, such as `2026-05-29`.
pub(crate) fn date(time: Timestamp) -> String {
    time.strftime("%F").to_string()
}
