//! The outbox, rule by rule.

use std::sync::Arc;

use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::review::outbox::{CHUNK, Outbox, OutboxRequest, RequestResult};
use lead_workspace::review::outbox::{DecisionFailure, Phase};

const PENDING: ApprovalStatus = ApprovalStatus::PENDING_APPROVAL;
const APPROVED: NewApprovalStatus = NewApprovalStatus::Approved;
const REJECTED: NewApprovalStatus = NewApprovalStatus::Rejected;

fn decide(outbox: &mut Outbox, leads: &[&str], to: NewApprovalStatus) {
    let pending = leads.iter().map(|lead| (Arc::from(*lead), PENDING));
    outbox.decide(pending, to);
}

fn leads(request: &OutboxRequest) -> Vec<&str> {
    request.leads.iter().map(|lead| &**lead).collect()
}

fn failure(ambiguous: bool) -> RequestResult {
    RequestResult::Failed(DecisionFailure {
        reason: "it broke".into(),
        ambiguous,
        key_refused: false,
    })
}

#[test]
fn equal_decisions_are_batched_oldest_first() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["a"], APPROVED);
    decide(&mut outbox, &["b"], REJECTED);
    decide(&mut outbox, &["c"], APPROVED);
    let first = outbox.next_request().unwrap();
    let second = outbox.next_request().unwrap();
    assert_eq!((leads(&first), first.to), (vec!["a", "c"], APPROVED));
    assert_eq!((leads(&second), second.to), (vec!["b"], REJECTED));
    decide(&mut outbox, &["d"], APPROVED);
    assert_eq!(outbox.next_request(), None, "two requests are in flight");
    assert_eq!(outbox.phase("d"), Phase::Queued);
    outbox.on_result(first.number, &RequestResult::Done);
    assert_eq!(outbox.phase("a"), Phase::Confirmed);
    assert_eq!(leads(&outbox.next_request().unwrap()), ["d"]);
}

#[test]
fn request_size_is_limited() {
    let mut outbox = Outbox::default();
    let many = (0..=CHUNK).map(|lead| (Arc::from(lead.to_string()), PENDING));
    outbox.decide(many, APPROVED);
    assert_eq!(outbox.next_request().unwrap().leads.len(), CHUNK);
    assert_eq!(outbox.next_request().unwrap().leads.len(), 1);
}

#[test]
fn the_latest_decision_wins_and_waits_for_the_request_in_flight() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["a"], APPROVED);
    let first = outbox.next_request().unwrap();
    decide(&mut outbox, &["a"], REJECTED);
    assert_eq!(
        outbox.next_request(),
        None,
        "one request at a time for a lead"
    );
    assert_eq!(outbox.shown("a"), Some(REJECTED.into()));
    outbox.on_result(first.number, &RequestResult::Done);
    assert_eq!(outbox.shown("a"), Some(REJECTED.into()));
    assert_eq!(outbox.next_request().unwrap().to, REJECTED);
}

#[test]
fn a_decision_reverted_before_sending_is_not_sent() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["a"], APPROVED);
    decide(&mut outbox, &["a"], NewApprovalStatus::PendingApproval);
    assert_eq!(outbox.next_request(), None);
    assert!(outbox.is_settled());
}

#[test]
fn a_failed_decision_can_be_retried_or_reverted() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["a", "b"], APPROVED);
    let request = outbox.next_request().unwrap();
    outbox.on_result(request.number, &failure(false));
    assert_eq!(outbox.phase("a"), Phase::Failed);
    assert_eq!(outbox.shown("a"), Some(PENDING));
    assert_eq!(outbox.next_request(), None, "not automatically");
    outbox.revert(Some(&["a".into()]));
    assert_eq!(outbox.phase("a"), Phase::Idle);
    outbox.retry(None);
    assert_eq!(leads(&outbox.next_request().unwrap()), ["b"]);
}

#[test]
fn a_decision_stays_uncertain_until_resolved() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["a", "b", "c"], APPROVED);
    let request = outbox.next_request().unwrap();
    let before = outbox.start_read();
    outbox.on_result(request.number, &failure(true));
    assert_eq!(outbox.phase("a"), Phase::Uncertain);
    assert_eq!(
        outbox.on_read("a", PENDING, before),
        APPROVED.into(),
        "older data"
    );
    assert_eq!(outbox.phase("a"), Phase::Uncertain);

    // A read that was sent later settles it, with either status.
    let after = outbox.start_read();
    outbox.on_read("a", APPROVED.into(), after);
    assert_eq!(outbox.phase("a"), Phase::Idle);
    outbox.on_read("b", PENDING, after);
    assert_eq!(outbox.phase("b"), Phase::Failed);

    // Reverted without such a read, the old status is written, because the server may have the new one.
    outbox.revert(Some(&["c".into()]));
    let back = outbox.next_request().unwrap();
    assert_eq!(
        (leads(&back), back.to),
        (vec!["c"], NewApprovalStatus::PendingApproval)
    );
}

#[test]
fn a_short_count_is_resolved_lead_by_lead() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["a", "b"], APPROVED);
    let both = outbox.next_request().unwrap();
    outbox.on_result(both.number, &RequestResult::Counted(1));
    let (first, second) = (
        outbox.next_request().unwrap(),
        outbox.next_request().unwrap(),
    );
    assert_eq!((leads(&first), leads(&second)), (vec!["a"], vec!["b"]));
    outbox.on_result(first.number, &RequestResult::Done);
    outbox.on_result(second.number, &RequestResult::Counted(0));
    assert_eq!(outbox.phase("a"), Phase::Confirmed);
    let (why, wanted) = outbox.failure("b").unwrap();
    assert!(why.reason.contains("no longer exists"));
    assert_eq!(wanted, APPROVED);
    // A missing lead was certainly not changed: after a revert there is nothing to send or store.
    assert_eq!(outbox.phase("b"), Phase::Failed);
    outbox.revert(Some(&["b".into()]));
    assert_eq!((outbox.next_request(), outbox.to_stored()), (None, None));
}

#[test]
fn a_read_never_undoes_a_write() {
    let mut outbox = Outbox::default();
    let early = outbox.start_read();
    decide(&mut outbox, &["a"], APPROVED);
    assert_eq!(outbox.on_read("a", PENDING, early), APPROVED.into());
    let request = outbox.next_request().unwrap();
    let during = outbox.start_read();
    outbox.on_result(request.number, &RequestResult::Done);
    assert_eq!(outbox.on_read("a", PENDING, during), APPROVED.into());
    let late = outbox.start_read();
    assert_eq!(outbox.on_read("a", REJECTED.into(), late), REJECTED.into());
    assert_eq!(
        outbox.on_read("unknown", REJECTED.into(), early),
        REJECTED.into()
    );
}

#[test]
fn restored_decisions_are_resent_and_newer_ones_win() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["queued", "newer"], APPROVED);
    decide(&mut outbox, &["sent"], REJECTED);
    outbox.next_request().unwrap();
    let text = outbox.to_stored().unwrap();

    let mut next = Outbox::default();
    decide(&mut next, &["newer"], REJECTED);
    assert_eq!(next.restore(&text).len(), 2);
    assert_eq!(next.shown("newer"), Some(REJECTED.into()));
    assert_eq!(next.shown("queued"), Some(APPROVED.into()));
    assert_eq!(next.count(Phase::Queued), 3);
    for odd in [
        "",
        "{}",
        "[[1,2,3]]",
        r#"[["a","someday","x"]]"#,
        r#"[["","approved","x"]]"#,
    ] {
        assert!(next.restore(odd).is_empty(), "{odd}");
    }
    while let Some(request) = next.next_request() {
        next.on_result(request.number, &RequestResult::Done);
    }
    assert_eq!(next.to_stored(), None);
}

#[test]
fn other_tabs_apply_unless_a_decision_is_open_here() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["a", "b"], APPROVED);
    let request = outbox.next_request().unwrap();
    outbox.on_saved_elsewhere("a", REJECTED.into());
    assert_eq!(
        outbox.shown("a"),
        Some(APPROVED.into()),
        "our request is in flight"
    );
    outbox.on_result(request.number, &RequestResult::Done);
    outbox.on_saved_elsewhere("a", REJECTED.into());
    assert_eq!(outbox.shown("a"), Some(REJECTED.into()));
}

#[test]
fn a_failure_of_a_superseded_decision_is_ignored() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["a"], APPROVED);
    let request = outbox.next_request().unwrap();
    decide(&mut outbox, &["a"], REJECTED);
    outbox.on_result(request.number, &failure(false));
    assert_eq!(outbox.phase("a"), Phase::Queued);
    assert_eq!(outbox.next_request().unwrap().to, REJECTED);
}

#[test]
fn decisions_are_sent_in_order() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["z"], APPROVED);
    let many = (0..CHUNK).map(|lead| (Arc::from(format!("a{lead}")), PENDING));
    outbox.decide(many, APPROVED);
    assert!(leads(&outbox.next_request().unwrap()).contains(&"z"));
}

#[test]
fn a_postponed_decision_is_queued_again_unchanged() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["a"], APPROVED);
    let request = outbox.next_request().unwrap();
    outbox.on_result(request.number, &RequestResult::Retry { ambiguous: false });
    assert_eq!(outbox.phase("a"), Phase::Queued);
    assert_eq!(outbox.shown("a"), Some(APPROVED.into()));
    let again = outbox.next_request().unwrap();
    assert_eq!((leads(&again), again.to), (vec!["a"], APPROVED));
}

#[test]
fn held_decisions_stay_held_after_a_reload() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["a", "b"], APPROVED);
    outbox.hold(&["a".into()], true);
    let text = outbox.to_stored().unwrap();
    let mut next = Outbox::default();
    let taken = next.restore(&text);
    assert_eq!(taken.len(), 2);
    assert!(next.is_held("a") && !next.is_held("b"));
    assert_eq!(leads(&next.next_request().unwrap()), ["b"]);
    next.hold(&["a".into()], false);
    assert_eq!(leads(&next.next_request().unwrap()), ["a"]);
    // Data stored by an older version has no `held` flag.
    let mut old = Outbox::default();
    old.restore(r#"[["a","approved","pending_approval"]]"#);
    assert!(!old.is_held("a"));
}

#[test]
fn a_rejected_batch_is_split_into_single_leads() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["a", "b"], APPROVED);
    let both = outbox.next_request().unwrap();
    outbox.on_result(both.number, &RequestResult::Refused { ambiguous: false });
    let (first, second) = (
        outbox.next_request().unwrap(),
        outbox.next_request().unwrap(),
    );
    assert_eq!((leads(&first), leads(&second)), (vec!["a"], vec!["b"]));
    outbox.on_result(first.number, &failure(false));
    assert_eq!(outbox.phase("a"), Phase::Failed);
    // If a short count came before it, the same refusal leaves the outcome uncertain.
    decide(&mut outbox, &["c", "d"], REJECTED);
    outbox.on_result(second.number, &RequestResult::Done);
    let both = outbox.next_request().unwrap();
    outbox.on_result(both.number, &RequestResult::Counted(1));
    let first = outbox.next_request().unwrap();
    outbox.on_result(first.number, &failure(false));
    assert_eq!(outbox.phase("c"), Phase::Uncertain);
}

#[test]
fn a_missing_lead_is_not_uncertain() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["a"], APPROVED);
    let mut next = Outbox::default();
    next.restore(&outbox.to_stored().unwrap());
    let request = next.next_request().unwrap();
    next.on_result(request.number, &RequestResult::NotFound);
    assert_eq!(next.phase("a"), Phase::Failed);
    next.revert(None);
    assert_eq!((next.next_request(), next.to_stored()), (None, None));
}

#[test]
fn the_later_of_two_stored_decisions_wins() {
    let kept = |at, to| {
        let mut outbox = Outbox::default();
        outbox.set_clock(at);
        decide(&mut outbox, &["a"], to);
        outbox.to_stored().unwrap()
    };
    let (earlier, later) = (kept(5, APPROVED), kept(6, REJECTED));
    for order in [[&earlier, &later], [&later, &earlier]] {
        let mut outbox = Outbox::default();
        for text in order {
            outbox.restore(text);
        }
        assert_eq!(outbox.wanted("a"), Some(REJECTED));
        // Also if the earlier decision was already sent.
        let mut outbox = Outbox::default();
        outbox.restore(order[0]);
        let request = outbox.next_request().unwrap();
        outbox.restore(order[1]);
        outbox.on_result(request.number, &RequestResult::Done);
        let last = outbox
            .next_request()
            .map_or(request.to, |request| request.to);
        assert_eq!(last, REJECTED);
    }
    // A decision made here is newer than both. What others decided is not: they did not know of them.
    let mut outbox = Outbox::default();
    outbox.set_clock(7);
    decide(&mut outbox, &["a"], NewApprovalStatus::Filtered);
    assert!(outbox.restore(&later).is_empty());
    let mut outbox = Outbox::default();
    outbox.on_changed_by_others(&"a".into(), &APPROVED.into(), true);
    assert_eq!(outbox.restore(&later), ["a".into()]);
    assert_eq!(outbox.wanted("a"), Some(REJECTED));
}

#[test]
fn an_older_read_does_not_replace_newer_data() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["a"], APPROVED);
    let request = outbox.next_request().unwrap();
    outbox.on_result(request.number, &RequestResult::Done);
    let (first, second) = (outbox.start_read(), outbox.start_read());
    outbox.on_read("a", REJECTED.into(), second);
    assert_eq!(outbox.on_read("a", APPROVED.into(), first), REJECTED.into());
}

#[test]
fn a_stored_run_contains_its_status_once() {
    let mut outbox = Outbox::default();
    let many = (0..70_000).map(|lead| (Arc::from(format!("{lead:036}")), PENDING));
    outbox.decide(many, APPROVED);
    decide(&mut outbox, &["other"], REJECTED);
    let text = outbox.to_stored().unwrap();
    assert_eq!(text.matches("approved").count(), 1);
    assert!(text.len() < 70_000 * 40, "{}", text.len());
    let mut next = Outbox::default();
    assert_eq!(next.restore(&text).len(), 70_001);
    assert_eq!(next.count(Phase::Queued), 70_001);
}

#[test]
fn a_repeated_decision_is_sent_only_if_not_saved_here() {
    let mut outbox = Outbox::default();
    outbox.decide([("a".into(), APPROVED.into())], APPROVED);
    let request = outbox.next_request().unwrap();
    assert_eq!((leads(&request), request.to), (vec!["a"], APPROVED));
    outbox.on_result(request.number, &RequestResult::Done);
    outbox.decide([("a".into(), APPROVED.into())], APPROVED);
    assert_eq!(outbox.next_request(), None);
}

#[test]
fn unsaved_decisions_are_known_until_the_server_has_them() {
    let mut outbox = Outbox::default();
    decide(&mut outbox, &["a", "b"], APPROVED);
    let unsaved = |outbox: &Outbox| outbox.unsaved().collect::<Vec<_>>();
    let moved = (PENDING, ApprovalStatus::from(APPROVED));
    assert_eq!(unsaved(&outbox), [moved.clone(), moved.clone()]);
    let request = outbox.next_request().unwrap();
    assert_eq!(
        unsaved(&outbox),
        [moved.clone(), moved],
        "not confirmed yet"
    );
    outbox.on_result(request.number, &RequestResult::Done);
    assert_eq!(unsaved(&outbox), []);
}
