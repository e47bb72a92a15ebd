//! Parsing timestamps, and relative times.

use lead_workspace::app::model::time::{
    Freshness, age, distance, distance_in_days, instant, is_day,
};
use proptest::prelude::*;

#[test]
fn times_of_all_services_are_read() {
    let noon = instant("2025-04-01T12:00:00Z").unwrap();
    assert_eq!(noon, 1_743_508_800_000);
    for same in [
        "2025-04-01T12:00:00.000000Z",
        "2025-04-01 12:00",
        "2025-04-01T14:00:00+02:00",
        "2025-04-01T14:00:00+0200",
        "2025-04-01T07:00:00-05",
        " 2025-04-01t12:00:00z ",
    ] {
        assert_eq!(instant(same), Some(noon), "{same}");
    }
    assert_eq!(instant("2025-04-01T12:00:00.25Z"), Some(noon + 250));
    assert_eq!(instant("1970-01-01"), Some(0));
    assert_eq!(instant("1969-12-31"), Some(-86_400_000));
    assert_eq!(instant("1969-12-31T23:59:59Z"), Some(-1000));
    assert_eq!(
        instant("2024-02-29"),
        instant("2024-03-01").map(|day| day - 86_400_000)
    );
    assert!(is_day("2025-04-01") && !is_day("2025-04-01T00:00"));
}

#[test]
fn other_texts_are_not_times() {
    for text in [
        "",
        "2025",
        "2025-04",
        "2025-13-01",
        "2025-00-01",
        "2025-01-32",
        "2025-02-29",
        "2025-11-31",
        "2025-12-00",
        "20250401",
        "2025-04-01T",
        "2025-04-01T12",
        "2025-04-01T25:00",
        "2025-04-01T12:60",
        "2025-04-01 to 05-01",
        "2025-04-01T12:00:00.Z",
        "2025-04-01T12:00:00+2",
        "2025-04-01T12:00Zulu",
        "١٢٣٤-٠١-٠١",
    ] {
        assert_eq!(instant(text), None, "{text}");
    }
}

#[test]
fn distances_use_the_largest_unit() {
    const DAY: i64 = 86_400_000;
    for (then, expected) in [
        (0, (0, "minute")),
        (-59_000, (0, "minute")),
        (-60_000, (-1, "minute")),
        (-3_600_000, (-1, "hour")),
        (-DAY, (-1, "day")),
        (-13 * DAY, (-13, "day")),
        (-14 * DAY, (-2, "week")),
        (-59 * DAY, (-8, "week")),
        (-60 * DAY, (-2, "month")),
        (-365 * DAY, (-1, "year")),
        (3 * DAY, (3, "day")),
    ] {
        assert_eq!(distance(then, 0), expected, "{then}");
    }
    assert_eq!(distance(i64::MIN, i64::MAX).1, "year");
}

#[test]
fn ages_are_short() {
    use Freshness::{Fresh, Old, Recent};
    const HOUR: i64 = 3_600_000;
    const DAY: i64 = 24 * HOUR;
    for (before, text, freshness) in [
        (-HOUR, "now", Fresh),
        (59_000, "now", Fresh),
        (60_000, "1 min", Fresh),
        (23 * HOUR, "23 h", Fresh),
        (3 * DAY, "3 d", Fresh),
        (4 * DAY, "4 d", Recent),
        (7 * DAY, "1 wk", Recent),
        (8 * DAY, "1 wk", Old),
        (29 * DAY, "4 wk", Old),
        (30 * DAY, "1 mo", Old),
        (364 * DAY, "12 mo", Old),
        (400 * DAY, "1 yr", Old),
    ] {
        let age = age(1_743_508_800_000 - before, 1_743_508_800_000);
        assert_eq!((&*age.text, age.freshness), (text, freshness), "{before}");
    }
    assert_eq!(age(i64::MIN, i64::MAX).text.split(' ').nth(1), Some("yr"));
}

#[test]
fn a_day_is_no_hours_ago() {
    const HOUR: i64 = 3_600_000;
    for (hours, expected) in [
        (0, (0, "day")),
        (23, (0, "day")),
        (25, (-1, "day")),
        (24 * 70, (-2, "month")),
    ] {
        assert_eq!(distance_in_days(-hours * HOUR, 0), expected, "{hours}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in "\\PC{0,40}") {
        let _ = instant(&text);
    }

    #[test]
    fn consecutive_days_are_one_day_apart(year in 1600_i64..2400, month in 1_i64..=12, day in 1_i64..=27) {
        let at = |day| instant(&format!("{year:04}-{month:02}-{day:02}")).unwrap();
        prop_assert_eq!(at(day + 1) - at(day), 86_400_000);
    }
}
