//! The list of recent decisions.

use std::sync::Arc;

use lead_workspace::api::NewApprovalStatus::{Approved, Rejected};
use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::app::model::recent_decisions::{DecisionState, lines};
use lead_workspace::review::history::{Change, History};
use lead_workspace::review::outbox::DecisionFailure;
use lead_workspace::review::outbox::{Outbox, RequestResult};

const PENDING: ApprovalStatus = ApprovalStatus::PENDING_APPROVAL;

/// Decides as the UI does: in the history and in the outbox.
fn decide(of: &mut (History, Outbox), leads: &[&str], to: NewApprovalStatus, at: u64) {
    let from = |lead: &&str| of.1.shown(lead).unwrap_or(PENDING);
    let shown: Vec<(Arc<str>, ApprovalStatus)> = leads
        .iter()
        .map(|lead| ((*lead).into(), from(lead)))
        .collect();
    let changes = shown.iter().cloned();
    let changes = changes.map(|(lead, from)| Change { lead, from }).collect();
    let name = if let [only] = leads { *only } else { "" };
    of.0.push(to, name.into(), changes, at);
    of.1.decide(shown, to);
}

fn end(of: &mut (History, Outbox), end: &RequestResult) {
    let request = of.1.next_request().unwrap();
    of.1.on_result(request.number, end);
    if let RequestResult::Failed(DecisionFailure {
        ambiguous: false, ..
    }) = end
    {
        for lead in &request.leads {
            let known = of.1.known(lead).unwrap().clone();
            of.0.forget(&[(Arc::clone(lead), known)]);
        }
    }
}

fn failure(ambiguous: bool) -> RequestResult {
    RequestResult::Failed(DecisionFailure {
        reason: "it broke".into(),
        ambiguous,
        key_refused: false,
    })
}

fn standings(of: &(History, Outbox)) -> Vec<(u64, DecisionState)> {
    let lines = lines(&of.0, &of.1);
    lines
        .iter()
        .map(|line| (line.at, line.decision_state()))
        .collect()
}

#[test]
fn decisions_have_their_own_state_latest_first() {
    let mut of = (History::default(), Outbox::default());
    decide(&mut of, &["a"], Approved, 1);
    end(&mut of, &RequestResult::Done);
    decide(&mut of, &["b"], Approved, 2);
    end(&mut of, &failure(false));
    decide(&mut of, &["c"], Approved, 3);
    end(&mut of, &failure(true));
    decide(&mut of, &["d"], Rejected, 4);
    assert_eq!(
        standings(&of),
        [
            (4, DecisionState::Open),
            (3, DecisionState::Uncertain),
            (2, DecisionState::Failed),
            (1, DecisionState::Saved)
        ]
    );
    let lines = lines(&of.0, &of.1);
    let undo: Vec<bool> = lines.iter().map(|line| line.can_undo()).collect();
    assert_eq!(
        undo,
        [true, true, false, true],
        "unsaved decisions cannot be undone"
    );
    assert!(lines[2].lost && lines[2].is_stuck());
    assert_eq!(
        (&*lines[3].name, lines[3].lead.as_deref()),
        ("a", Some("a"))
    );
}

#[test]
fn a_repeated_decision_counts_once() {
    let mut of = (History::default(), Outbox::default());
    decide(&mut of, &["a", "b"], Approved, 1);
    end(&mut of, &RequestResult::Done);
    decide(&mut of, &["b"], Rejected, 2);
    let found = lines(&of.0, &of.1);
    assert_eq!((found[1].leads, found[1].again, found[1].open), (2, 1, 0));
    assert!(found[1].can_undo());
    assert_eq!(found[1].decision_state(), DecisionState::Saved);
    decide(&mut of, &["a"], Rejected, 3);
    let found = lines(&of.0, &of.1);
    assert_eq!(found[2].decision_state(), DecisionState::Again);
    assert!(!found[2].can_undo());
}

#[test]
fn a_reverted_decision_has_no_entry() {
    let mut of = (History::default(), Outbox::default());
    decide(&mut of, &["a"], Approved, 1);
    end(&mut of, &failure(false));
    assert_eq!(lines(&of.0, &of.1).len(), 1);
    of.1.revert(None);
    assert!(lines(&of.0, &of.1).is_empty());
}
