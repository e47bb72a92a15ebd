//! Decisions on many leads: counts that are true at every moment, pause, cancel, retry, undo.

use std::sync::Arc;

use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::model::bulk_run::{Aim, Progress, Run, Runs};
use lead_workspace::model::history::{Change, History};
use lead_workspace::model::outbox::entry::{Failure, Phase};
use lead_workspace::model::outbox::{End, Outbox};

const PENDING: ApprovalStatus = ApprovalStatus::PENDING_APPROVAL;
const APPROVED: NewApprovalStatus = NewApprovalStatus::Approved;

fn failure(ambiguous: bool) -> End {
    End::Failed(Failure {
        reason: "it broke".into(),
        ambiguous,
        wants_key: false,
    })
}

/// 450 leads that are to be approved.
fn started() -> (Outbox, Runs) {
    let ids: Vec<Arc<str>> = (0..450).map(|n| Arc::from(format!("{n:03}"))).collect();
    let mut outbox = Outbox::default();
    outbox.decide(ids.iter().map(|id| (Arc::clone(id), PENDING)), APPROVED);
    let aims = ids.into_iter().map(|lead| Aim {
        lead,
        from: PENDING,
        to: APPROVED,
    });
    let mut runs = Runs::default();
    runs.push(Some(1), aims.collect(), false, &outbox);
    (outbox, runs)
}

fn only(runs: &Runs) -> &Run {
    runs.get(runs.numbers()[0]).unwrap()
}

fn all(run: &Run) -> Vec<Arc<str>> {
    run.aims.iter().map(|aim| Arc::clone(&aim.lead)).collect()
}

#[test]
fn the_counts_are_true_at_every_moment() {
    let (mut outbox, runs) = started();
    let run = only(&runs);
    let ends = [
        End::Done,
        failure(false),
        failure(true),
        End::Done,
        End::Done,
    ];
    for end in ends {
        let flight = outbox.take().unwrap();
        outbox.ended(flight.number, &end);
        let now = run.progress(&outbox);
        assert_eq!(now.open + now.done(), 450);
        assert_eq!(now.left_out(), 0);
    }
    assert_eq!(
        run.progress(&outbox),
        Progress {
            all: 450,
            open: 0,
            waiting: 0,
            updated: 250,
            failed: 100,
            uncertain: 100,
        }
    );
    let again = run.leads_in(&outbox, &[Phase::Failed, Phase::Uncertain]);
    assert_eq!(again.len(), 200);
    outbox.retry(Some(&again));
    while let Some(flight) = outbox.take() {
        outbox.ended(flight.number, &End::Done);
    }
    assert_eq!(run.progress(&outbox).updated, 450);
}

#[test]
fn a_pause_holds_what_has_not_left_and_nothing_else() {
    let (mut outbox, runs) = started();
    let run = only(&runs);
    let first = outbox.take().unwrap();
    outbox.hold(&all(run), true);
    outbox.ended(first.number, &End::Done);
    assert_eq!(outbox.take(), None);
    assert_eq!(run.progress(&outbox).waiting, 350);
    outbox.decide([("other".into(), PENDING)], APPROVED);
    let other = outbox.take().unwrap();
    assert_eq!(&*other.leads[0], "other", "other decisions are sent");
    outbox.hold(&all(run), false);
    assert_eq!(outbox.take().unwrap().leads.len(), 100);
}

#[test]
fn a_decision_made_anew_is_not_held() {
    let (mut outbox, runs) = started();
    outbox.hold(&all(only(&runs)), true);
    outbox.decide([("007".into(), PENDING)], NewApprovalStatus::Rejected);
    assert_eq!(&*outbox.take().unwrap().leads[0], "007");
}

#[test]
fn cancelling_takes_back_what_has_not_left() {
    let (mut outbox, runs) = started();
    let run = only(&runs);
    let first = outbox.take().unwrap();
    let waiting = run.leads_in(&outbox, &[Phase::Queued]);
    outbox.take_back(&waiting);
    assert_eq!(outbox.take(), None);
    outbox.ended(first.number, &End::Done);
    let now = run.progress(&outbox);
    assert_eq!((now.updated, now.left_out(), now.open), (100, 350, 0));
    assert_eq!(outbox.shown("449"), Some(PENDING));
    assert_eq!(outbox.kept(), None);
}

#[test]
fn what_may_have_been_done_is_set_back_when_it_is_cancelled() {
    let mut outbox = Outbox::default();
    outbox.decide(["a", "b"].map(|lead| (Arc::from(lead), PENDING)), APPROVED);
    let flight = outbox.take().unwrap();
    outbox.ended(flight.number, &End::Split);
    outbox.take_back(&flight.leads);
    let back = outbox.take().unwrap();
    assert_eq!(back.to, NewApprovalStatus::PendingApproval);
}

#[test]
fn a_new_run_ends_those_that_went_well() {
    let (mut outbox, mut runs) = started();
    runs.push(None, Vec::new(), false, &outbox);
    assert_eq!(runs.numbers(), [1, 2], "the first is still under way");
    while let Some(flight) = outbox.take() {
        outbox.ended(flight.number, &End::Done);
    }
    runs.push(None, Vec::new(), false, &outbox);
    assert_eq!(runs.numbers(), [3]);
    runs.close(3);
    assert!(runs.numbers().is_empty());
}

#[test]
fn what_is_taken_back_has_no_run_any_more() {
    let (_, mut runs) = started();
    runs.undone(2);
    assert_eq!(runs.numbers(), [1]);
    runs.undone(1);
    assert!(runs.numbers().is_empty());
}

fn change(lead: &Arc<str>) -> Change {
    Change {
        lead: Arc::clone(lead),
        from: PENDING,
    }
}

#[test]
fn what_was_called_off_is_not_undone_and_what_was_retried_is() {
    let (_, runs) = started();
    let leads = all(only(&runs));
    let mut history = History::default();
    let other = vec![change(&"elsewhere".into())];
    let earlier = history.push(NewApprovalStatus::Rejected, "".into(), other, 0);
    let changes = leads.iter().map(change).collect();
    let step = history.push(APPROVED, "".into(), changes, 0);
    history.forget_in(step, &leads[100..]);
    assert_eq!(history.last().unwrap().changes.len(), 100);
    assert!(history.recent().any(|step| step.number == earlier));
    for lead in &leads[50..100] {
        history.forget(lead, &PENDING);
    }
    assert_eq!(history.last().unwrap().changes.len(), 50);
    history.kept(&leads[60..70], APPROVED);
    let (back, stay) = history.undo_step(step).unwrap();
    assert_eq!((back.to, back.changes.len(), stay), (APPROVED, 60, 0));
}
