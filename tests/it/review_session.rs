//! Sessions in focus mode: leads done, and the pace.

use lead_workspace::app::model::review_session::{ReviewSession, SessionStep};

fn step(number: u64, leads: usize, at: u64) -> Option<SessionStep> {
    Some(SessionStep { number, leads, at })
}

fn session(seconds: &[u64]) -> ReviewSession {
    let mut session = ReviewSession::start(None, 0);
    for (number, at) in (1..).zip(seconds) {
        session.follow(step(number, 1, at * 1000));
    }
    session
}

#[test]
fn decisions_before_the_session_do_not_count() {
    let mut session = ReviewSession::start(step(7, 3, 0), 1000);
    session.follow(step(7, 3, 0));
    assert_eq!(session.done(), 0);
    session.follow(step(8, 1, 2000));
    assert_eq!(session.done(), 1);
}

#[test]
fn a_step_with_many_leads_counts_each() {
    let mut session = ReviewSession::start(None, 0);
    session.follow(step(1, 5, 1000));
    session.follow(step(2, 1, 2000));
    assert_eq!(session.done(), 6);
}

#[test]
fn undone_steps_do_not_count_and_redone_ones_do_again() {
    let mut session = session(&[1, 2, 3]);
    session.follow(step(1, 1, 1000));
    assert_eq!(session.done(), 1);
    session.follow(None);
    assert_eq!(session.done(), 0);
    session.follow(step(1, 1, 1000));
    assert_eq!(session.done(), 1);
}

#[test]
fn an_undo_of_what_was_before_the_session_changes_nothing() {
    let mut session = ReviewSession::start(step(7, 1, 0), 0);
    session.follow(step(6, 1, 0));
    assert_eq!(session.done(), 0);
    session.follow(step(8, 1, 1000));
    assert_eq!(session.done(), 1);
}

#[test]
fn the_pace_is_the_median_gap_and_unknown_at_first() {
    assert_eq!(session(&[1, 2]).pace(), None);
    assert_eq!(session(&[1, 2, 10]).pace(), Some(1000));
    assert_eq!(session(&[4, 9, 12, 30]).pace(), Some(5000));
}

#[test]
fn breaks_do_not_slow_the_pace() {
    assert_eq!(session(&[2, 4, 6, 4000, 8000, 12_000]).pace(), Some(2000));
}

#[test]
fn the_pace_follows_the_latest_decisions() {
    let slow = (1..=30).map(|n| n * 60);
    let fast = (1..=20).map(|n| 1800 + n * 2);
    let seconds: Vec<u64> = slow.chain(fast).collect();
    assert_eq!(session(&seconds).pace(), Some(2000));
}

#[test]
fn many_leads_in_one_step_share_its_time() {
    let mut session = ReviewSession::start(None, 0);
    for number in 1..=3 {
        session.follow(step(number, 4, number * 8000));
    }
    assert_eq!(session.pace(), Some(2000));
}
