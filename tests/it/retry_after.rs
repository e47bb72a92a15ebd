//! Retry-After in each of its formats.

use std::time::Duration;

use lead_workspace::client::retry_after::{self, Headers};
use proptest::prelude::*;

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Stands for the browser's parser: reads `at 30` as 30 seconds after 1970.
fn parse_date(text: &str) -> Option<f64> {
    let seconds: f64 = text.strip_prefix("at ")?.parse().ok()?;
    Some(seconds * 1000.0)
}

fn wait(retry_after: &str, date: Option<&str>) -> Option<Duration> {
    let headers = Headers {
        retry_after: Some(retry_after),
        date,
        ..Headers::default()
    };
    retry_after::wait(headers, parse_date)
}

#[test]
fn retry_after_in_seconds_and_milliseconds() {
    assert_eq!(wait("3", None), Some(ms(3000)));
    assert_eq!(wait(" 1.5 ", None), Some(ms(1500)));
    assert_eq!(wait("0", None), Some(ms(0)));
    for odd in ["", "-1", "soon", "1e9", "NaN", "inf", ".", "1.2.3"] {
        assert_eq!(wait(odd, None), None, "{odd:?}");
    }
    assert_eq!(
        wait(&"9".repeat(300), None),
        Some(Duration::from_secs(1_000_000_000))
    );
    let both = Headers {
        retry_after_ms: Some("250"),
        retry_after: Some("3"),
        date: None,
    };
    assert_eq!(retry_after::wait(both, parse_date), Some(ms(250)));
    let odd = Headers {
        retry_after_ms: Some("x"),
        retry_after: Some("3"),
        date: None,
    };
    assert_eq!(retry_after::wait(odd, parse_date), Some(ms(3000)));
    assert_eq!(retry_after::wait(Headers::default(), parse_date), None);
}

#[test]
fn a_date_is_relative_to_the_servers_clock() {
    assert_eq!(wait("at 30", Some("at 20")), Some(ms(10_000)));
    assert_eq!(wait("at 30", Some("at 30")), Some(Duration::ZERO));
    assert_eq!(wait("at 30", Some("at 37")), Some(Duration::ZERO));
    assert_eq!(
        wait("at 9e300", Some("at 20")),
        Some(Duration::from_secs(1_000_000_000))
    );
    assert_eq!(wait("at 30", None), None, "a date needs the server's clock");
    assert_eq!(wait("at 30", Some("noon")), None);
    assert_eq!(wait("noon", Some("at 30")), None);
}

proptest! {
    #[test]
    fn any_header_is_read_without_a_panic(retry_after in ".{0,40}", date in ".{0,40}") {
        let headers = Headers { retry_after_ms: Some(&date), retry_after: Some(&retry_after), date: Some(&date) };
        let _ = retry_after::wait(headers, parse_date);
    }
}
