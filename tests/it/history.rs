//! Undo and redo: fifty steps, and a bulk decision is one step.

use lead_workspace::api::ApprovalStatus;
use lead_workspace::api::NewApprovalStatus::{Approved, Filtered, Rejected};
use lead_workspace::review::history::{Change, History, STEPS};

const PENDING: ApprovalStatus = ApprovalStatus::PENDING_APPROVAL;

fn change(lead: &str) -> Change {
    Change {
        lead: lead.into(),
        from: "pending_approval".into(),
    }
}

#[test]
fn steps_are_undone_in_reverse_order_and_redone() {
    let mut history = History::default();
    history.push(Approved, "Ada".into(), vec![change("1")], 0);
    history.push(Rejected, "".into(), vec![change("2"), change("3")], 0);
    let last = history.undo().unwrap();
    assert_eq!((last.to, last.changes.len()), (Rejected, 2));
    assert_eq!(&*history.undo().unwrap().name, "Ada");
    assert!(history.undo().is_none());
    assert_eq!(history.redo(|_| None).unwrap().to, Approved);
    assert_eq!(history.redo(|_| None).unwrap().to, Rejected);
    assert!(history.redo(|_| None).is_none());
}

#[test]
fn the_time_of_a_decision_is_that_of_the_last_one_that_holds() {
    let mut history = History::default();
    history.push(Approved, "Ada".into(), vec![change("1")], 5);
    history.push(Rejected, "".into(), vec![change("1"), change("2")], 8);
    let times = |history: &History| ["1", "2", "3"].map(|lead| history.decided_at(lead));
    assert_eq!(times(&history), [Some(8), Some(8), None]);
    history.undo();
    assert_eq!(times(&history), [Some(5), None, None]);
}

#[test]
fn a_new_decision_clears_redo() {
    let mut history = History::default();
    history.push(Approved, "".into(), vec![change("1")], 0);
    history.undo();
    assert!(history.can_redo());
    history.push(Rejected, "".into(), vec![change("1")], 0);
    assert!(!history.can_redo());
}

#[test]
fn the_oldest_steps_are_dropped() {
    let mut history = History::default();
    for lead in 0..STEPS + 5 {
        history.push(Approved, "".into(), vec![change(&lead.to_string())], 0);
    }
    assert_eq!(history.recent().count(), STEPS);
    assert_eq!(&*history.recent().last().unwrap().changes[0].lead, "5");
}

#[test]
fn unsaved_decisions_cannot_be_undone() {
    let mut history = History::default();
    history.push(Approved, "".into(), vec![change("1"), change("2")], 0);
    history.push(Approved, "".into(), vec![change("3")], 0);
    history.forget(&[("1".into(), PENDING)]);
    history.forget(&[("3".into(), PENDING)]);
    assert_eq!(history.recent().count(), 1);
    assert_eq!(history.last().unwrap().changes, [change("2")]);
}

#[test]
fn any_step_can_be_undone_by_number() {
    let mut history = History::default();
    let first = history.push(Approved, "".into(), vec![change("1")], 0);
    history.push(Rejected, "".into(), vec![change("2")], 0);
    assert_eq!(history.undo_step(first).unwrap().0.to, Approved);
    assert!(history.undo_step(first).is_none());
    assert_eq!(history.last().unwrap().to, Rejected);
}

fn from(lead: &str, status: &str) -> Change {
    Change {
        lead: lead.into(),
        from: status.into(),
    }
}

#[test]
fn undo_skips_leads_changed_by_a_later_step() {
    let mut history = History::default();
    let first = history.push(Approved, "".into(), vec![change("1"), change("2")], 0);
    history.push(Rejected, "".into(), vec![from("2", "approved")], 0);
    let (step, stay) = history.undo_step(first).unwrap();
    assert_eq!((step.changes, stay), (vec![change("1")], vec!["2".into()]));
    assert_eq!(
        history.last().unwrap().changes,
        [change("2")],
        "restores the status before both"
    );
    assert_eq!(history.redo(|_| None).unwrap().changes, [change("1")]);
}

#[test]
fn a_fully_superseded_step_is_not_undone() {
    let mut history = History::default();
    let first = history.push(Approved, "".into(), vec![change("1")], 0);
    history.push(Rejected, "".into(), vec![from("1", "approved")], 0);
    assert!(history.undo_step(first).is_none());
    assert_eq!(history.recent().count(), 2);
    assert!(!history.can_redo());
}

#[test]
fn an_unsaved_decision_keeps_the_earlier_saved_one() {
    let mut history = History::default();
    history.push(Approved, "Ada".into(), vec![change("1")], 0);
    history.push(Rejected, "Ada".into(), vec![from("1", "approved")], 0);
    history.forget(&[("1".into(), "approved".into())]);
    assert_eq!(history.last().unwrap().to, Approved);
    assert_eq!(
        history.lost().map(|step| step.to).collect::<Vec<_>>(),
        [Rejected]
    );

    // Both were sent in one request, so none of them was saved.
    let mut history = History::default();
    history.push(Approved, "Ada".into(), vec![change("1")], 0);
    history.push(Rejected, "Ada".into(), vec![from("1", "approved")], 0);
    history.forget(&[("1".into(), PENDING)]);
    assert_eq!((history.recent().count(), history.lost().count()), (0, 2));
}

#[test]
fn the_undo_of_a_decision_after_a_refused_one_returns_to_the_status_on_the_server() {
    let mut history = History::default();
    history.push(Rejected, "".into(), vec![change("1"), change("2")], 0);
    history.push(Approved, "".into(), vec![from("1", "rejected")], 0);
    history.push(Filtered, "".into(), vec![from("1", "approved")], 0);
    // The rejection was saved, the approval was not.
    history.forget_replaced(&[("1".into(), "rejected".into())]);
    let steps: Vec<_> = history.recent().map(|step| step.changes.clone()).collect();
    assert_eq!(
        steps,
        [vec![from("1", "rejected")], vec![change("1"), change("2")]]
    );
    // Neither was saved.
    history.forget_replaced(&[("1".into(), PENDING), ("3".into(), PENDING)]);
    let steps: Vec<_> = history.recent().map(|step| step.changes.clone()).collect();
    assert_eq!(steps, [vec![change("1")], vec![change("2")]]);
    assert_eq!(history.lost().count(), 0);
}

#[test]
fn late_saves_can_be_undone_and_reverted_decisions_cannot() {
    let mut history = History::default();
    let step = history.push(
        Approved,
        "".into(),
        vec![change("1"), change("2"), change("3")],
        7,
    );
    history.forget(&["1", "2", "3"].map(|lead| (lead.into(), PENDING)));
    assert_eq!((history.recent().count(), history.lost().count()), (0, 1));
    history.on_saved(&["1".into()], Rejected);
    assert_eq!(history.recent().count(), 0, "a different decision");
    history.on_saved(&["2".into()], Approved);
    assert_eq!(history.last().unwrap().changes, [change("2")]);
    assert_eq!(
        (history.last().unwrap().number, history.last().unwrap().at),
        (step, 7)
    );
    history.drop_lost(&["3".into()]);
    assert_eq!(history.lost().count(), 0);
}
