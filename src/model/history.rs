//! What was decided, to be undone and redone. A decision on many leads is one step.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

/// Steps that can be undone.
pub const STEPS: usize = 50;

/// What became of one lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The lead.
    pub lead: Arc<str>,
    /// The status that was shown before.
    pub from: ApprovalStatus,
}

/// A decision on one lead or many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Tells it from all others.
    pub number: u64,
    /// The status that was decided on.
    pub to: NewApprovalStatus,
    /// The name of the lead, where there is only one.
    pub name: Arc<str>,
    /// The leads.
    pub changes: Vec<Change>,
}

/// The steps, the latest last.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: VecDeque<Step>,
    undone: Vec<Step>,
    ever: u64,
}

impl History {
    /// Something was decided. What was undone before cannot be redone any more.
    pub fn push(&mut self, to: NewApprovalStatus, name: Arc<str>, changes: Vec<Change>) -> u64 {
        self.ever += 1;
        self.undone.clear();
        self.keep(Step {
            number: self.ever,
            to,
            name,
            changes,
        });
        self.ever
    }

    fn keep(&mut self, step: Step) {
        if self.done.len() == STEPS {
            self.done.pop_front();
        }
        self.done.push_back(step);
    }

    /// Takes the latest step back.
    pub fn undo(&mut self) -> Option<Step> {
        let step = self.done.pop_back()?;
        self.undone.push(step.clone());
        Some(step)
    }

    /// Takes one step back, wherever it stands.
    pub fn undo_step(&mut self, number: u64) -> Option<Step> {
        let at = self.done.iter().position(|step| step.number == number)?;
        let step = self.done.remove(at)?;
        self.undone.push(step.clone());
        Some(step)
    }

    /// Does the step again that was taken back last.
    pub fn redo(&mut self) -> Option<Step> {
        let step = self.undone.pop()?;
        self.keep(step.clone());
        Some(step)
    }

    /// A decision on this lead was not kept: there is nothing to undo in it.
    pub fn forget(&mut self, lead: &str) {
        for step in self.done.iter_mut().chain(&mut self.undone) {
            step.changes.retain(|change| *change.lead != *lead);
        }
        self.done.retain(|step| !step.changes.is_empty());
        self.undone.retain(|step| !step.changes.is_empty());
    }

    /// Leads of one step were called off before they left: there is nothing to undo in them.
    pub fn forget_in(&mut self, number: u64, leads: &[Arc<str>]) {
        let mut gone = leads.to_vec();
        gone.sort_unstable();
        for step in &mut self.done {
            if step.number == number {
                let stays = |change: &Change| gone.binary_search(&change.lead).is_err();
                step.changes.retain(stays);
            }
        }
        self.done.retain(|step| !step.changes.is_empty());
    }

    /// What was not kept is sent again: it can be undone with the rest of its step, which may be
    /// gone.
    pub fn remember(&mut self, number: u64, to: NewApprovalStatus, changes: Vec<Change>) {
        if changes.is_empty() {
            return;
        }
        match self.done.iter_mut().find(|step| step.number == number) {
            Some(step) => {
                let has: BTreeSet<Arc<str>> =
                    step.changes.iter().map(|one| one.lead.clone()).collect();
                let new = changes.into_iter().filter(|one| !has.contains(&one.lead));
                step.changes.extend(new);
            }
            None => self.keep(Step {
                number,
                to,
                name: "".into(),
                changes,
            }),
        }
    }

    /// The latest step.
    pub fn last(&self) -> Option<&Step> {
        self.done.back()
    }

    /// All steps that can be undone, the latest first.
    pub fn recent(&self) -> impl Iterator<Item = &Step> {
        self.done.iter().rev()
    }

    /// Whether something can be redone.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }
}
