//! The rate-limit gate: after a 429, one probe checks the limit for all tabs.

use std::time::Duration;

use lead_workspace::client::gate::{Admission, Gate, GateStatus, Round, TabReport};
use proptest::prelude::*;

fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Returns the gate of a tab that waits 218.75 ms longer than the one that probes first.
fn tab() -> Gate {
    Gate::new(0.75)
}

/// Returns a gate that its own 429 closes until this time.
fn limited(until: Duration) -> Gate {
    let mut gate = tab();
    assert!(gate.on_rate_limited(until, s(0)));
    gate
}

/// Returns the report of a tab that would go after [`tab`] if both were limited.
fn closed(until: Duration) -> TabReport {
    TabReport::Closed { until, first: 0.9 }
}

const STAGGER: Duration = Duration::from_micros(437_500);

#[test]
fn the_gate_is_open_until_a_rate_limit() {
    let mut gate = tab();
    assert_eq!(gate.enter(s(0)), Admission::Send);
    assert!(gate.on_rate_limited(s(5), s(0)));
    assert_eq!(gate.enter(s(1)), Admission::Wait(s(5)));
    assert_eq!(gate.status(s(1)), GateStatus::Closed { until: s(5) });
}

#[test]
fn one_probe_is_sent_before_other_calls() {
    let mut gate = limited(s(5));
    assert_eq!(gate.enter(s(5)), Admission::Probe);
    assert_eq!(gate.enter(s(5)), Admission::Wait(s(15)));
    assert_eq!(gate.status(s(6)), GateStatus::Probing);
    assert!(gate.on_response(gate.round(), s(6), 0));
    assert_eq!(gate.enter(s(6)), Admission::Send);
}

#[test]
fn waiting_calls_pass_in_small_groups() {
    let mut gate = limited(s(5));
    let round = gate.round();
    assert_eq!(gate.enter(s(5)), Admission::Probe);
    assert!(gate.on_response(round, s(6), 9), "the first response");
    assert_eq!(gate.status(s(6)), GateStatus::Open);
    let enter = |gate: &mut Gate| gate.enter(s(6));
    assert_eq!(
        [enter(&mut gate), enter(&mut gate)],
        [Admission::SendAndReport; 2]
    );
    assert_eq!(
        enter(&mut gate),
        Admission::Wait(s(16)),
        "two calls may pass"
    );
    assert!(!gate.on_response(round, s(6), 7));
    assert_eq!(
        [enter(&mut gate), enter(&mut gate)],
        [Admission::SendAndReport; 2]
    );
    assert_eq!(enter(&mut gate), Admission::Wait(s(16)), "then three");
    assert!(!gate.on_abandoned(round, s(6)));
    assert_eq!(
        enter(&mut gate),
        Admission::SendAndReport,
        "a cancelled call frees its slot"
    );
    assert!(!gate.on_response(round, s(7), 0));
    assert_eq!([enter(&mut gate), enter(&mut gate)], [Admission::Send; 2]);
}

#[test]
fn a_rate_limited_probe_closes_the_gate_again() {
    let mut gate = limited(s(5));
    assert_eq!(gate.enter(s(5)), Admission::Probe);
    assert!(gate.on_rate_limited(s(9), s(5)));
    assert_eq!(gate.enter(s(6)), Admission::Wait(s(9)));
}

#[test]
fn only_a_later_limit_is_applied() {
    let mut gate = limited(s(5));
    assert!(!gate.on_rate_limited(s(3), s(0)));
    assert_eq!(gate.enter(s(4)), Admission::Wait(s(5)));
}

#[test]
fn a_very_long_limit_is_probed_after_five_minutes() {
    let years = s(1_763_800_000);
    let mut gate = limited(years);
    assert_eq!(gate.enter(s(299)), Admission::Wait(s(300)));
    assert_eq!(gate.enter(s(300)), Admission::Probe);
    let mut gate = tab();
    gate.apply(closed(years), s(0), 0);
    assert_eq!(
        gate.remaining_limit(s(0)),
        (s(300), 0.9),
        "other tabs get the same limit"
    );
    assert_eq!(gate.enter(s(300) + STAGGER), Admission::Probe);
}

#[test]
fn a_response_to_an_older_call_does_not_open_the_gate() {
    let mut gate = tab();
    let before = gate.round();
    gate.on_rate_limited(s(5), s(0));
    assert!(!gate.on_response(before, s(1), 0));
    assert_eq!(gate.enter(s(1)), Admission::Wait(s(5)));
    // Nor does it count as the answer to the current probe.
    assert_eq!(gate.enter(s(5)), Admission::Probe);
    assert!(!gate.on_response(before, s(6), 3));
    assert!(!gate.on_abandoned(before, s(6)));
    assert_eq!(gate.status(s(6)), GateStatus::Probing);
    assert!(gate.on_response(gate.round(), s(7), 0));
}

#[test]
fn a_lost_probe_is_followed_by_another() {
    let mut gate = limited(s(5));
    assert_eq!(gate.enter(s(5)), Admission::Probe);
    gate.on_abandoned(gate.round(), s(7));
    assert_eq!(gate.enter(s(7)), Admission::Probe);
    // A probe without a response no longer blocks others.
    assert_eq!(gate.enter(s(17)), Admission::Probe);
}

#[test]
fn tabs_share_the_limit() {
    let mut gate = tab();
    gate.apply(closed(s(5)), s(0), 0);
    let asks = s(5) + STAGGER;
    assert_eq!(
        gate.enter(s(5)),
        Admission::Wait(asks),
        "the limited tab probes first"
    );
    gate.apply(TabReport::Probing, s(5), 0);
    assert_eq!(gate.enter(s(6)), Admission::Wait(s(15)));
    gate.apply(TabReport::Opening, s(7), 0);
    assert_eq!(gate.enter(s(7)), Admission::Send);
}

#[test]
fn waiting_calls_pass_in_small_groups_after_another_tabs_probe() {
    let mut gate = tab();
    gate.apply(closed(s(5)), s(0), 0);
    gate.apply(TabReport::Probing, s(5), 9);
    gate.apply(TabReport::Opening, s(6), 9);
    let enter = |gate: &mut Gate| gate.enter(s(6));
    assert_eq!(
        [enter(&mut gate), enter(&mut gate)],
        [Admission::SendAndReport; 2]
    );
    assert_eq!(enter(&mut gate), Admission::Wait(s(16)));
    let before = gate.clone();
    gate.apply(TabReport::Opening, s(7), 7);
    assert_eq!(gate, before, "the gate is already opening");
    gate.on_response(gate.round(), s(7), 0);
    assert_eq!(enter(&mut gate), Admission::Send);
}

#[test]
fn another_tab_does_not_shorten_the_limit_from_the_server() {
    let mut gate = limited(s(30));
    for report in [TabReport::Opening, TabReport::Probing, closed(s(10))] {
        gate.apply(report, s(10), 9);
        assert_eq!(gate.enter(s(11)), Admission::Wait(s(30)), "{report:?}");
    }
    // Not even if another tab was limited for longer, and its limit ended early.
    gate.apply(closed(s(60)), s(12), 9);
    gate.apply(TabReport::Opening, s(20), 9);
    assert!(matches!(gate.enter(s(29)), Admission::Wait(_)));
    gate.apply(TabReport::Opening, s(30), 9);
    assert_eq!(gate.enter(s(30)), Admission::SendAndReport);
}

#[test]
fn a_known_limit_does_not_extend_the_wait() {
    let mut gate = limited(s(5));
    for tick in 0..100 {
        gate.apply(closed(s(5) + ms(50)), ms(tick * 10), 3);
    }
    assert_eq!(gate.enter(s(5)), Admission::Probe);
    for tick in 0..4 {
        gate.apply(TabReport::Probing, s(6 + tick), 3);
    }
    assert_eq!(
        gate.enter(s(15)),
        Admission::Probe,
        "a lost probe is replaced"
    );
}

#[test]
fn of_the_limited_tabs_the_lowest_rank_probes_first() {
    let report = |rank| TabReport::Closed {
        until: s(5) + ms(3),
        first: rank,
    };
    let mut gate = limited(s(5));
    gate.apply(report(0.9), ms(3), 1);
    assert_eq!(gate.enter(s(5)), Admission::Probe);
    let mut gate = limited(s(5));
    gate.apply(report(0.1), ms(3), 1);
    let after = s(5) + ms(3) + STAGGER;
    assert_eq!(gate.enter(s(5) + ms(3)), Admission::Wait(after));
    // In a later limit, the other tab has no part.
    assert!(gate.on_rate_limited(s(30), s(20)));
    assert_eq!(gate.enter(s(30)), Admission::Probe);
}

#[test]
fn a_probe_shortly_before_the_end_of_the_own_limit_is_waited_for() {
    let mut gate = limited(s(5));
    gate.apply(TabReport::Probing, s(5) - ms(40), 1);
    assert_eq!(gate.enter(s(5)), Admission::Wait(s(15) - ms(40)));
    let mut early = gate.clone();
    early.apply(TabReport::Opening, s(5) - ms(10), 1);
    assert_eq!(early.enter(s(5) - ms(9)), Admission::Wait(s(5)));
    assert_eq!(early.enter(s(5)), Admission::Probe);
    gate.apply(TabReport::Opening, s(6), 1);
    assert_eq!(gate.enter(s(6)), Admission::SendAndReport);
}

/// Tabs of one workspace, each with a waiting call, whose messages arrive some milliseconds later.
struct Tabs {
    gates: Vec<Gate>,
    delays: Vec<u64>,
    /// When it arrives, at which tab, what another tab reports, and the remaining limit in it.
    messages: Vec<(Duration, usize, Word)>,
}

#[derive(Clone, Copy)]
enum Word {
    Closed(Duration, f64),
    Probing,
    Opening,
}

impl Tabs {
    fn post(&mut self, from: usize, word: Word, now: Duration) {
        for to in (0..self.gates.len()).filter(|to| *to != from) {
            let delay = self.delays[(from * 31 + to * 7) % self.delays.len()];
            self.messages.push((now + ms(delay), to, word));
        }
    }

    fn limit(&mut self, tab: usize, now: Duration) {
        if self.gates[tab].on_rate_limited(now + s(2), now) {
            let (wait, first) = self.gates[tab].remaining_limit(now);
            self.post(tab, Word::Closed(wait, first), now);
        }
    }

    fn deliver(&mut self, now: Duration) {
        let messages = std::mem::take(&mut self.messages);
        let (due, later) = messages.into_iter().partition(|(at, ..)| *at <= now);
        self.messages = later;
        let due: Vec<_> = due;
        for (_, to, word) in due {
            let report = match word {
                Word::Closed(wait, first) => TabReport::Closed {
                    until: now + wait,
                    first,
                },
                Word::Probing => TabReport::Probing,
                Word::Opening => TabReport::Opening,
            };
            self.gates[to].apply(report, now, 1);
        }
    }
}

proptest! {
    /// For any sequence of events and messages from other tabs: no request passes before a time that the server set
    /// for this tab; at most one probe of the tab is in flight until it times out; and no call waits for a time in
    /// the past, or longer than the gate can stay closed.
    #[test]
    fn the_gate_is_correct_under_any_schedule(steps in prop::collection::vec((0..8_u8, 0..8_u64), 1..80)) {
        let (mut gate, mut now) = (tab(), s(0));
        let mut own = s(0);
        let mut probe: Option<(Round, Duration)> = None;
        for (step, seconds) in steps {
            match step {
                0 => now += s(seconds),
                1 => {
                    gate.on_rate_limited(now + s(seconds), now);
                    own = own.max(now + s(seconds));
                    probe = None;
                }
                2 => if let Some((round, _)) = probe.take() {
                    gate.on_response(round, now, usize::from(seconds > 3));
                },
                3 => if let Some((round, _)) = probe.take() {
                    gate.on_abandoned(round, now);
                },
                4 => {
                    gate.apply(closed(now + s(seconds)), now, 1);
                    probe = None;
                }
                5 => gate.apply(TabReport::Probing, now, 1),
                6 => gate.apply(TabReport::Opening, now, usize::from(seconds > 3)),
                _ => {
                    let admission = gate.enter(now);
                    if let Admission::Wait(until) = admission {
                        prop_assert!(until > now && until <= now + Gate::MAX_CLOSED + s(1));
                    } else {
                        prop_assert!(now >= own, "{admission:?} at {now:?}, limited until {own:?}");
                    }
                    if admission == Admission::Probe {
                        prop_assert!(probe.is_none_or(|(_, until)| until <= now));
                        probe = Some((gate.round(), now + Gate::PROBE_TIMEOUT));
                    }
                }
            }
        }
    }
    /// However many tabs the server limits, one of them probes, and the others wait for its answer.
    #[test]
    fn one_tab_probes_for_all(
        mut tabs in prop::collection::vec((0..100_u32, 0..300_u64, any::<bool>()), 2..9),
        delays in prop::collection::vec(1..30_u64, 1..50),
        answer in 1..3000_u64,
    ) {
        tabs[0].2 = true;
        let mut all = Tabs {
            // Different for each tab.
            gates: tabs.iter().zip(0..).map(|((rank, ..), index)| Gate::new(f64::from(rank * 10 + index) / 1e3)).collect(),
            delays,
            messages: Vec::new(),
        };
        let mut probe: Option<(usize, Duration)> = None;
        let mut is_answered = false;
        let mut sent = vec![false; tabs.len()];
        let start = s(10);
        for tick in 0..8000 {
            let now = start + ms(tick);
            all.deliver(now);
            for (index, (_, at, is_limited)) in tabs.iter().enumerate() {
                if *is_limited && *at == tick {
                    all.limit(index, now);
                }
            }
            // Until then, the calls are on their way or not made yet.
            if tick < 400 {
                continue;
            }
            if let Some((index, at)) = probe && at <= now && !is_answered {
                is_answered = true;
                let round = all.gates[index].round();
                prop_assert!(all.gates[index].on_response(round, now, 0));
                all.post(index, Word::Opening, now);
            }
            for (index, is_sent) in sent.iter_mut().enumerate() {
                if *is_sent {
                    continue;
                }
                let admission = all.gates[index].enter(now);
                if matches!(admission, Admission::Wait(_)) {
                    continue;
                }
                *is_sent = true;
                prop_assert!(probe.is_none() || is_answered, "{index} at {tick} ms, beside {probe:?}");
                if admission == Admission::Probe {
                    all.post(index, Word::Probing, now);
                }
                probe = probe.or(Some((index, now + ms(answer))));
            }
        }
        prop_assert!(sent.iter().all(|sent| *sent), "every call is sent in the end");
    }
}
