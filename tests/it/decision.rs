//! However a person clicks and a server answers, the screen ends with what the server holds.

use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::model::decision::{Decision, Failure, Phase};
use proptest::prelude::*;

use NewApprovalStatus::{Approved, PendingApproval, Rejected};

fn pending() -> Decision {
    Decision::new(ApprovalStatus::PENDING_APPROVAL)
}

fn failure(ambiguous: bool) -> Failure {
    Failure {
        reason: "The service is unavailable (503).".into(),
        ambiguous,
        wants_key: false,
    }
}

#[test]
fn shown_at_once_and_saved_on_the_servers_word() {
    let mut decision = pending();
    assert_eq!(decision.decide(Approved), Some(Approved));
    assert_eq!(decision.shown(), ApprovalStatus::APPROVED);
    assert_eq!(decision.phase(), Phase::Saving);
    assert_eq!(decision.confirmed(ApprovalStatus::APPROVED, 1), None);
    assert_eq!(decision.phase(), Phase::Saved);
}

#[test]
fn a_failure_rolls_back_and_can_be_retried_or_reverted() {
    let mut decision = pending();
    decision.decide(Approved);
    assert_eq!(decision.failed(failure(false)), None);
    assert_eq!(decision.shown(), ApprovalStatus::PENDING_APPROVAL);
    assert_eq!(decision.failure().unwrap().1, Approved);
    let mut given_up = decision.clone();
    assert_eq!(given_up.revert(), None);
    assert_eq!(given_up.phase(), Phase::Idle);
    assert_eq!(decision.retry(), Some(Approved));
    assert_eq!(decision.shown(), ApprovalStatus::APPROVED);
}

#[test]
fn an_ambiguous_failure_is_reverted_on_the_server_too() {
    let mut decision = pending();
    decision.decide(Rejected);
    decision.failed(failure(true));
    assert_eq!(decision.revert(), Some(PendingApproval));
    assert_eq!(decision.phase(), Phase::Saving);
}

#[test]
fn the_latest_decision_wins() {
    let mut decision = pending();
    assert_eq!(decision.decide(Approved), Some(Approved));
    assert_eq!(decision.decide(Rejected), None, "one at a time");
    assert_eq!(decision.shown(), ApprovalStatus::REJECTED);
    assert_eq!(
        decision.confirmed(ApprovalStatus::APPROVED, 1),
        Some(Rejected)
    );
    assert_eq!(decision.shown(), ApprovalStatus::REJECTED);
    // The first one failing does not stop the second.
    let mut decision = pending();
    decision.decide(Approved);
    decision.decide(Rejected);
    assert_eq!(decision.failed(failure(false)), Some(Rejected));
    assert_eq!(decision.phase(), Phase::Saving);
}

#[test]
fn a_late_read_overwrites_nothing() {
    let mut decision = pending();
    decision.decide(Approved);
    assert!(!decision.refreshed(ApprovalStatus::PENDING_APPROVAL, 9));
    assert_eq!(decision.shown(), ApprovalStatus::APPROVED);
    decision.confirmed(ApprovalStatus::APPROVED, 5);
    // Sent as number 4, before the write was confirmed: older news.
    assert!(!decision.refreshed(ApprovalStatus::PENDING_APPROVAL, 4));
    assert_eq!(decision.shown(), ApprovalStatus::APPROVED);
    assert!(decision.refreshed(ApprovalStatus::REJECTED, 6));
    assert_eq!(decision.shown(), ApprovalStatus::REJECTED);
    assert_eq!(decision.phase(), Phase::Idle);
}

#[derive(Clone, Debug)]
enum Event {
    Decide(NewApprovalStatus),
    Confirm,
    Fail(bool, bool),
    Retry,
    Revert,
    Refresh,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => proptest::sample::select(NewApprovalStatus::ALL).prop_map(Event::Decide),
        3 => Just(Event::Confirm),
        2 => any::<(bool, bool)>().prop_map(|(ambiguous, done)| Event::Fail(ambiguous, done)),
        1 => Just(Event::Retry),
        1 => Just(Event::Revert),
        1 => Just(Event::Refresh),
    ]
}

proptest! {
    /// Against a server that does what it says: nothing is sent twice at a time, and once all is
    /// answered and nothing failed, screen and server agree on the last decision.
    #[test]
    fn screen_and_server_agree_in_the_end(events in proptest::collection::vec(event(), 0..40)) {
        let mut decision = pending();
        let mut server = PendingApproval;
        let mut wire: Option<NewApprovalStatus> = None;
        let mut last = None;
        let mut clock = 0;
        for event in events {
            clock += 1;
            let next = match event {
                Event::Decide(to) => {
                    last = Some(to);
                    decision.decide(to)
                }
                Event::Confirm => match wire.take() {
                    Some(sent) => {
                        server = sent;
                        decision.confirmed(sent.into(), clock)
                    }
                    None => None,
                },
                Event::Fail(ambiguous, done) => match wire.take() {
                    Some(sent) => {
                        if ambiguous && done {
                            server = sent;
                        }
                        decision.failed(failure(ambiguous))
                    }
                    None => None,
                },
                Event::Retry => decision.retry(),
                Event::Revert => {
                    if decision.failure().is_some() {
                        last = None;
                    }
                    decision.revert()
                }
                Event::Refresh => {
                    decision.refreshed(server.into(), clock);
                    None
                }
            };
            if let Some(next) = next {
                prop_assert!(wire.is_none(), "one at a time");
                wire = Some(next);
            }
            prop_assert_eq!(wire.is_some(), decision.phase() == Phase::Saving);
        }
        while let Some(sent) = wire.take() {
            clock += 1;
            server = sent;
            wire = decision.confirmed(sent.into(), clock);
        }
        if decision.failure().is_none() {
            prop_assert_eq!(decision.shown().known(), Some(server));
            if let Some(last) = last {
                prop_assert_eq!(server, last);
            }
        }
    }
}
