//! Decisions without a server response: retried automatically until there is one.

use std::sync::Arc;

use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::review::outbox::entry::Phase;
use lead_workspace::review::outbox::{Outbox, SendResult};

const PENDING: ApprovalStatus = ApprovalStatus::PENDING_APPROVAL;
const APPROVED: NewApprovalStatus = NewApprovalStatus::Approved;
const REJECTED: NewApprovalStatus = NewApprovalStatus::Rejected;
const NO_ANSWER: SendResult = SendResult::Later { perhaps: true };

fn decide(outbox: &mut Outbox, lead: &str, to: NewApprovalStatus) {
    let shown = outbox.shown(lead).unwrap_or(PENDING);
    outbox.decide([(Arc::from(lead), shown)], to);
}

fn unanswered(outbox: &mut Outbox) {
    let flight = outbox.take().unwrap();
    outbox.ended(flight.number, &NO_ANSWER);
}

#[test]
fn no_response_is_retried_automatically() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, "a", APPROVED);
    unanswered(&mut outbox);
    assert_eq!(outbox.phase("a"), Phase::Retrying);
    assert_eq!(outbox.shown("a"), Some(APPROVED.into()));
    assert_eq!((outbox.failure("a"), outbox.open()), (None, 1));
    assert!(outbox.kept().is_some(), "a reload sends it as well");
    // A list read in the meantime does not settle it.
    let sent = outbox.reading();
    assert_eq!(outbox.arrived("a", PENDING, sent), APPROVED.into());
    assert_eq!(outbox.phase("a"), Phase::Retrying);

    let again = outbox.take().unwrap();
    assert_eq!((&*again.leads[0], again.to), ("a", APPROVED));
    assert_eq!(
        outbox.phase("a"),
        Phase::Retrying,
        "no warning while it is retried"
    );
    outbox.ended(again.number, &SendResult::Done);
    assert_eq!(outbox.phase("a"), Phase::Confirmed);
    assert!(outbox.is_settled());
}

#[test]
fn the_retry_delay_grows_to_a_minute_and_resets_on_a_response() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, "a", APPROVED);
    let mut pauses = Vec::new();
    for _ in 0..7 {
        unanswered(&mut outbox);
        pauses.push(outbox.pause());
    }
    assert_eq!(pauses, [2, 4, 8, 16, 32, 60, 60]);
    let flight = outbox.take().unwrap();
    outbox.ended(flight.number, &SendResult::Done);
    decide(&mut outbox, "b", APPROVED);
    unanswered(&mut outbox);
    assert_eq!(outbox.pause(), 2);
}

#[test]
fn concurrent_requests_increase_the_retry_delay_once() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, "a", APPROVED);
    decide(&mut outbox, "b", REJECTED);
    for pause in [2, 4, 8] {
        let (one, other) = (outbox.take().unwrap(), outbox.take().unwrap());
        outbox.ended(one.number, &NO_ANSWER);
        outbox.ended(other.number, &NO_ANSWER);
        assert_eq!(outbox.pause(), pause);
    }
}

#[test]
fn a_decision_can_be_reverted_during_automatic_retry() {
    let mut outbox = Outbox::default();
    for lead in ["a", "b"] {
        decide(&mut outbox, lead, APPROVED);
    }
    unanswered(&mut outbox);
    let flight = outbox.take().unwrap();
    outbox.revert(None);
    assert_eq!(outbox.shown("a"), Some(PENDING));
    outbox.ended(flight.number, &SendResult::Done);
    // The server has the new status by now, so the old one is sent.
    let back = outbox.take().unwrap();
    assert_eq!(
        (back.leads.len(), back.to),
        (2, NewApprovalStatus::PendingApproval)
    );
    outbox.ended(back.number, &SendResult::Done);
    assert!(outbox.is_settled());
    assert_eq!(outbox.phase("a"), Phase::Idle);
}

#[test]
fn a_rejection_after_no_response_is_a_failure() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, "a", APPROVED);
    unanswered(&mut outbox);
    let flight = outbox.take().unwrap();
    outbox.ended(flight.number, &SendResult::Gone);
    assert_eq!(outbox.phase("a"), Phase::Failed);
    assert_eq!(outbox.take(), None);
}

#[test]
fn undoing_a_saved_decision_leaves_no_decision() {
    let mut outbox = Outbox::default();
    for to in [APPROVED, NewApprovalStatus::PendingApproval] {
        decide(&mut outbox, "a", to);
        let flight = outbox.take().unwrap();
        outbox.ended(flight.number, &SendResult::Done);
    }
    assert_eq!(outbox.shown("a"), Some(PENDING));
    assert_eq!(outbox.phase("a"), Phase::Idle);
    assert_eq!(outbox.count(Phase::Confirmed), 0);
    // Deciding again is a new decision.
    decide(&mut outbox, "a", APPROVED);
    let flight = outbox.take().unwrap();
    outbox.ended(flight.number, &SendResult::Done);
    assert_eq!(outbox.phase("a"), Phase::Confirmed);
}
