//! Recent decisions, step by step: their leads, their status, and what can be undone. Pure.

use std::collections::BTreeSet;
use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;

use crate::review::history::{History, Step};
use crate::review::outbox::Outbox;
use crate::review::outbox::Phase;

/// One entry of the list of recent decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentDecision {
    /// Number of the step.
    pub number: u64,
    /// Whether this is the part of the step that was not saved.
    pub lost: bool,
    pub to: NewApprovalStatus,
    /// Name of the lead, if there is only one.
    pub name: Arc<str>,
    /// Id of the lead, if there is only one.
    pub lead: Option<Arc<str>>,
    /// Time of the decision in milliseconds since 1970.
    pub at: u64,
    /// Number of leads.
    pub leads: usize,
    /// Number of leads with a later decision, which an undo does not change.
    pub again: usize,
    /// Of the others: number of leads that are queued, in flight or retried.
    pub open: usize,
    /// Of the others: number of leads that were not saved.
    pub failed: usize,
    /// Of the others: number of leads with an unknown outcome.
    pub uncertain: usize,
}

/// Overall status of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionState {
    /// All leads have a later decision.
    Again,
    /// Queued, in flight or retried.
    Open,
    /// Definitely not saved.
    Failed,
    /// The outcome is unknown.
    Uncertain,
    /// Saved by the server.
    Saved,
}

impl RecentDecision {
    /// Returns the overall status. What needs the user takes precedence over open and saved leads.
    pub fn decision_state(&self) -> DecisionState {
        if self.again == self.leads {
            DecisionState::Again
        } else if self.failed > 0 {
            DecisionState::Failed
        } else if self.uncertain > 0 {
            DecisionState::Uncertain
        } else if self.open > 0 {
            DecisionState::Open
        } else {
            DecisionState::Saved
        }
    }

    /// Whether any of it can be undone.
    pub fn can_undo(&self) -> bool {
        !self.lost && self.again < self.leads
    }

    /// Whether the user must send it again or give it up.
    pub fn is_stuck(&self) -> bool {
        self.failed + self.uncertain > 0
    }

    fn new(step: &Step, lost: bool, again: &BTreeSet<Arc<str>>, outbox: &Outbox) -> Self {
        let lead = match &*step.changes {
            [only] => Some(Arc::clone(&only.lead)),
            _ => None,
        };
        let mut line = Self {
            number: step.number,
            lost,
            to: step.to,
            name: Arc::clone(&step.name),
            lead,
            at: step.at,
            leads: step.changes.len(),
            again: 0,
            open: 0,
            failed: 0,
            uncertain: 0,
        };
        for change in &step.changes {
            if again.contains(&change.lead) {
                line.again += 1;
                continue;
            }
            match outbox.phase(&change.lead) {
                Phase::Queued | Phase::Sent | Phase::Retrying => line.open += 1,
                Phase::Failed => line.failed += 1,
                Phase::Uncertain => line.uncertain += 1,
                Phase::Idle | Phase::Confirmed => {}
            }
        }
        line
    }
}

/// Returns the recent decisions, latest first.
pub fn lines(history: &History, outbox: &Outbox) -> Vec<RecentDecision> {
    let mut again = BTreeSet::new();
    let mut lines = Vec::new();
    for step in history.recent() {
        lines.push(RecentDecision::new(step, false, &again, outbox));
        again.extend(step.changes.iter().map(|change| Arc::clone(&change.lead)));
    }
    let none = BTreeSet::new();
    for step in history.lost() {
        let line = RecentDecision::new(step, true, &none, outbox);
        // Skips what was given up, or was saved after all.
        if line.is_stuck() || line.open > 0 {
            let before = lines.iter().position(|other| other.at <= line.at);
            lines.insert(before.unwrap_or(lines.len()), line);
        }
    }
    lines
}
