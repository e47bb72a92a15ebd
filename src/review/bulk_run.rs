//! Progress of decisions on so many leads that they take a while. Pure; the state of each lead is
//! in the outbox.

use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;

use super::outbox::Phase;
use super::outbox::{Outbox, SequenceNumber};
use crate::review::sorted_ids::in_order;

/// A lead of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub lead: Arc<str>,
    pub to: NewApprovalStatus,
    /// Sequence number of the decision. A later decision does not belong to this run.
    decided: Option<SequenceNumber>,
    outcome: LeadOutcome,
}

/// Outcome for one lead of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadOutcome {
    /// Not sent yet, or retried.
    Waiting,
    /// In flight.
    Sending,
    /// The server has the target status.
    Updated,
    /// Definitely not applied.
    Failed,
    /// Perhaps applied.
    Uncertain,
    /// Cancelled, or decided differently since.
    LeftOut,
}

impl Target {
    fn new(lead: Arc<str>, to: NewApprovalStatus, outbox: &Outbox) -> Self {
        let mut target = Self {
            decided: outbox.decided(&lead),
            lead,
            to,
            outcome: LeadOutcome::Waiting,
        };
        target.outcome = target.outcome_in(outbox);
        target
    }

    /// Whether the wanted status of the lead is from this run.
    fn is_ours(&self, outbox: &Outbox) -> bool {
        let wanted = outbox.wanted(&self.lead);
        outbox.decided(&self.lead) == self.decided && wanted.is_none_or(|wanted| wanted == self.to)
    }

    fn outcome_in(&self, outbox: &Outbox) -> LeadOutcome {
        match outbox.phase(&self.lead) {
            Phase::Confirmed | Phase::Idle => {
                let known = outbox.known(&self.lead);
                let has = known.is_some_and(|known| known.known() == Some(self.to));
                if has {
                    LeadOutcome::Updated
                } else {
                    LeadOutcome::LeftOut
                }
            }
            _ if !self.is_ours(outbox) => LeadOutcome::LeftOut,
            Phase::Queued | Phase::Retrying => LeadOutcome::Waiting,
            Phase::Sent => LeadOutcome::Sending,
            Phase::Failed => LeadOutcome::Failed,
            Phase::Uncertain => LeadOutcome::Uncertain,
        }
    }
}

/// A decision on many leads, or its undo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Unique number of the run.
    pub number: u64,
    /// Step of the history that undoes it; `None` if the run is an undo itself.
    pub step: Option<u64>,
    /// Sorted by lead id.
    pub targets: Vec<Target>,
    /// Whether unsent leads are held back until the user continues.
    pub paused: bool,
    /// Whether unsent leads were cancelled.
    pub cancelled: bool,
    progress: RunProgress,
}

/// Progress of a run, in number of leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunProgress {
    pub all: usize,
    /// Unsent or in flight.
    pub open: usize,
    /// Of those: unsent.
    pub waiting: usize,
    /// The server has the target status.
    pub updated: usize,
    /// Definitely not applied.
    pub failed: usize,
    /// Perhaps applied.
    pub uncertain: usize,
}

impl RunProgress {
    /// Returns the number of leads that were cancelled, or decided differently since.
    pub fn left_out(&self) -> usize {
        self.all - self.open - self.updated - self.failed - self.uncertain
    }

    /// Returns the number of leads whose outcome does not change without the user.
    pub fn done(&self) -> usize {
        self.all - self.open
    }
}

impl RunProgress {
    /// Returns the counters that an outcome belongs to.
    fn parts(&mut self, outcome: LeadOutcome) -> [Option<&mut usize>; 2] {
        let (one, other) = match outcome {
            LeadOutcome::Waiting => (Some(&mut self.open), Some(&mut self.waiting)),
            LeadOutcome::Sending => (Some(&mut self.open), None),
            LeadOutcome::Updated => (Some(&mut self.updated), None),
            LeadOutcome::Failed => (Some(&mut self.failed), None),
            LeadOutcome::Uncertain => (Some(&mut self.uncertain), None),
            LeadOutcome::LeftOut => (None, None),
        };
        [one, other]
    }

    fn add(&mut self, outcome: LeadOutcome) {
        for count in self.parts(outcome).into_iter().flatten() {
            *count += 1;
        }
    }

    fn take(&mut self, outcome: LeadOutcome) {
        for count in self.parts(outcome).into_iter().flatten() {
            *count -= 1;
        }
    }
}

impl Run {
    /// Returns the progress as of the last [`follow`](Runs::follow).
    pub fn progress(&self) -> RunProgress {
        self.progress
    }

    /// Updates the outcome of changed leads. Returns whether the progress changed.
    fn follow(&mut self, outbox: &Outbox, changes: &[Arc<str>]) -> bool {
        let before = self.progress;
        for lead in changes {
            let Ok(at) = self
                .targets
                .binary_search_by(|target| target.lead.cmp(lead))
            else {
                continue;
            };
            let target = &mut self.targets[at];
            let outcome = match target.outcome {
                // Later decisions do not change what was saved.
                LeadOutcome::Updated => LeadOutcome::Updated,
                _ => target.outcome_in(outbox),
            };
            self.progress.take(target.outcome);
            self.progress.add(outcome);
            target.outcome = outcome;
        }
        self.progress != before
    }

    /// Returns the leads with this outcome.
    pub fn leads_of(&self, outcome: LeadOutcome) -> Vec<Arc<str>> {
        let targets = self
            .targets
            .iter()
            .filter(|target| target.outcome == outcome);
        targets.map(|target| Arc::clone(&target.lead)).collect()
    }

    /// Returns the leads in one of these phases, without those that were decided again since.
    pub fn leads_in(&self, outbox: &Outbox, phases: &[Phase]) -> Vec<Arc<str>> {
        let ours = self.targets.iter().filter(|target| {
            phases.contains(&outbox.phase(&target.lead)) && target.is_ours(outbox)
        });
        ours.map(|target| Arc::clone(&target.lead)).collect()
    }
}

/// Runs that the user may want to see, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    runs: Vec<Run>,
    ever: u64,
}

impl Runs {
    /// Adds a new run, or one that continues after a reload and may be paused. Drops earlier runs
    /// that have nothing open, failed or uncertain. Returns the number of the run.
    pub fn push(
        &mut self,
        step: Option<u64>,
        leads: Vec<(Arc<str>, NewApprovalStatus)>,
        paused: bool,
        outbox: &Outbox,
    ) -> u64 {
        self.runs.retain(|run| {
            let progress = run.progress;
            progress.open + progress.failed + progress.uncertain > 0
        });
        self.ever += 1;
        let mut progress = RunProgress {
            all: leads.len(),
            ..RunProgress::default()
        };
        let targets = leads
            .into_iter()
            .map(|(lead, to)| Target::new(lead, to, outbox));
        let targets: Vec<Target> = targets.collect();
        let targets = in_order(&targets, |target| &target.lead);
        for target in &targets {
            progress.add(target.outcome);
        }
        self.runs.push(Run {
            number: self.ever,
            step,
            targets,
            paused,
            cancelled: false,
            progress,
        });
        self.ever
    }

    /// Updates all runs after changes of leads. Returns whether any run changed.
    pub fn follow(&mut self, outbox: &Outbox, changes: &[Arc<str>]) -> bool {
        let mut any = false;
        for run in &mut self.runs {
            any |= run.follow(outbox, changes);
        }
        any
    }

    pub fn get(&self, number: u64) -> Option<&Run> {
        self.runs.iter().find(|run| run.number == number)
    }

    /// Returns the number of the run of a step.
    pub fn of_step(&self, step: u64) -> Option<u64> {
        let run = self.runs.iter().find(|run| run.step == Some(step));
        run.map(|run| run.number)
    }

    pub fn get_mut(&mut self, number: u64) -> Option<&mut Run> {
        self.runs.iter_mut().find(|run| run.number == number)
    }

    pub fn numbers(&self) -> Vec<u64> {
        self.runs.iter().map(|run| run.number).collect()
    }

    /// Removes a run that the user closed.
    pub fn close(&mut self, number: u64) {
        self.runs.retain(|run| run.number != number);
    }

    /// Removes the run of a step that was undone.
    pub fn undone(&mut self, step: u64) {
        self.runs.retain(|run| run.step != Some(step));
    }
}
