//! The wait that a server requests: `Retry-After` in each of its forms.

use std::time::Duration;

/// The response headers that define the wait, as far as the browser exposes them. Cross-origin, a
/// browser hides them unless the server exposes them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Headers<'a> {
    /// `retry-after-ms`: milliseconds.
    pub retry_after_ms: Option<&'a str>,
    /// `retry-after`: seconds or an HTTP date.
    pub retry_after: Option<&'a str>,
    /// `date`: the server's clock, which its dates are relative to.
    pub date: Option<&'a str>,
}

/// Returns the least time to wait, from the arrival of the response. An HTTP date is compared with
/// the response's own `Date`, so a wrong clock on either side does no harm. Without `Date`, an HTTP
/// date is ignored.
pub fn wait(headers: Headers<'_>) -> Option<Duration> {
    let milliseconds = headers.retry_after_ms.and_then(number);
    let seconds = || {
        headers
            .retry_after
            .and_then(number)
            .map(|seconds| seconds * 1000.0)
    };
    if let Some(milliseconds) = milliseconds.or_else(seconds) {
        // All waits past every deadline are equivalent. The cap prevents an overflow.
        return Some(Duration::from_secs_f64((milliseconds / 1000.0).min(1e9)));
    }
    let until = http_date(headers.retry_after?)?;
    let now = http_date(headers.date?)?;
    Some(Duration::from_secs(u64::try_from(until - now).unwrap_or(0)))
}

/// Parses a number that is not negative. Servers send fractions, too; three decimals are enough.
/// Parsing by hand keeps the tables of the float parser out of the Wasm.
fn number(text: &str) -> Option<f64> {
    let (whole, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let whole = whole.parse::<u64>().unwrap_or(u64::MAX) as f64;
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    Some(whole + f64::from(thousandths.parse::<u16>().unwrap_or(0)) / 1000.0)
}

/// Returns the seconds since 1970 of an HTTP date in any of the three forms of RFC 9110, section 5.6.7.
pub fn http_date(text: &str) -> Option<i64> {
    let parts: Vec<&str> = text
        .trim()
        .split([' ', '-', ','])
        .filter(|part| !part.is_empty())
        .collect();
    let (day, month, year, time) = match parts.as_slice() {
        // Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT
        [_, day, month, year, time, "GMT"] => (*day, *month, *year, *time),
        // Sun Nov  6 08:49:37 1994
        [_, month, day, time, year] => (*day, *month, *year, *time),
        _ => return None,
    };
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let month = i64::try_from(MONTHS.iter().position(|name| *name == month)?).ok()? + 1;
    let day = digits(day).filter(|day| (1..=31).contains(day))?;
    let year = match (digits(year)?, year.len()) {
        (year, 4) => year,
        // Two digits: the RFC's fifty-year rule, with a fixed pivot so that no clock is needed.
        (year, 2) if year < 70 => 2000 + year,
        (year, 2) => 1900 + year,
        _ => return None,
    };
    let mut clock = time.split(':').map(digits);
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    if clock.next().is_some() || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    Some(days_from_civil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
}

fn digits(text: &str) -> Option<i64> {
    let all = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    all.then(|| text.parse().ok()).flatten()
}

/// Returns the days since 1970-01-01 of a Gregorian date. Years begin in March here, so that the
/// leap day is the last day of a year.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}
