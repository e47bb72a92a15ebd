//! Decisions on leads that were decided before.

use std::sync::Arc;

use super::{Approved, PendingApproval, Rejected, SECOND, Stage, pending, saved};
use lead_workspace::api::ApprovalStatus;
use lead_workspace::review::outbox::Phase;

#[test]
fn undo_after_redo_returns_to_what_others_decided_meanwhile() {
    let stage = Stage::new((0..4).map(|_| saved()));
    stage.engine.decide(pending(&["a"]), Approved, "");
    stage.wait(SECOND * 2);
    stage.engine.undo(None).unwrap();
    stage.wait(SECOND * 2);
    let read = stage.engine.start_read();
    let status: ApprovalStatus = Rejected.into();
    stage
        .engine
        .on_read(&mut [("a", &status)].into_iter(), read);
    stage.engine.redo().unwrap();
    stage.wait(SECOND * 2);
    assert_eq!(stage.state("a").0, Some(Approved.into()));
    stage.engine.undo(None).unwrap();
    stage.wait(SECOND * 2);
    assert_eq!(stage.state("a"), (Some(status), Phase::Idle));
}

#[test]
fn undo_keeps_what_others_decided_since() {
    let stage = Stage::new((0..4).map(|_| saved()));
    let step = stage.engine.decide(pending(&["a", "b"]), Approved, "");
    stage.wait(SECOND * 2);
    let rejected: ApprovalStatus = Rejected.into();
    let read = stage.engine.start_read();
    stage
        .engine
        .on_read(&mut [("a", &rejected)].into_iter(), read);
    let undone = stage.engine.undo(None).unwrap();
    assert_eq!(undone.kept, ["a".into()]);
    assert_eq!(undone.step.changes.len(), 1);
    stage.wait(SECOND * 2);
    assert_eq!(stage.state("a").0, Some(rejected.clone()));
    assert_eq!(stage.state("b").0, Some(PendingApproval.into()));
    assert_eq!(stage.engine.redo(), step);
    stage.wait(SECOND * 2);
    assert_eq!(stage.state("a").0, Some(rejected.clone()));
    // Of a single lead nothing is left to undo, nor to redo.
    stage.engine.on_read(
        &mut [("b", &rejected)].into_iter(),
        stage.engine.start_read(),
    );
    assert!(stage.engine.undo(None).unwrap().step.changes.is_empty());
    assert_eq!((stage.engine.undo(None), stage.engine.redo()), (None, None));
}

#[test]
fn revert_leaves_saved_decisions_in_the_history() {
    let stage = Stage::new([saved(), saved()]);
    let step = stage.engine.decide(pending(&["a"]), Approved, "").unwrap();
    stage.wait(SECOND * 2);
    stage.engine.revert(Some(&["a".into()]));
    assert_eq!(stage.state("a"), (Some(Approved.into()), Phase::Confirmed));
    assert_eq!(stage.engine.undo(None).unwrap().step.number, step);
    assert_eq!(stage.state("a").0, Some(PendingApproval.into()));
}

#[test]
fn a_later_decision_has_a_later_time_if_the_clock_was_set_back() {
    let stage = Stage::new([saved(), saved()]);
    let (lead, mut last) = (Arc::from("a"), 0);
    for to in [Approved, Rejected, Approved] {
        stage.engine.decide(pending(&["a"]), to, "");
        let leads = [Arc::clone(&lead)];
        let at = stage
            .engine
            .with_outbox(|outbox| outbox.last_decided(&leads));
        assert!(at > last, "{at} {last}");
        last = at;
    }
}
