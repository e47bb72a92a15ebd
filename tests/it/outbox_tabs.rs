//! Decisions of several tabs on the same leads: the later one wins, in whichever order the requests arrive.

use std::sync::Arc;

use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::review::outbox::{Outbox, OutboxRequest, Phase, RequestResult};

const PENDING: ApprovalStatus = ApprovalStatus::PENDING_APPROVAL;
const APPROVED: NewApprovalStatus = NewApprovalStatus::Approved;
const REJECTED: NewApprovalStatus = NewApprovalStatus::Rejected;

/// Returns the outbox of a tab in which a lead was decided.
fn tab(to: NewApprovalStatus, at: u64) -> Outbox {
    let mut outbox = Outbox::default();
    decide(&mut outbox, to, at);
    outbox
}

fn decide(outbox: &mut Outbox, to: NewApprovalStatus, at: u64) {
    let shown = outbox.shown("a").unwrap_or(PENDING);
    outbox.set_clock(at);
    outbox.decide([(Arc::from("a"), shown)], to);
}

fn done(outbox: &mut Outbox, request: &OutboxRequest) {
    outbox.on_result(request.number, &RequestResult::Done);
}

/// Sends all that waits, and returns the statuses.
fn send_all(outbox: &mut Outbox) -> Vec<NewApprovalStatus> {
    let mut sent = Vec::new();
    while let Some(request) = outbox.next_request() {
        done(outbox, &request);
        sent.push(request.to);
    }
    sent
}

#[test]
fn a_newer_decision_of_another_tab_replaces_one_that_waits() {
    for is_saved in [false, true] {
        let mut outbox = tab(APPROVED, 5);
        outbox.on_decided_elsewhere("a", REJECTED, 6, is_saved);
        assert_eq!(outbox.shown("a"), Some(REJECTED.into()));
        assert_eq!(send_all(&mut outbox), [REJECTED]);
    }
}

#[test]
fn a_newer_decision_of_another_tab_is_sent_after_an_older_one_in_flight() {
    let mut outbox = tab(APPROVED, 5);
    let request = outbox.next_request().unwrap();
    outbox.on_decided_elsewhere("a", REJECTED, 6, true);
    let saved = outbox.on_result(request.number, &RequestResult::Done);
    assert_eq!(saved[0].at, 5, "the decision that was sent");
    assert_eq!(send_all(&mut outbox), [REJECTED]);
}

#[test]
fn a_decision_is_sent_again_if_another_tab_saved_an_older_one() {
    // Settled, in flight, and taken back before it was sent.
    let mut settled = tab(REJECTED, 6);
    assert_eq!(send_all(&mut settled), [REJECTED]);
    settled.on_decided_elsewhere("a", APPROVED, 5, true);
    assert_eq!(settled.shown("a"), Some(REJECTED.into()));
    assert_eq!(send_all(&mut settled), [REJECTED]);

    let mut sent = tab(REJECTED, 6);
    let request = sent.next_request().unwrap();
    sent.on_decided_elsewhere("a", APPROVED, 5, true);
    done(&mut sent, &request);
    assert_eq!(sent.phase("a"), Phase::Queued);
    assert_eq!(send_all(&mut sent), [REJECTED]);
    assert_eq!(sent.phase("a"), Phase::Confirmed);

    let mut undone = tab(REJECTED, 4);
    decide(&mut undone, NewApprovalStatus::PendingApproval, 6);
    assert_eq!(send_all(&mut undone), []);
    undone.on_decided_elsewhere("a", APPROVED, 5, true);
    assert_eq!(send_all(&mut undone), [NewApprovalStatus::PendingApproval]);
}

#[test]
fn a_saved_decision_of_a_paused_run_is_not_held_when_it_is_sent_again() {
    let mut outbox = tab(REJECTED, 6);
    let request = outbox.next_request().unwrap();
    outbox.hold(&request.leads, true);
    done(&mut outbox, &request);
    outbox.on_decided_elsewhere("a", APPROVED, 5, true);
    assert_eq!(send_all(&mut outbox), [REJECTED]);
}

#[test]
fn a_decision_of_another_tab_that_is_not_saved_changes_nothing_settled() {
    let mut outbox = tab(APPROVED, 5);
    send_all(&mut outbox);
    outbox.on_decided_elsewhere("a", REJECTED, 6, false);
    outbox.on_decided_elsewhere("b", REJECTED, 6, false);
    assert_eq!(outbox.shown("a"), Some(APPROVED.into()));
    assert_eq!((outbox.shown("b"), outbox.next_request()), (None, None));
    outbox.on_decided_elsewhere("a", REJECTED, 6, true);
    assert_eq!(outbox.shown("a"), Some(REJECTED.into()));
    assert_eq!(send_all(&mut outbox), []);
}

#[test]
fn the_decisions_of_a_closed_tab_are_sent_even_if_they_seem_to_be_saved() {
    // The closed tab approved, which the server saved, and then rejected.
    let mut closed = tab(APPROVED, 7);
    closed.next_request().unwrap();
    decide(&mut closed, REJECTED, 8);
    let mut outbox = tab(REJECTED, 5);
    send_all(&mut outbox);
    outbox.restore(&closed.to_stored().unwrap());
    assert_eq!(send_all(&mut outbox), [REJECTED]);
}

#[test]
fn a_decision_is_sent_again_if_a_closed_tab_left_an_older_one() {
    let mut outbox = tab(REJECTED, 6);
    send_all(&mut outbox);
    let left = tab(APPROVED, 5).to_stored().unwrap();
    assert!(outbox.restore(&left).is_empty());
    assert_eq!(send_all(&mut outbox), [REJECTED]);
}

#[test]
fn a_decision_replaces_older_ones_that_other_tabs_stored() {
    let text = tab(APPROVED, 5).to_stored().unwrap();
    let replaced = |lead, at| Outbox::replaced(&text, &mut [lead].into_iter(), REJECTED, at);
    assert_eq!(replaced("a", 4), None);
    assert_eq!(replaced("b", 6), None);
    let mut outbox = Outbox::default();
    outbox.restore(&replaced("a", 6).unwrap());
    assert_eq!(send_all(&mut outbox), [REJECTED]);
}

#[test]
fn a_saved_decision_leaves_what_is_stored_unless_a_later_one_is() {
    let both = || ["a", "b"].map(|lead| (Arc::from(lead), PENDING));
    let mut outbox = Outbox::default();
    outbox.set_clock(7);
    outbox.decide(both(), APPROVED);
    let text = outbox.to_stored().unwrap();
    let request = outbox.next_request().unwrap();
    let saved = outbox.on_result(request.number, &RequestResult::Done);
    assert_eq!(Outbox::without(&text, &saved), Some(None));
    let left = Outbox::without(&text, &saved[..1]).unwrap().unwrap();
    let mut next = Outbox::default();
    assert_eq!(next.restore(&left), [Arc::from("b")]);
    assert_eq!(Outbox::without(&left, &saved[..1]), None);

    // Decided again meanwhile, in another tab or review.
    let mut later = Outbox::default();
    later.set_clock(8);
    later.decide(both(), REJECTED);
    assert_eq!(Outbox::without(&later.to_stored().unwrap(), &saved), None);
    // The storage was full when these were made, and has earlier ones.
    let mut earlier = Outbox::default();
    earlier.set_clock(6);
    earlier.decide(both(), REJECTED);
    assert_eq!(
        Outbox::without(&earlier.to_stored().unwrap(), &saved),
        Some(None)
    );
}
