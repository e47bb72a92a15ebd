//! What the footer says about the decisions.

use lead_workspace::app::model::save_state::{DecisionCounts, SaveState};

const NONE: DecisionCounts = DecisionCounts {
    open: 0,
    retrying: 0,
    held: 0,
    saved: 0,
    failed: 0,
    uncertain: 0,
};

#[test]
fn without_trouble_decisions_are_saved_or_in_flight() {
    let state = |counts: DecisionCounts| SaveState::new(&counts, true, false);
    assert_eq!(state(NONE), SaveState::Saved);
    assert_eq!(
        state(DecisionCounts { saved: 70, ..NONE }),
        SaveState::Saved
    );
    let counts = DecisionCounts {
        open: 2,
        saved: 70,
        ..NONE
    };
    assert_eq!(state(counts), SaveState::Saving(2));
}

#[test]
fn decisions_wait_during_a_pause_and_until_a_response() {
    let queued = DecisionCounts { open: 8, ..NONE };
    assert_eq!(SaveState::new(&queued, true, true), SaveState::Waiting(8));
    assert_eq!(
        SaveState::new(&NONE, true, true),
        SaveState::Saved,
        "nothing waits"
    );
    let retrying = DecisionCounts {
        open: 3,
        retrying: 1,
        ..NONE
    };
    assert_eq!(
        SaveState::new(&retrying, true, false),
        SaveState::Waiting(3)
    );
}

#[test]
fn decisions_that_the_user_holds_back_are_paused() {
    let state = |held| {
        let counts = DecisionCounts {
            open: 3,
            held,
            ..NONE
        };
        SaveState::new(&counts, true, false)
    };
    assert_eq!(state(3), SaveState::Paused(3));
    assert_eq!(state(2), SaveState::Saving(3), "one is sent");
}

#[test]
fn without_a_connection_nothing_else_matters() {
    let all = DecisionCounts {
        open: 8,
        retrying: 2,
        held: 1,
        saved: 1,
        failed: 1,
        uncertain: 1,
    };
    assert_eq!(SaveState::new(&all, false, true), SaveState::Offline(8));
    assert_eq!(SaveState::new(&NONE, false, false), SaveState::Offline(0));
}

#[test]
fn what_needs_the_user_comes_first() {
    let uncertain = DecisionCounts {
        open: 8,
        uncertain: 2,
        ..NONE
    };
    assert_eq!(
        SaveState::new(&uncertain, true, true),
        SaveState::Uncertain(2)
    );
    let rejected = DecisionCounts {
        failed: 1,
        ..uncertain
    };
    assert_eq!(
        SaveState::new(&rejected, true, true),
        SaveState::Rejected(1)
    );
}
