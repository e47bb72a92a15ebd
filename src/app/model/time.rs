//! Timestamps of the API. Pure: callers pass the current time.

/// Parses an ISO 8601 text to milliseconds since 1970. Without an offset, the time is UTC. Returns
/// `None` for anything else, so that no other text is mistaken for a date.
pub fn instant(text: &str) -> Option<i64> {
    let mut rest = IsoParser(text.trim().as_bytes());
    let year = rest.digits(4)?;
    rest.skip(b'-')?;
    let month = rest.digits(2).filter(|month| (1..=12).contains(month))?;
    rest.skip(b'-')?;
    let (first, next) = (
        days(year, month, 1),
        days(year + month / 12, month % 12 + 1, 1),
    );
    let day = rest
        .digits(2)
        .filter(|day| (1..=next - first).contains(day))?;
    let midnight = (first + day - 1) * 86_400_000;
    if rest.0.is_empty() {
        return Some(midnight);
    }
    rest.one_of(b"Tt ")?;
    let hours = rest.digits(2).filter(|hours| *hours <= 24)?;
    rest.skip(b':')?;
    let minutes = rest.digits(2).filter(|minutes| *minutes < 60)?;
    let mut millis = (hours * 60 + minutes) * 60_000;
    if rest.skip(b':').is_some() {
        millis += rest.digits(2).filter(|seconds| *seconds <= 60)? * 1000;
        if rest.one_of(b".,").is_some() {
            millis += rest.fraction()?;
        }
    }
    Some(midnight + millis - rest.offset()?)
}

/// Whether a text is a date without a time: the same calendar day in every time zone.
pub fn is_day(text: &str) -> bool {
    text.trim().len() == 10 && instant(text).is_some()
}

/// Returns the distance of a time in the form of `Intl.RelativeTimeFormat`. It is a number,
/// negative for the past, and its unit.
pub fn distance(then: i64, now: i64) -> (i64, &'static str) {
    const UNITS: [(i64, &str); 6] = [
        (365 * 86_400, "year"),
        (30 * 86_400, "month"),
        (7 * 86_400, "week"),
        (86_400, "day"),
        (3_600, "hour"),
        (60, "minute"),
    ];
    let seconds = then.saturating_sub(now) / 1000;
    let found = UNITS.iter().find(|(size, unit)| {
        // Below two weeks, days are more precise; below two months, weeks are.
        let least = if matches!(*unit, "week" | "month") {
            2
        } else {
            1
        };
        seconds.abs() >= size * least
    });
    match found {
        Some((size, unit)) => (seconds / size, unit),
        None => (0, "minute"),
    }
}

/// How long ago something was, for a narrow column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Age {
    /// Such as `2 d` or `3 wk`; `now` in the first minute, and for the future.
    pub text: String,
    pub freshness: Freshness,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// At most three days old.
    Fresh,
    /// At most seven days old.
    Recent,
    Old,
}

/// Returns the age of a time. Both are in milliseconds since 1970.
pub fn age(then: i64, now: i64) -> Age {
    const UNITS: [(i64, &str); 6] = [
        (365 * 86_400, " yr"),
        (30 * 86_400, " mo"),
        (7 * 86_400, " wk"),
        (86_400, " d"),
        (3_600, " h"),
        (60, " min"),
    ];
    let seconds = now.saturating_sub(then) / 1000;
    let found = UNITS.iter().find(|(size, _)| seconds >= *size);
    Age {
        text: match found {
            Some((size, unit)) => [&(seconds / size).to_string(), *unit].concat(),
            None => "now".to_owned(),
        },
        freshness: match seconds {
            ..=259_200 => Freshness::Fresh,
            259_201..=604_800 => Freshness::Recent,
            _ => Freshness::Old,
        },
    }
}

/// Same as [`distance`], for a time that is known to the day.
pub fn distance_in_days(then: i64, now: i64) -> (i64, &'static str) {
    match distance(then, now) {
        (_, "hour" | "minute") => (0, "day"),
        days => days,
    }
}

/// Returns the days since 1970 of a date in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // If years begin in March, the leap day is at the end.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The rest of the text.
struct IsoParser<'a>(&'a [u8]);

impl IsoParser<'_> {
    fn skip(&mut self, wanted: u8) -> Option<()> {
        self.one_of(&[wanted]).map(|_| ())
    }

    fn one_of(&mut self, wanted: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        if !wanted.contains(first) {
            return None;
        }
        self.0 = rest;
        Some(*first)
    }

    fn digit(&mut self) -> Option<i64> {
        self.one_of(b"0123456789")
            .map(|digit| i64::from(digit - b'0'))
    }

    fn digits(&mut self, count: usize) -> Option<i64> {
        let mut number = 0;
        for _ in 0..count {
            number = number * 10 + self.digit()?;
        }
        Some(number)
    }

    /// Reads a fraction of a second as milliseconds. Further digits are dropped.
    fn fraction(&mut self) -> Option<i64> {
        let mut millis = self.digit()? * 100;
        for worth in [10, 1] {
            millis += self.digit().unwrap_or(0) * worth;
        }
        while self.digit().is_some() {}
        Some(millis)
    }

    /// Reads the offset from UTC in milliseconds. The text must end after it.
    fn offset(&mut self) -> Option<i64> {
        let offset = match self.one_of(b"Zz+-") {
            None | Some(b'Z' | b'z') => 0,
            Some(sign) => {
                let hours = self.digits(2).filter(|hours| *hours < 24)?;
                let _ = self.skip(b':');
                let minutes = if self.0.is_empty() {
                    0
                } else {
                    self.digits(2)?
                };
                let millis = (hours * 60 + minutes) * 60_000;
                if sign == b'-' { -millis } else { millis }
            }
        };
        self.0.is_empty().then_some(offset)
    }
}
