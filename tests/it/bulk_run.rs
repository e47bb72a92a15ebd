//! Decisions on many leads: consistent counts at any time, pause, cancel, retry, undo.

use std::sync::Arc;

use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::review::bulk_run::{Run, RunProgress, Runs};
use lead_workspace::review::history::{Change, History};
use lead_workspace::review::outbox::{DecisionFailure, Phase};
use lead_workspace::review::outbox::{Outbox, RequestResult};

const PENDING: ApprovalStatus = ApprovalStatus::PENDING_APPROVAL;
const APPROVED: NewApprovalStatus = NewApprovalStatus::Approved;

fn failure(ambiguous: bool) -> RequestResult {
    RequestResult::Failed(DecisionFailure {
        reason: "it broke".into(),
        ambiguous,
        key_refused: false,
    })
}

/// Returns a run that approves 450 leads.
fn started() -> (Outbox, Runs) {
    let ids: Vec<Arc<str>> = (0..450).map(|n| Arc::from(format!("{n:03}"))).collect();
    let mut outbox = Outbox::default();
    outbox.decide(ids.iter().map(|id| (Arc::clone(id), PENDING)), APPROVED);
    let leads = ids.into_iter().map(|lead| (lead, APPROVED));
    let mut runs = Runs::default();
    runs.push(Some(1), leads.collect(), false, &outbox);
    (outbox, runs)
}

fn only(runs: &Runs) -> &Run {
    runs.get(runs.numbers()[0]).unwrap()
}

/// Returns the progress of the only run, after it processes the outbox's changes.
fn progress(runs: &mut Runs, outbox: &mut Outbox) -> RunProgress {
    let changes = outbox.changes();
    runs.follow(outbox, &changes);
    only(runs).progress()
}

fn all(run: &Run) -> Vec<Arc<str>> {
    run.targets
        .iter()
        .map(|target| Arc::clone(&target.lead))
        .collect()
}

#[test]
fn counts_are_always_correct() {
    let (mut outbox, mut runs) = started();
    let ends = [
        RequestResult::Done,
        failure(false),
        failure(true),
        RequestResult::Done,
        RequestResult::Done,
    ];
    for end in ends {
        let request = outbox.next_request().unwrap();
        outbox.on_result(request.number, &end);
        let now = progress(&mut runs, &mut outbox);
        assert_eq!(now.open + now.done(), 450);
        assert_eq!(now.left_out(), 0);
    }
    assert_eq!(
        progress(&mut runs, &mut outbox),
        RunProgress {
            all: 450,
            open: 0,
            waiting: 0,
            updated: 250,
            failed: 100,
            uncertain: 100,
        }
    );
    let again = only(&runs).leads_in(&outbox, &[Phase::Failed, Phase::Uncertain]);
    assert_eq!(again.len(), 200);
    outbox.retry(Some(&again));
    while let Some(request) = outbox.next_request() {
        outbox.on_result(request.number, &RequestResult::Done);
    }
    assert_eq!(progress(&mut runs, &mut outbox).updated, 450);
}

#[test]
fn a_pause_holds_only_unsent_decisions() {
    let (mut outbox, mut runs) = started();
    let run = only(&runs).clone();
    let first = outbox.next_request().unwrap();
    outbox.hold(&all(&run), true);
    outbox.on_result(first.number, &RequestResult::Done);
    assert_eq!(outbox.next_request(), None);
    assert_eq!(progress(&mut runs, &mut outbox).waiting, 350);
    outbox.decide([("other".into(), PENDING)], APPROVED);
    let other = outbox.next_request().unwrap();
    assert_eq!(&*other.leads[0], "other", "other decisions are still sent");
    outbox.hold(&all(&run), false);
    assert_eq!(outbox.next_request().unwrap().leads.len(), 100);
}

#[test]
fn a_repeated_decision_is_not_held() {
    let (mut outbox, runs) = started();
    outbox.hold(&all(only(&runs)), true);
    outbox.decide([("007".into(), PENDING)], NewApprovalStatus::Rejected);
    assert_eq!(&*outbox.next_request().unwrap().leads[0], "007");
}

#[test]
fn cancel_reverts_unsent_decisions() {
    let (mut outbox, mut runs) = started();
    let run = only(&runs).clone();
    let first = outbox.next_request().unwrap();
    let waiting = run.leads_in(&outbox, &[Phase::Queued]);
    outbox.cancel(&waiting);
    assert_eq!(outbox.next_request(), None);
    outbox.on_result(first.number, &RequestResult::Done);
    let now = progress(&mut runs, &mut outbox);
    assert_eq!((now.updated, now.left_out(), now.open), (100, 350, 0));
    assert_eq!(outbox.shown("449"), Some(PENDING));
    assert_eq!(outbox.to_stored(), None);
}

#[test]
fn a_run_does_not_affect_newer_decisions() {
    let (mut outbox, mut runs) = started();
    let other = NewApprovalStatus::Rejected;
    outbox.decide([("300".into(), APPROVED.into())], other);
    // Changed to another status and back: the decision no longer belongs to the run.
    outbox.decide([("301".into(), APPROVED.into())], other);
    outbox.decide([("301".into(), other.into())], APPROVED);
    let now = progress(&mut runs, &mut outbox);
    assert_eq!((now.waiting, now.left_out()), (448, 2));
    let waiting = only(&runs).leads_in(&outbox, &[Phase::Queued]);
    assert_eq!(waiting.len(), 448);
    outbox.hold(&waiting, true);
    assert_eq!(outbox.next_request().unwrap().leads, ["300".into()]);
    assert_eq!(outbox.next_request().unwrap().leads, ["301".into()]);
    outbox.cancel(&waiting);
    assert_eq!(outbox.count(Phase::Queued), 0);
    assert_eq!(outbox.shown("300"), Some(other.into()));
}

#[test]
fn later_decisions_do_not_change_what_was_saved() {
    let (mut outbox, mut runs) = started();
    while let Some(request) = outbox.next_request() {
        outbox.on_result(request.number, &RequestResult::Done);
    }
    assert_eq!(progress(&mut runs, &mut outbox).updated, 450);
    outbox.decide(
        [(Arc::from("000"), APPROVED.into())],
        NewApprovalStatus::Rejected,
    );
    outbox.on_changed_by_others(&Arc::from("001"), &PENDING, true);
    let progress = progress(&mut runs, &mut outbox);
    assert_eq!((progress.updated, progress.left_out()), (450, 0));
}

#[test]
fn cancel_reverts_uncertain_decisions() {
    let mut outbox = Outbox::default();
    outbox.decide(["a", "b"].map(|lead| (Arc::from(lead), PENDING)), APPROVED);
    let request = outbox.next_request().unwrap();
    outbox.on_result(request.number, &RequestResult::Counted(1));
    outbox.cancel(&request.leads);
    let back = outbox.next_request().unwrap();
    assert_eq!(back.to, NewApprovalStatus::PendingApproval);
}

#[test]
fn a_new_run_replaces_successful_runs() {
    let (mut outbox, mut runs) = started();
    runs.push(None, Vec::new(), false, &outbox);
    assert_eq!(runs.numbers(), [1, 2], "the first run is still active");
    while let Some(request) = outbox.next_request() {
        outbox.on_result(request.number, &RequestResult::Done);
    }
    let changes = outbox.changes();
    runs.follow(&outbox, &changes);
    runs.push(None, Vec::new(), false, &outbox);
    assert_eq!(runs.numbers(), [3]);
    runs.close(3);
    assert!(runs.numbers().is_empty());
}

#[test]
fn an_undone_run_is_removed() {
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
fn undo_skips_cancelled_and_includes_retried_leads() {
    let (_, runs) = started();
    let leads = all(only(&runs));
    let mut history = History::default();
    let other = vec![change(&"elsewhere".into())];
    let earlier = history.push(NewApprovalStatus::Rejected, "".into(), other, 0);
    let changes = leads.iter().map(change).collect();
    let step = history.push(APPROVED, "".into(), changes, 0);
    history.remove_from_step(step, &leads[100..]);
    assert_eq!(history.last().unwrap().changes.len(), 100);
    assert!(history.recent().any(|step| step.number == earlier));
    let gone = leads[50..100]
        .iter()
        .map(|lead| (Arc::clone(lead), PENDING));
    history.forget(&gone.collect::<Vec<_>>());
    assert_eq!(history.last().unwrap().changes.len(), 50);
    history.on_saved(&leads[60..70], APPROVED);
    let (back, stay) = history.undo_step(step).unwrap();
    assert_eq!((back.to, back.changes.len(), stay.len()), (APPROVED, 60, 0));
}

/// Performance: an implementation that scans all leads for each request would not finish in reasonable time.
#[test]
fn a_run_tracks_a_hundred_thousand_leads() {
    const LEADS: usize = 100_000;
    let ids: Vec<Arc<str>> = (0..LEADS).map(|n| Arc::from(format!("{n:06}"))).collect();
    let mut outbox = Outbox::default();
    outbox.decide(ids.iter().map(|id| (Arc::clone(id), PENDING)), APPROVED);
    let mut history = History::default();
    history.push(APPROVED, "".into(), ids.iter().map(change).collect(), 0);
    let mut runs = Runs::default();
    let leads = ids.into_iter().map(|lead| (lead, APPROVED));
    runs.push(Some(1), leads.collect(), false, &outbox);
    outbox.changes();
    let mut in_flight = 0;
    while let Some(request) = outbox.next_request() {
        let end = if in_flight % 10 == 0 {
            failure(false)
        } else {
            RequestResult::Done
        };
        outbox.on_result(request.number, &end);
        if end != RequestResult::Done {
            let known = request.leads.iter().map(|lead| (Arc::clone(lead), PENDING));
            history.forget(&known.collect::<Vec<_>>());
        }
        // News contains only the leads that were sent.
        let changes = outbox.changes();
        assert_eq!(changes.len(), 2 * request.leads.len());
        runs.follow(&outbox, &changes);
        in_flight += 1;
        let now = only(&runs).progress();
        assert_eq!((now.all, now.done()), (LEADS, in_flight * 100));
    }
    assert_eq!(only(&runs).progress().failed, LEADS / 10);
    assert_eq!(history.last().unwrap().changes.len(), LEADS - LEADS / 10);
}
