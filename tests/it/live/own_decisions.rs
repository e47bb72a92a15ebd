//! Decisions of this reviewer, and conflicts with those of others.

use std::sync::Arc;

use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::app::model::live::conflicts::{Conflict, sentence};
use lead_workspace::app::model::live::{Effects, LiveModel, OwnEffect, Screen};

use super::{Page, event, leads, many, marked, opened, page, status};

use NewApprovalStatus::{Approved, PendingApproval, Rejected};

#[test]
fn own_saved_decisions_are_not_marked() {
    let mut model = opened();
    let mut screen = page(&["a", "b"]);
    // The response comes first.
    model.on_own(&"a".into(), Approved, Some(1), true, false, 5);
    screen.known.insert("a", Approved);
    let effects = model.take(&event(2, vec![status(Approved, &["a"])]), 5, &screen);
    // They were counted when they were made.
    assert_eq!(effects, Effects::default());
    // The event comes first.
    screen.send("b", Rejected);
    let effects = model.take(&event(3, vec![status(Rejected, &["b"])]), 5, &screen);
    assert_eq!(effects, Effects::default());
    screen.answered("b", Rejected);
    assert_eq!(
        model.on_own(&"b".into(), Rejected, Some(1), true, false, 5),
        OwnEffect::None
    );
    // Someone else moves it back, and decides the same again: that is news.
    let effects = model.take(&event(4, vec![status(PendingApproval, &["b"])]), 5, &screen);
    assert_eq!(marked(&effects), ["b"]);
    screen.known.insert("b", PendingApproval);
    let effects = model.take(&event(5, vec![status(Rejected, &["b"])]), 5, &screen);
    assert_eq!(marked(&effects), ["b"]);
}

#[test]
fn an_event_of_an_older_own_decision_changes_nothing() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    model.on_own(&"a".into(), Approved, Some(1), true, false, 5);
    model.on_own(&"a".into(), Rejected, Some(2), true, false, 5);
    screen.known.insert("a", Rejected);
    let effects = model.take(&event(2, vec![status(Approved, &["a"])]), 5, &screen);
    assert!(effects.statuses.is_empty());
    assert_eq!(
        effects.content,
        [Arc::from("a")],
        "it may be someone else's"
    );
    let effects = model.take(&event(3, vec![status(Rejected, &["a"])]), 5, &screen);
    assert!(effects.statuses.is_empty() && effects.content.is_empty());
}

#[test]
fn a_decision_of_others_after_an_own_one_that_is_not_answered_yet_is_no_conflict() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    screen.send("a", Approved);
    model.take(&event(2, vec![status(Approved, &["a"])]), 5, &screen);
    model.take(&event(3, vec![status(Rejected, &["a"])]), 6, &screen);
    let effect = model.on_own(&"a".into(), Approved, Some(1), true, false, 5);
    assert_eq!(effect, OwnEffect::Unclear, "the lead is read again");
}

#[test]
fn after_an_event_of_an_older_decision_while_the_next_one_is_in_flight_the_order_is_unclear() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    model.on_own(&"a".into(), Approved, Some(1), true, false, 5);
    screen.known.insert("a", Approved);
    screen.send("a", Rejected);
    // It may be someone else's, who approved after the rejection.
    model.take(&event(2, vec![status(Approved, &["a"])]), 5, &screen);
    let effect = model.on_own(&"a".into(), Rejected, Some(2), true, false, 5);
    assert_eq!(effect, OwnEffect::Unclear, "the lead is read again");
}

#[test]
fn the_same_decision_of_others_is_known_also_if_the_own_one_was_never_sent() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    screen.unsaved.insert("a", Approved);
    let effects = model.take(&event(2, vec![status(Approved, &["a"])]), 5, &screen);
    assert_eq!(leads(&effects), [("a", "approved")]);
    assert!(effects.marked.is_empty());
}

#[test]
fn decisions_of_other_tabs_are_not_marked() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    model.on_own(&"a".into(), Approved, None, false, false, 5);
    let effects = model.take(&event(2, vec![status(Approved, &["a"])]), 5, &screen);
    assert_eq!(leads(&effects), [("a", "approved")]);
    assert!(effects.marked.is_empty());
    screen.known.insert("a", Approved);
    // The report that it was saved does not wait for another event.
    model.on_own(&"a".into(), Approved, None, true, false, 5);
    screen.known.insert("a", PendingApproval);
    let effects = model.take(&event(3, vec![status(Approved, &["a"])]), 5, &screen);
    assert_eq!(marked(&effects), ["a"]);
}

#[test]
fn a_conflict_is_said_once_when_the_own_decision_is_saved() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    screen.unsaved.insert("a", Approved);
    let effects = model.take(&event(2, vec![status(Rejected, &["a"])]), 1_000, &screen);
    assert!(effects.conflicts.is_empty(), "not before it is saved");
    assert_eq!(leads(&effects), [("a", "rejected")]);
    let conflict = model.on_own(&"a".into(), Approved, Some(5_500), true, false, 5);
    assert_eq!(
        conflict,
        OwnEffect::Conflict(Conflict {
            lead: "a".into(),
            theirs: Rejected.into(),
            at: 1_000,
            ours_at: Some(5_500),
        })
    );
    let effects = model.take(&event(3, vec![status(Approved, &["a"])]), 5, &screen);
    assert!(effects.conflicts.is_empty() && effects.marked.is_empty());
    assert_eq!(
        model.on_own(&"a".into(), Approved, Some(9_000), true, false, 5),
        OwnEffect::None
    );
}

#[test]
fn a_conflict_is_said_also_if_the_response_comes_before_their_event() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    model.on_own(&"a".into(), Approved, Some(1), true, false, 5);
    screen.known.insert("a", Approved);
    let effects = model.take(&event(2, vec![status(Rejected, &["a"])]), 5, &screen);
    assert_eq!(
        leads(&effects),
        [("a", "rejected")],
        "theirs may be the last"
    );
    screen.known.insert("a", Rejected);
    let effects = model.take(&event(3, vec![status(Approved, &["a"])]), 5, &screen);
    assert_eq!(leads(&effects), [("a", "approved")]);
    assert!(effects.marked.is_empty());
    assert_eq!(effects.conflicts.len(), 1);
}

#[test]
fn a_conflict_is_said_also_if_both_events_come_before_the_response() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    screen.unsaved.insert("a", Approved);
    model.take(&event(2, vec![status(Rejected, &["a"])]), 5, &screen);
    screen.known.insert("a", Rejected);
    model.take(&event(3, vec![status(Approved, &["a"])]), 6, &screen);
    let effect = model.on_own(&"a".into(), Approved, Some(1), true, false, 5);
    assert!(matches!(effect, OwnEffect::Conflict(_)));
}

/// A lead whose own decision is not saved, and that someone else rejects.
fn decided_by_both() -> (LiveModel, Page, Arc<str>) {
    let mut model = opened();
    let mut screen = page(&["a"]);
    screen.unsaved.insert("a", Approved);
    model.take(&event(2, vec![status(Rejected, &["a"])]), 1_000, &screen);
    screen.known.insert("a", Rejected);
    (model, screen, "a".into())
}

#[test]
fn what_others_decided_before_a_decision_was_taken_back_is_no_conflict_of_a_later_one() {
    let (mut model, mut screen, lead) = decided_by_both();
    // Undo, before anything was sent. The row shows theirs from now on.
    decide(&mut model, &lead, &screen);
    screen.unsaved.clear();
    decide(&mut model, &lead, &screen);
    screen.unsaved.insert("a", Approved);
    assert_eq!(
        model.on_own(&lead, Approved, Some(90_000), true, false, 90_000),
        OwnEffect::None
    );
}

#[test]
fn a_decision_that_was_taken_back_while_it_was_in_flight_is_no_conflict() {
    let (mut model, mut screen, lead) = decided_by_both();
    decide(&mut model, &lead, &screen);
    screen.unsaved.insert("a", Rejected);
    // The server answers the first one, and the stream repeats it.
    let effect = model.on_own(&lead, Approved, Some(900), true, true, 2_000);
    assert_eq!(effect, OwnEffect::None);
    screen.known.insert("a", Approved);
    let own = event(3, vec![status(Approved, &["a"])]);
    assert!(model.take(&own, 2_000, &screen).conflicts.is_empty());
    // Undo is saved, too.
    let effect = model.on_own(&lead, Rejected, Some(1_500), true, false, 2_500);
    assert_eq!(effect, OwnEffect::None);
}

#[test]
fn the_event_of_a_decision_that_was_taken_back_is_no_decision_of_others_also_if_it_comes_first() {
    let (mut model, mut screen, lead) = decided_by_both();
    screen.unconfirmed.insert("a", Approved);
    decide(&mut model, &lead, &screen);
    screen.unsaved.insert("a", Rejected);
    let own = event(3, vec![status(Approved, &["a"])]);
    assert_eq!(model.take(&own, 2_000, &screen), Effects::default());
    // The response to the first one.
    let effect = model.on_own(&lead, Approved, Some(900), true, true, 2_000);
    assert_eq!(effect, OwnEffect::None);
    screen.known.insert("a", Approved);
    screen.unconfirmed.insert("a", Rejected);
    // Undo is saved, too.
    let effect = model.on_own(&lead, Rejected, Some(1_500), true, false, 2_500);
    assert_eq!(effect, OwnEffect::None);
}

#[test]
fn what_others_decided_before_a_decision_was_replaced_is_a_conflict_of_the_last_one() {
    let (mut model, mut screen, lead) = decided_by_both();
    // Until the server answers, the row shows the own decision.
    decide(&mut model, &lead, &screen);
    screen.unsaved.insert("a", PendingApproval);
    // The first one was in flight.
    model.on_own(&lead, Approved, Some(900), true, true, 1_500);
    screen.known.insert("a", Approved);
    model.take(&event(3, vec![status(Approved, &["a"])]), 1_500, &screen);
    let effect = model.on_own(&lead, PendingApproval, Some(2_000), true, false, 2_000);
    assert!(matches!(effect, OwnEffect::Conflict(_)));
}

/// The reviewer is about to decide.
fn decide(model: &mut LiveModel, lead: &Arc<str>, screen: &Page) {
    let is_unsaved = |lead: &str| screen.unsaved(lead).is_some();
    model.on_deciding(&[Arc::clone(lead)], &is_unsaved);
}

#[test]
fn the_same_decision_is_no_conflict() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    screen.send("a", Approved);
    model.take(&event(2, vec![status(Approved, &["a"])]), 5, &screen);
    assert_eq!(
        model.on_own(&"a".into(), Approved, Some(9), true, false, 5),
        OwnEffect::None
    );
}

#[test]
fn conflicts_are_sentences() {
    let word = |status: &ApprovalStatus| status.as_str().to_owned();
    let conflict = |at, ours_at| Conflict {
        lead: "a".into(),
        theirs: Rejected.into(),
        at,
        ours_at,
    };
    for (at, ours_at, expected) in [
        (
            1_000,
            Some(5_500),
            "rejected by someone else 4 s before yours; yours was saved.",
        ),
        (
            5_500,
            Some(1_000),
            "rejected by someone else 4 s after yours; yours was saved.",
        ),
        (
            5_500,
            Some(5_000),
            "rejected by someone else at the same time; yours was saved.",
        ),
        (
            0,
            Some(600_000),
            "rejected by someone else 10 min before yours; yours was saved.",
        ),
        (
            0,
            None,
            "rejected by someone else before yours; yours was saved.",
        ),
    ] {
        assert_eq!(sentence(&[conflict(at, ours_at)], word), expected);
    }
    let two = [conflict(0, None), conflict(0, None)];
    assert_eq!(
        sentence(&two, word),
        "2 leads were decided by someone else at the same time; yours were saved."
    );
}

#[test]
fn an_own_run_of_many_decisions_is_no_news() {
    let mut model = opened();
    let mut screen = page(&[]);
    for lead in 0..1_500 {
        let lead: Arc<str> = lead.to_string().into();
        model.on_own(&lead, Approved, Some(1), true, false, 5);
    }
    screen.unconfirmed.insert("in flight", Approved);
    let run = many(status(Approved, &[]), 1_501);
    model.take(&event(2, vec![run.clone()]), 5, &screen);
    assert!(model.news().is_empty());
    screen.unconfirmed.clear();
    model.take(&event(3, vec![run]), 5, &screen);
    assert_eq!(model.news().changed, 1_501, "each is counted once");
}

#[test]
fn an_event_that_never_comes_hides_no_later_decision_of_others() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    // Someone else decided before the event was written, which has their status.
    model.on_own(&"a".into(), Approved, Some(1), true, false, 5);
    screen.known.insert("a", Approved);
    let effects = model.take(&event(2, vec![status(Rejected, &["a"])]), 6, &screen);
    assert_eq!(marked(&effects), ["a"]);
    screen.known.insert("a", Rejected);
    let effects = model.take(
        &event(3, vec![status(Approved, &["a"])]),
        3_600_000,
        &screen,
    );
    assert_eq!(marked(&effects), ["a"]);
    assert!(effects.conflicts.is_empty());
}
