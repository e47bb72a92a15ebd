//! What was decided here lately, step by step: whom it concerned, how far it is, and what of it can
//! still be taken back. Pure.

use std::collections::BTreeSet;
use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;

use super::history::{History, Step};
use super::outbox::Outbox;
use super::outbox::entry::Phase;

/// A decision, for a list of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of its step.
    pub number: u64,
    /// Whether it is that part of the step which was not kept.
    pub lost: bool,
    /// The status that was decided on.
    pub to: NewApprovalStatus,
    /// The name of the lead, where there is only one.
    pub name: Arc<str>,
    /// The lead, where there is only one.
    pub lead: Option<Arc<str>>,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// How many leads.
    pub leads: usize,
    /// How many of them were decided again since: an undo leaves these as they are.
    pub again: usize,
    /// Of the others, those that wait or are on their way.
    pub open: usize,
    /// Of the others, those that were not saved.
    pub failed: usize,
    /// Of the others, those of which nobody knows.
    pub uncertain: usize,
}

/// How a line stands, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// All of it was decided again since.
    Again,
    /// It waits or is on its way.
    Open,
    /// Not saved, for certain.
    Failed,
    /// Nobody knows.
    Uncertain,
    /// The server has it.
    Saved,
}

impl Line {
    /// How it stands; what needs somebody comes first.
    pub fn standing(&self) -> Standing {
        if self.again == self.leads {
            Standing::Again
        } else if self.failed > 0 {
            Standing::Failed
        } else if self.uncertain > 0 {
            Standing::Uncertain
        } else if self.open > 0 {
            Standing::Open
        } else {
            Standing::Saved
        }
    }

    /// Whether any of it can be taken back.
    pub fn can_undo(&self) -> bool {
        !self.lost && self.again < self.leads
    }

    /// Whether it needs somebody: to send it again, or to give it up.
    pub fn is_stuck(&self) -> bool {
        self.failed + self.uncertain > 0
    }

    fn of(step: &Step, lost: bool, again: &BTreeSet<Arc<str>>, outbox: &Outbox) -> Self {
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

/// The latest decisions, the latest first.
pub fn lines(history: &History, outbox: &Outbox) -> Vec<Line> {
    let mut again = BTreeSet::new();
    let mut lines = Vec::new();
    for step in history.recent() {
        lines.push(Line::of(step, false, &again, outbox));
        again.extend(step.changes.iter().map(|change| Arc::clone(&change.lead)));
    }
    let none = BTreeSet::new();
    for step in history.lost() {
        let line = Line::of(step, true, &none, outbox);
        // What was given up, or is known to be done after all, has nothing to say.
        if line.is_stuck() || line.open > 0 {
            let before = lines.iter().position(|other| other.at <= line.at);
            lines.insert(before.unwrap_or(lines.len()), line);
        }
    }
    lines
}
