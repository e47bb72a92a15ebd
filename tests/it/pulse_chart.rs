//! The positions of the chart's bars, and the queue of pulse requests.

use std::collections::BTreeSet;

use lead_workspace::app::model::account_pulse::bar_chart::{Chart, MIN_BAR, WIDTH};
use lead_workspace::app::model::account_pulse::pulse_queue::{Id, MAX_IN_FLIGHT, PulseQueue};
use proptest::prelude::*;

#[test]
fn bars_are_centered_in_their_rows() {
    let chart = Chart::new(&[24, 12, 0], 38, 22);
    let bars: Vec<_> = chart.bars.iter().map(|bar| (bar.top, bar.length)).collect();
    assert_eq!(bars, [(8, 1000), (46, 500), (84, 0)]);
    assert_eq!((chart.height, chart.thick), (114, 22));
    let first = [(0, 30), (1000, 30), (500, 46), (0, 46)];
    assert_eq!(chart.flows()[0], first);
    assert_eq!(
        Chart::new(&[], 38, 22),
        Chart {
            thick: 22,
            ..Chart::default()
        }
    );
}

proptest! {
    #[test]
    fn bars_keep_the_order_of_their_values(values in proptest::collection::vec(prop_oneof![Just(0), Just(u64::MAX), any::<u64>(), 0u64..50], 0..220)) {
        let chart = Chart::new(&values, 26, 8);
        prop_assert_eq!(chart.bars.len(), values.len());
        prop_assert_eq!(chart.flows().len(), values.len().saturating_sub(1));
        for (bar, value) in chart.bars.iter().zip(&values) {
            prop_assert!(bar.length <= WIDTH);
            prop_assert_eq!(bar.length == 0, *value == 0, "only zero has no bar");
            prop_assert!(bar.length == 0 || bar.length >= MIN_BAR);
            prop_assert!(bar.top + chart.thick <= chart.height);
        }
        for (one, other) in chart.bars.iter().zip(&values).zip(chart.bars.iter().zip(&values).skip(1)) {
            prop_assert!(one.1 < other.1 || one.0.length >= other.0.length);
            prop_assert!(one.0.top < other.0.top);
        }
        if let Some(most) = values.iter().max().filter(|most| **most > 0) {
            let at = values.iter().position(|value| value == most).unwrap();
            prop_assert_eq!(chart.bars[at].length, WIDTH);
        }
    }
}

fn ids(of: &[u8]) -> Vec<Id> {
    of.iter().map(|of| format!("a{of}").into()).collect()
}

#[test]
fn a_few_requests_at_a_time_and_each_once() {
    let mut queue = PulseQueue::default();
    assert!(queue.set_wanted(&ids(&[1, 2, 3, 4, 5, 1])).is_empty());
    let taken: Vec<Id> = std::iter::from_fn(|| queue.take()).collect();
    assert_eq!(taken, ids(&[1, 2, 3]));
    assert!(queue.finish("a2"));
    assert!(!queue.finish("a2"), "an answer counts once");
    assert_eq!(queue.take().as_deref(), Some("a4"));
    assert_eq!(queue.take(), None);

    // After another selection, requests that are still wanted continue, and loaded pulses are not requested again.
    assert_eq!(queue.set_wanted(&ids(&[2, 3, 6])), ids(&[1, 4]));
    assert_eq!(queue.flying(), ids(&[3]));
    assert_eq!(queue.take().as_deref(), Some("a6"));
    assert_eq!(queue.take(), None);
    assert_eq!(queue.progress(), (1, 3));

    queue.again("a2");
    queue.again("a2");
    queue.again("a9");
    assert_eq!(queue.take().as_deref(), Some("a2"));
    assert_eq!(queue.take(), None);
    for id in ["a2", "a3", "a6"] {
        assert!(queue.finish(id));
    }
    assert_eq!(queue.progress(), (3, 3));
    queue.set_wanted(&[]);
    queue.set_wanted(&ids(&[2]));
    assert_eq!(
        queue.take().as_deref(),
        Some("a2"),
        "shown again and requested again"
    );
}

#[derive(Clone, Debug)]
enum Step {
    Want(Vec<u8>),
    Next,
    Land(u8),
    Again(u8),
}

proptest! {
    #[test]
    fn the_queue_keeps_its_invariants(steps in proptest::collection::vec(prop_oneof![
        proptest::collection::vec(0u8..9, 0..9).prop_map(Step::Want),
        Just(Step::Next),
        (0u8..9).prop_map(Step::Land),
        (0u8..9).prop_map(Step::Again),
    ], 0..60)) {
        let mut queue = PulseQueue::default();
        let mut wanted = BTreeSet::new();
        for step in steps {
            match step {
                Step::Want(of) => {
                    let before = queue.flying().to_vec();
                    wanted = ids(&of).into_iter().collect();
                    let given_up = queue.set_wanted(&ids(&of));
                    prop_assert!(given_up.iter().all(|id| before.contains(id) && !wanted.contains(id)));
                }
                Step::Next => {
                    if let Some(id) = queue.take() {
                        prop_assert!(wanted.contains(&id));
                    }
                }
                Step::Land(of) => {
                    let id = format!("a{of}");
                    let flew = queue.flying().iter().any(|flying| **flying == *id);
                    prop_assert_eq!(queue.finish(&id), flew);
                }
                Step::Again(of) => queue.again(&format!("a{of}")),
            }
            prop_assert!(queue.flying().len() <= MAX_IN_FLIGHT);
            let flying: BTreeSet<_> = queue.flying().iter().cloned().collect();
            prop_assert_eq!(flying.len(), queue.flying().len(), "each is requested once");
            prop_assert!(flying.is_subset(&wanted));
            let (done, all) = queue.progress();
            prop_assert!(done <= all && all == wanted.len());
        }
        // In every case the queue can be drained.
        for _ in 0..30 {
            while queue.take().is_some() {}
            if let Some(id) = queue.flying().first().cloned() {
                queue.finish(&id);
            }
        }
        prop_assert_eq!(queue.progress(), (wanted.len(), wanted.len()));
    }
}
