//! When the user decided: by day and by hour, the pace, and the days in a row.

use lead_workspace::app::model::decision_pace::{DAYS, DecisionPace, noons, streak};
use proptest::prelude::*;

const SECOND: u64 = 1_000;
const HOUR: u64 = 3_600 * SECOND;
const DAY: u64 = 24 * HOUR;
/// Noon, UTC.
const NOW: u64 = 20_000 * DAY + 12 * HOUR;

fn utc(_: u64) -> i64 {
    0
}

fn each(seconds: &[u64]) -> DecisionPace {
    let mut pace = DecisionPace::default();
    for second in seconds {
        pace.record(1, NOW + second * SECOND);
    }
    pace
}

#[test]
fn decisions_count_on_their_day_and_in_their_hour() {
    let mut pace = DecisionPace::default();
    pace.record(5, NOW - 20 * DAY);
    pace.record(2, NOW - DAY);
    pace.record(1, NOW - 3 * HOUR);
    pace.record(3, NOW);
    let days = pace.days(NOW, &utc);
    assert_eq!(days[DAYS - 2..], [2, 4]);
    assert_eq!(days.iter().sum::<u64>(), 6, "older ones are not shown");
    let hours = pace.hours_of_today(NOW, &utc);
    assert_eq!((hours[9], hours[12]), (1, 3));
    assert_eq!(hours.iter().sum::<u64>(), 4);
}

#[test]
fn days_begin_at_local_midnight() {
    let mut pace = DecisionPace::default();
    // 23:00 UTC of the day before, which is 01:00 in a zone two hours ahead.
    pace.record(1, NOW - 13 * HOUR);
    assert_eq!(pace.days(NOW, &utc)[DAYS - 1], 0);
    let ahead = |_| 2 * HOUR as i64;
    assert_eq!(pace.days(NOW, &ahead)[DAYS - 1], 1);
    assert_eq!(pace.hours_of_today(NOW, &ahead)[1], 1);
}

#[test]
fn each_day_is_named_once_when_summer_time_begins_or_ends() {
    let change = NOW - 3 * DAY - 11 * HOUR;
    for (before, after) in [(1, 2), (2, 1), (-4, -5), (13, 14)] {
        let offset = move |at: u64| HOUR as i64 * if at < change { before } else { after };
        let date = |at: u64| (at as i64 + offset(at)).div_euclid(DAY as i64);
        // Each quarter of an hour of today.
        for quarter in 0..96 {
            let now = NOW + quarter * HOUR / 4;
            let today = date(now);
            let dates: Vec<i64> = noons(now, &offset).into_iter().map(date).collect();
            let wanted: Vec<i64> = (today + 1 - DAYS as i64..=today).collect();
            assert_eq!(dates, wanted, "{before} {after} {quarter}");
        }
    }
}

#[test]
fn the_pace_is_known_after_some_decisions_and_leaves_breaks_out() {
    assert_eq!(each(&[0, 4]).pace(NOW, &utc), None);
    assert_eq!(each(&[0, 4, 10, 12]).pace(NOW, &utc), Some(4 * SECOND));
    let with_break = each(&[0, 4, 10, 12, 2_000, 2_004]);
    assert_eq!(with_break.pace(NOW, &utc), Some(4 * SECOND));
    assert_eq!(with_break.pace(NOW + DAY, &utc), None, "of today only");
}

#[test]
fn a_decision_on_many_leads_counts_them_but_not_for_the_pace() {
    let mut pace = each(&[0, 4, 8, 12]);
    pace.record(500, NOW + 14 * SECOND);
    assert_eq!(pace.days(NOW, &utc)[DAYS - 1], 504);
    assert_eq!(pace.pace(NOW, &utc), Some(4 * SECOND));
}

#[test]
fn an_undo_takes_the_latest_decisions_back() {
    let mut pace = DecisionPace::default();
    pace.record(3, NOW - DAY);
    pace.record(2, NOW);
    pace.take_back(1);
    assert_eq!(pace.days(NOW, &utc)[DAYS - 2..], [3, 1]);
    pace.take_back(2);
    assert_eq!(pace.days(NOW, &utc)[DAYS - 2..], [2, 0]);
    pace.take_back(100);
    assert_eq!(pace.days(NOW, &utc)[DAYS - 2..], [0, 0]);
}

#[test]
fn a_streak_is_days_in_a_row_and_today_may_still_be_empty() {
    let days = |last: &[u64]| {
        let mut days = [0; DAYS];
        days[DAYS - last.len()..].copy_from_slice(last);
        streak(&days)
    };
    assert_eq!(days(&[]), 0);
    assert_eq!(days(&[1]), 1);
    assert_eq!(days(&[9, 0, 2, 3, 1]), 3);
    assert_eq!(days(&[2, 3, 0]), 2);
    assert_eq!(days(&[2, 0, 0]), 0);
    assert_eq!(streak(&[1; DAYS]), DAYS as u64);
}

#[test]
fn the_stored_form_is_bounded_and_damage_costs_only_what_is_damaged() {
    let mut pace = DecisionPace::default();
    for hour in 0..5_000 {
        pace.record(1_000, hour * HOUR);
    }
    let text = pace.to_text();
    assert!(text.len() < 10_000, "{} bytes", text.len());
    assert_eq!(DecisionPace::parse(&text), pace);
    let hour = NOW / HOUR;
    let damaged = DecisionPace::parse(&format!("x;{hour},2,0,0;oops;7;{hour},1"));
    assert_eq!(damaged.days(NOW, &utc)[DAYS - 1], 2);
}

proptest! {
    #[test]
    fn any_text_reads_and_any_log_round_trips(text in ".*", gaps in proptest::collection::vec((1u64..9, 0u64..DAY), 0..40)) {
        DecisionPace::parse(&text).days(NOW, &utc);
        let mut pace = DecisionPace::default();
        let mut at = NOW;
        for (leads, gap) in gaps {
            at += gap;
            pace.record(leads, at);
        }
        prop_assert_eq!(DecisionPace::parse(&pace.to_text()), pace);
    }
}
