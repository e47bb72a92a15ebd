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
///
/// `parse_date` returns the milliseconds since 1970 of an HTTP date. Browsers have a parser.
pub fn wait(headers: Headers<'_>, parse_date: impl Fn(&str) -> Option<f64>) -> Option<Duration> {
    let milliseconds = headers.retry_after_ms.and_then(number);
    let seconds = || {
        headers
            .retry_after
            .and_then(number)
            .map(|seconds| seconds * 1000.0)
    };
    let milliseconds = match milliseconds.or_else(seconds) {
        Some(milliseconds) => milliseconds,
        // A date in the past becomes zero.
        None => parse_date(headers.retry_after?)? - parse_date(headers.date?)?,
    };
    // All waits past every deadline are equivalent. The cap prevents an overflow.
    Some(Duration::from_micros(
        (milliseconds.min(1e12) * 1000.0) as u64,
    ))
}

/// Parses a number that is not negative; servers send fractions, too. Parsing by hand keeps the tables of the float
/// parser out of the Wasm.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if whole.is_empty() || fraction.is_empty() {
        return None;
    }
    let digit = |digit: char| digit.to_digit(10).map(f64::from);
    let mut digits = whole.chars();
    let whole = digits.try_fold(0.0, |value, next| Some(10.0 * value + digit(next)?))?;
    let mut digits = fraction.chars().rev();
    let fraction = digits.try_fold(0.0, |value, next| Some((value + digit(next)?) / 10.0))?;
    Some(whole + fraction)
}
