//! Decisions without a server response: retried automatically until there is one.

use std::sync::Arc;

use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::review::outbox::Phase;
use lead_workspace::review::outbox::{Outbox, RequestResult};

const PENDING: ApprovalStatus = ApprovalStatus::PENDING_APPROVAL;
const APPROVED: NewApprovalStatus = NewApprovalStatus::Approved;
const REJECTED: NewApprovalStatus = NewApprovalStatus::Rejected;
const NO_ANSWER: RequestResult = RequestResult::Retry { ambiguous: true };

fn decide(outbox: &mut Outbox, lead: &str, to: NewApprovalStatus) {
    let shown = outbox.shown(lead).unwrap_or(PENDING);
    outbox.decide([(Arc::from(lead), shown)], to);
}

fn unanswered(outbox: &mut Outbox) {
    let request = outbox.next_request().unwrap();
    outbox.on_result(request.number, &NO_ANSWER);
}

#[test]
fn no_response_is_retried_automatically() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, "a", APPROVED);
    unanswered(&mut outbox);
    assert_eq!(outbox.phase("a"), Phase::Retrying);
    assert_eq!(outbox.shown("a"), Some(APPROVED.into()));
    assert_eq!((outbox.failure("a"), outbox.open()), (None, 1));
    assert!(outbox.to_stored().is_some(), "a reload sends it as well");
    // A list read in the meantime does not settle it.
    let sent = outbox.start_read();
    assert_eq!(outbox.on_read("a", PENDING, sent), APPROVED.into());
    assert_eq!(outbox.phase("a"), Phase::Retrying);

    let again = outbox.next_request().unwrap();
    assert_eq!((&*again.leads[0], again.to), ("a", APPROVED));
    assert_eq!(
        outbox.phase("a"),
        Phase::Retrying,
        "no warning while it is retried"
    );
    outbox.on_result(again.number, &RequestResult::Done);
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
    let request = outbox.next_request().unwrap();
    outbox.on_result(request.number, &RequestResult::Done);
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
        let (one, other) = (
            outbox.next_request().unwrap(),
            outbox.next_request().unwrap(),
        );
        outbox.on_result(one.number, &NO_ANSWER);
        outbox.on_result(other.number, &NO_ANSWER);
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
    let request = outbox.next_request().unwrap();
    outbox.revert(None);
    assert_eq!(outbox.shown("a"), Some(PENDING));
    outbox.on_result(request.number, &RequestResult::Done);
    // The server has the new status by now, so the old one is sent.
    let back = outbox.next_request().unwrap();
    assert_eq!(
        (back.leads.len(), back.to),
        (2, NewApprovalStatus::PendingApproval)
    );
    outbox.on_result(back.number, &RequestResult::Done);
    assert!(outbox.is_settled());
    assert_eq!(outbox.phase("a"), Phase::Idle);
}

#[test]
fn a_rejection_after_no_response_is_a_failure() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, "a", APPROVED);
    unanswered(&mut outbox);
    let request = outbox.next_request().unwrap();
    outbox.on_result(request.number, &RequestResult::NotFound);
    assert_eq!(outbox.phase("a"), Phase::Failed);
    assert_eq!(outbox.next_request(), None);
}

#[test]
fn undoing_a_saved_decision_leaves_no_decision() {
    let mut outbox = Outbox::default();
    for to in [APPROVED, NewApprovalStatus::PendingApproval] {
        decide(&mut outbox, "a", to);
        let request = outbox.next_request().unwrap();
        outbox.on_result(request.number, &RequestResult::Done);
    }
    assert_eq!(outbox.shown("a"), Some(PENDING));
    assert_eq!(outbox.phase("a"), Phase::Idle);
    assert_eq!(outbox.count(Phase::Confirmed), 0);
    // Deciding again is a new decision.
    decide(&mut outbox, "a", APPROVED);
    let request = outbox.next_request().unwrap();
    outbox.on_result(request.number, &RequestResult::Done);
    assert_eq!(outbox.phase("a"), Phase::Confirmed);
}
