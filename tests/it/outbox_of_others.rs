//! What others decide, in the outbox.

use std::sync::Arc;

use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::review::history::{Change, History};
use lead_workspace::review::outbox::{DELETED, DecisionFailure, Outbox, Phase, RequestResult};

use NewApprovalStatus::{Approved, PendingApproval, Rejected};

fn lead() -> Arc<str> {
    "a".into()
}

fn decided(to: NewApprovalStatus) -> Outbox {
    let mut outbox = Outbox::default();
    outbox.decide([(lead(), PendingApproval.into())], to);
    outbox
}

fn shown(outbox: &Outbox) -> Option<ApprovalStatus> {
    outbox.shown("a")
}

#[test]
fn a_status_of_others_is_shown() {
    let mut outbox = Outbox::default();
    outbox.on_changed_by_others(&lead(), &Approved.into(), true);
    assert_eq!(shown(&outbox), Some(Approved.into()));
    assert_eq!(outbox.phase("a"), Phase::Idle);
    assert!(outbox.is_settled());
}

#[test]
fn a_read_that_was_sent_before_does_not_bring_the_old_status_back() {
    for is_shown in [true, false] {
        let mut outbox = Outbox::default();
        let sent = outbox.start_read();
        outbox.on_changed_by_others(&lead(), &Approved.into(), is_shown);
        assert!(outbox.concerns("a"));
        let status = outbox.on_read("a", PendingApproval.into(), sent);
        assert_eq!(status, Approved.into());
        let sent = outbox.start_read();
        let status = outbox.on_read("a", Rejected.into(), sent);
        assert_eq!(status, Rejected.into(), "a later read counts");
    }
}

#[test]
fn an_open_decision_stays_until_the_server_answers() {
    let mut outbox = decided(Approved);
    outbox.on_changed_by_others(&lead(), &Rejected.into(), true);
    assert_eq!(shown(&outbox), Some(Approved.into()));
    let request = outbox.next_request().unwrap();
    outbox.on_changed_by_others(&lead(), &Rejected.into(), true);
    assert_eq!(shown(&outbox), Some(Approved.into()));
    outbox.on_result(request.number, &RequestResult::Done);
    assert_eq!(shown(&outbox), Some(Approved.into()));
    assert_eq!(outbox.phase("a"), Phase::Confirmed);
}

#[test]
fn a_refused_decision_gives_way_to_that_of_others() {
    let mut outbox = decided(Approved);
    let request = outbox.next_request().unwrap();
    outbox.on_changed_by_others(&lead(), &Rejected.into(), true);
    let failure = DecisionFailure {
        reason: "refused".into(),
        ..DecisionFailure::default()
    };
    outbox.on_result(request.number, &RequestResult::Failed(failure));
    assert_eq!(shown(&outbox), Some(Rejected.into()));
    assert_eq!(outbox.phase("a"), Phase::Failed, "and is still reported");
    outbox.revert(None);
    assert_eq!(shown(&outbox), Some(Rejected.into()));
}

#[test]
fn a_lead_that_was_deleted_stays_deleted_if_a_decision_was_saved_before() {
    let mut outbox = decided(Approved);
    let request = outbox.next_request().unwrap();
    outbox.on_changed_by_others(&lead(), &DELETED.into(), true);
    let saved = outbox.on_result(request.number, &RequestResult::Done);
    assert!(saved.is_empty());
    assert_eq!(shown(&outbox), Some(DELETED.into()));
    assert!(outbox.is_settled());
}

#[test]
fn it_is_known_what_was_sent_until_the_server_answers() {
    let mut outbox = decided(Approved);
    assert_eq!(outbox.unconfirmed("a"), None, "it is not sent yet");
    let request = outbox.next_request().unwrap();
    outbox.decide([(lead(), Approved.into())], Rejected);
    assert_eq!(outbox.unconfirmed("a"), Some(Approved));
    let is_lost = RequestResult::Retry { ambiguous: true };
    outbox.on_result(request.number, &is_lost);
    assert_eq!(outbox.unconfirmed("a"), Some(Approved));
    let request = outbox.next_request().unwrap();
    assert_eq!(outbox.unconfirmed("a"), Some(Rejected));
    outbox.on_result(request.number, &RequestResult::Done);
    assert_eq!(outbox.unconfirmed("a"), None);
}

#[test]
fn only_so_many_statuses_are_kept() {
    let mut outbox = Outbox::default();
    for lead in 0..10_000 {
        outbox.on_changed_by_others(&lead.to_string().into(), &Approved.into(), false);
    }
    let kept = (0..10_000).filter(|lead| outbox.concerns(&lead.to_string()));
    assert!((2_000..=4_000).contains(&kept.count()));
    assert!(outbox.concerns("9999") && outbox.leads().is_empty());
}

#[test]
fn undo_returns_to_what_others_decided_meanwhile() {
    let mut history = History::default();
    let change = Change {
        lead: lead(),
        from: PendingApproval.into(),
    };
    let number = history.push(Approved, "Ada".into(), vec![change], 0);
    history.changed_by_others("a", &Rejected.into());
    assert_eq!(history.step_of("a"), Some(number));
    assert_eq!(history.step_of("b"), None);
    let step = history.undo().unwrap();
    assert_eq!(step.changes[0].from, Rejected.into());
}
