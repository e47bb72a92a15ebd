//! The 429 gate: one probe finds out for all.

use std::time::Duration;

use lead_workspace::client::gate::{Entry, Gate, View};
use proptest::prelude::*;

fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn open_until_somebody_is_limited() {
    let mut gate = Gate::default();
    assert_eq!(gate.enter(s(0)), Entry::Go);
    assert!(gate.limited(s(5)));
    assert_eq!(gate.enter(s(1)), Entry::Wait(s(5)));
    assert_eq!(gate.view(s(1)), View::Closed { until: s(5) });
}

#[test]
fn one_probe_first_then_everybody() {
    let mut gate = Gate::default();
    gate.limited(s(5));
    assert_eq!(gate.enter(s(5)), Entry::Probe);
    assert_eq!(gate.enter(s(5)), Entry::Wait(s(15)));
    assert_eq!(gate.view(s(6)), View::Probing);
    assert!(gate.answered(s(6), 0));
    assert_eq!(gate.enter(s(6)), Entry::Go);
}

#[test]
fn those_who_wait_pass_a_few_at_a_time() {
    let mut gate = Gate::default();
    gate.limited(s(5));
    assert_eq!(gate.enter(s(5)), Entry::Probe);
    assert!(gate.answered(s(6), 9), "the first answer");
    assert_eq!(gate.view(s(6)), View::Open);
    let enter = |gate: &mut Gate| gate.enter(s(6));
    assert_eq!([enter(&mut gate), enter(&mut gate)], [Entry::Turn; 2]);
    assert_eq!(
        enter(&mut gate),
        Entry::Wait(s(16)),
        "there is room for two"
    );
    assert!(!gate.answered(s(6), 7));
    assert_eq!([enter(&mut gate), enter(&mut gate)], [Entry::Turn; 2]);
    assert_eq!(enter(&mut gate), Entry::Wait(s(16)), "and then for three");
    assert!(!gate.abandoned(s(6)));
    assert_eq!(
        enter(&mut gate),
        Entry::Turn,
        "who gives up leaves its turn"
    );
    assert!(!gate.answered(s(7), 0));
    assert_eq!([enter(&mut gate), enter(&mut gate)], [Entry::Go; 2]);
}

#[test]
fn a_probe_that_is_limited_closes_the_gate_again() {
    let mut gate = Gate::default();
    gate.limited(s(5));
    assert_eq!(gate.enter(s(5)), Entry::Probe);
    assert!(gate.limited(s(9)));
    assert_eq!(gate.enter(s(6)), Entry::Wait(s(9)));
}

#[test]
fn only_a_later_time_is_news() {
    let mut gate = Gate::default();
    assert!(gate.limited(s(5)));
    assert!(!gate.limited(s(3)));
    assert_eq!(gate.enter(s(4)), Entry::Wait(s(5)));
}

#[test]
fn an_answer_to_an_older_call_opens_nothing() {
    let mut gate = Gate::default();
    gate.limited(s(5));
    assert!(!gate.answered(s(1), 0));
    assert_eq!(gate.enter(s(1)), Entry::Wait(s(5)));
}

#[test]
fn a_lost_probe_is_followed_by_another() {
    let mut gate = Gate::default();
    gate.limited(s(5));
    assert_eq!(gate.enter(s(5)), Entry::Probe);
    gate.abandoned(s(7));
    assert_eq!(gate.enter(s(7)), Entry::Probe);
    // One that just stays silent is overtaken.
    assert_eq!(gate.enter(s(17)), Entry::Probe);
}

#[test]
fn tabs_agree() {
    let mut gate = Gate::default();
    gate.heard(View::Closed { until: s(5) }, s(0));
    assert_eq!(gate.enter(s(1)), Entry::Wait(s(5)));
    gate.heard(View::Probing, s(5));
    assert_eq!(gate.enter(s(6)), Entry::Wait(s(15)));
    gate.heard(View::Open, s(7));
    assert_eq!(gate.enter(s(7)), Entry::Go);
}

proptest! {
    /// Whatever happens, nothing passes before its time, at most one probe is out within its time,
    /// and nobody is told to wait for a moment that has passed.
    #[test]
    fn no_schedule_breaks_the_gate(steps in prop::collection::vec((0..5_u8, 0..8_u64), 1..80)) {
        let (mut gate, mut now) = (Gate::default(), s(0));
        let (mut closed_until, mut probe_until) = (None, None);
        for (step, seconds) in steps {
            match step {
                0 => now += s(seconds),
                1 => {
                    let until = now + s(seconds);
                    if gate.limited(until) {
                        (closed_until, probe_until) = (Some(until), None);
                    }
                }
                2 => {
                    if gate.answered(now, 0) {
                        (closed_until, probe_until) = (None, None);
                    }
                }
                3 => {
                    gate.abandoned(now);
                    if probe_until.take().is_some() {
                        closed_until = Some(now);
                    }
                }
                _ => match gate.enter(now) {
                    Entry::Go => prop_assert!(closed_until.is_none()),
                    Entry::Probe => {
                        prop_assert!(closed_until.is_some_and(|until| until <= now));
                        prop_assert!(probe_until.is_none_or(|until| until <= now));
                        probe_until = Some(now + Gate::PROBE);
                    }
                    Entry::Turn => prop_assert!(false, "nobody waits"),
                    Entry::Wait(until) => prop_assert!(until > now),
                },
            }
        }
    }
}
