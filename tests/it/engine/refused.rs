//! Undo after the server has refused a decision.

use std::sync::Arc;

use super::{Approved, PendingApproval, Rejected, SECOND, Stage, pending, saved};
use crate::support::json;
use lead_workspace::review::outbox::Phase;

#[test]
fn undo_after_a_refused_decision_returns_to_the_status_on_the_server() {
    let stage = Stage::new([json(403, r#"{"detail":"no"}"#), saved()]);
    stage.engine.decide(pending(&["a"]), Approved, "");
    let approved = vec![(Arc::from("a"), Approved.into())];
    let step = stage.engine.decide(approved, Rejected, "").unwrap();
    stage.wait(SECOND * 5);
    assert_eq!(stage.state("a"), (Some(Rejected.into()), Phase::Confirmed));
    let undone = stage.engine.undo(Some(step)).unwrap();
    assert_eq!(undone.step.changes[0].from, PendingApproval.into());
    assert!(stage.engine.undo(None).is_none());
}

#[test]
fn a_refused_decision_that_was_undone_changes_no_earlier_step() {
    let stage = Stage::new([saved(), json(403, r#"{"detail":"no"}"#), saved()]);
    let step = stage.engine.decide(pending(&["a"]), Rejected, "").unwrap();
    stage.wait(SECOND * 3);
    let rejected = vec![(Arc::from("a"), Rejected.into())];
    stage.engine.decide(rejected, Approved, "");
    stage.engine.undo(None).unwrap();
    stage.wait(SECOND * 5);
    assert_eq!(stage.state("a").0, Some(Rejected.into()));
    let undone = stage.engine.undo(None).unwrap();
    assert_eq!(
        (undone.step.number, &undone.step.changes[0].from),
        (step, &PendingApproval.into())
    );
}
