//! Undo and redo: fifty steps, a decision on many leads is one.

use lead_workspace::api::NewApprovalStatus::{Approved, Rejected};
use lead_workspace::model::history::{Change, History, STEPS};

fn change(lead: &str) -> Change {
    Change {
        lead: lead.into(),
        from: "pending_approval".into(),
    }
}

#[test]
fn steps_come_back_in_the_reverse_order_and_go_forth_again() {
    let mut history = History::default();
    history.push(Approved, "Ada".into(), vec![change("1")]);
    history.push(Rejected, "".into(), vec![change("2"), change("3")]);
    let last = history.undo().unwrap();
    assert_eq!((last.to, last.changes.len()), (Rejected, 2));
    assert_eq!(&*history.undo().unwrap().name, "Ada");
    assert!(history.undo().is_none());
    assert_eq!(history.redo().unwrap().to, Approved);
    assert_eq!(history.redo().unwrap().to, Rejected);
    assert!(history.redo().is_none());
}

#[test]
fn a_new_decision_ends_what_could_be_redone() {
    let mut history = History::default();
    history.push(Approved, "".into(), vec![change("1")]);
    history.undo();
    assert!(history.can_redo());
    history.push(Rejected, "".into(), vec![change("1")]);
    assert!(!history.can_redo());
}

#[test]
fn the_oldest_steps_go() {
    let mut history = History::default();
    for lead in 0..STEPS + 5 {
        history.push(Approved, "".into(), vec![change(&lead.to_string())]);
    }
    assert_eq!(history.recent().count(), STEPS);
    assert_eq!(&*history.recent().last().unwrap().changes[0].lead, "5");
}

#[test]
fn what_was_not_kept_cannot_be_undone() {
    let mut history = History::default();
    history.push(Approved, "".into(), vec![change("1"), change("2")]);
    history.push(Approved, "".into(), vec![change("3")]);
    history.forget("1");
    history.forget("3");
    assert_eq!(history.recent().count(), 1);
    assert_eq!(history.last().unwrap().changes, [change("2")]);
}

#[test]
fn any_step_can_be_taken_back_by_its_number() {
    let mut history = History::default();
    let first = history.push(Approved, "".into(), vec![change("1")]);
    history.push(Rejected, "".into(), vec![change("2")]);
    assert_eq!(history.undo_step(first).unwrap().to, Approved);
    assert!(history.undo_step(first).is_none());
    assert_eq!(history.last().unwrap().to, Rejected);
}
