//! Retry-After in each of its formats.

use std::time::Duration;

use lead_workspace::client::retry_after::{self, Headers};
use proptest::prelude::*;

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn wait(retry_after: &str, date: Option<&str>) -> Option<Duration> {
    retry_after::wait(Headers {
        retry_after: Some(retry_after),
        date,
        ..Headers::default()
    })
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
    assert_eq!(retry_after::wait(both), Some(ms(250)));
    let odd = Headers {
        retry_after_ms: Some("x"),
        retry_after: Some("3"),
        date: None,
    };
    assert_eq!(retry_after::wait(odd), Some(ms(3000)));
    assert_eq!(retry_after::wait(Headers::default()), None);
}

#[test]
fn retry_after_as_a_date_in_three_forms() {
    let date = Some("Sun, 06 Nov 1994 08:49:37 GMT");
    for form in [
        "Sun, 06 Nov 1994 08:49:47 GMT",
        "Sunday, 06-Nov-94 08:49:47 GMT",
        "Sun Nov  6 08:49:47 1994",
    ] {
        assert_eq!(wait(form, date), Some(ms(10_000)), "{form}");
        assert_eq!(wait(form, None), None, "a date needs the server's clock");
    }
    assert_eq!(
        wait("Sun, 06 Nov 1994 08:49:30 GMT", date),
        Some(Duration::ZERO)
    );
    for odd in [
        "Sun, 32 Nov 1994 08:49:47 GMT",
        "Sun, 06 Foo 1994 08:49:47 GMT",
        "Sun, 06 Nov 1994 24:49:47 GMT",
    ] {
        assert_eq!(wait(odd, date), None, "{odd}");
    }
}

#[test]
fn dates_across_leap_years() {
    let seconds = |text| retry_after::http_date(text).unwrap();
    assert_eq!(seconds("Thu, 01 Jan 1970 00:00:00 GMT"), 0);
    assert_eq!(seconds("Tue, 29 Feb 2000 12:00:00 GMT"), 951_825_600);
    assert_eq!(seconds("Sat, 20 Nov 2027 16:49:00 GMT"), 1_826_729_340);
    assert_eq!(
        seconds("Thu, 01 Mar 2029 00:00:00 GMT") - seconds("Wed, 28 Feb 2029 00:00:00 GMT"),
        86_400
    );
    assert_eq!(
        seconds("Wed, 01 Mar 2028 00:00:00 GMT") - seconds("Mon, 28 Feb 2028 00:00:00 GMT"),
        172_800
    );
}

proptest! {
    #[test]
    fn any_header_is_read_without_a_panic(retry_after in ".{0,40}", date in ".{0,40}") {
        let _ = retry_after::wait(Headers { retry_after_ms: Some(&date), retry_after: Some(&retry_after), date: Some(&date) });
    }
}
