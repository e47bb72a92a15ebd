//! Progress of decisions on so many leads that they take a while. Pure; the state of each lead is
//! in the outbox.

use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;

use super::outbox::entry::Phase;
use super::outbox::{Event, Outbox};
use crate::app::model::ids::in_order;

/// A lead of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub lead: Arc<str>,
    pub to: NewApprovalStatus,
    /// Event of the decision. A later decision does not belong to this run.
    decided: Option<Event>,
    fate: LeadOutcome,
}

/// Outcome for one lead of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadOutcome {
    /// Not sent yet, or retried.
    Waiting,
    /// In flight.
    Leaving,
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
    fn of(lead: Arc<str>, to: NewApprovalStatus, outbox: &Outbox) -> Self {
        let mut aim = Self {
            decided: outbox.decided(&lead),
            lead,
            to,
            fate: LeadOutcome::Waiting,
        };
        aim.fate = aim.fate_in(outbox);
        aim
    }

    /// Whether the wanted status of the lead is from this run.
    fn is_ours(&self, outbox: &Outbox) -> bool {
        let wanted = outbox.wanted(&self.lead);
        outbox.decided(&self.lead) == self.decided && wanted.is_none_or(|wanted| wanted == self.to)
    }

    fn fate_in(&self, outbox: &Outbox) -> LeadOutcome {
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
            Phase::Sent => LeadOutcome::Leaving,
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
    pub aims: Vec<Target>,
    /// Whether unsent leads are held back until the user continues.
    pub paused: bool,
    /// Whether unsent leads were cancelled.
    pub cancelled: bool,
    progress: Progress,
}

/// Progress of a run, in number of leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
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

impl Progress {
    /// Returns the number of leads that were cancelled, or decided differently since.
    pub fn left_out(&self) -> usize {
        self.all - self.open - self.updated - self.failed - self.uncertain
    }

    /// Returns the number of leads whose outcome does not change without the user.
    pub fn done(&self) -> usize {
        self.all - self.open
    }
}

impl Progress {
    /// Returns the counters that an outcome belongs to.
    fn parts(&mut self, fate: LeadOutcome) -> [Option<&mut usize>; 2] {
        let (one, other) = match fate {
            LeadOutcome::Waiting => (Some(&mut self.open), Some(&mut self.waiting)),
            LeadOutcome::Leaving => (Some(&mut self.open), None),
            LeadOutcome::Updated => (Some(&mut self.updated), None),
            LeadOutcome::Failed => (Some(&mut self.failed), None),
            LeadOutcome::Uncertain => (Some(&mut self.uncertain), None),
            LeadOutcome::LeftOut => (None, None),
        };
        [one, other]
    }

    fn add(&mut self, fate: LeadOutcome) {
        for count in self.parts(fate).into_iter().flatten() {
            *count += 1;
        }
    }

    fn take(&mut self, fate: LeadOutcome) {
        for count in self.parts(fate).into_iter().flatten() {
            *count -= 1;
        }
    }
}

impl Run {
    /// Returns the progress as of the last [`follow`](Runs::follow).
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Updates the outcome of changed leads. Returns whether the progress changed.
    fn follow(&mut self, outbox: &Outbox, news: &[Arc<str>]) -> bool {
        let before = self.progress;
        for lead in news {
            let Ok(at) = self.aims.binary_search_by(|aim| aim.lead.cmp(lead)) else {
                continue;
            };
            let aim = &mut self.aims[at];
            let fate = aim.fate_in(outbox);
            self.progress.take(aim.fate);
            self.progress.add(fate);
            aim.fate = fate;
        }
        self.progress != before
    }

    /// Returns the leads with this outcome.
    pub fn leads_of(&self, fate: LeadOutcome) -> Vec<Arc<str>> {
        let aims = self.aims.iter().filter(|aim| aim.fate == fate);
        aims.map(|aim| Arc::clone(&aim.lead)).collect()
    }

    /// Returns the leads in one of these phases, without those that were decided again since.
    pub fn leads_in(&self, outbox: &Outbox, phases: &[Phase]) -> Vec<Arc<str>> {
        let ours = self
            .aims
            .iter()
            .filter(|aim| phases.contains(&outbox.phase(&aim.lead)) && aim.is_ours(outbox));
        ours.map(|aim| Arc::clone(&aim.lead)).collect()
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
    /// that have nothing open, failed or uncertain.
    pub fn push(
        &mut self,
        step: Option<u64>,
        leads: Vec<(Arc<str>, NewApprovalStatus)>,
        paused: bool,
        outbox: &Outbox,
    ) {
        self.runs.retain(|run| {
            let progress = run.progress;
            progress.open + progress.failed + progress.uncertain > 0
        });
        self.ever += 1;
        let mut progress = Progress {
            all: leads.len(),
            ..Progress::default()
        };
        let aims = leads
            .into_iter()
            .map(|(lead, to)| Target::of(lead, to, outbox));
        let aims: Vec<Target> = aims.collect();
        let aims = in_order(&aims, |aim| &aim.lead);
        for aim in &aims {
            progress.add(aim.fate);
        }
        self.runs.push(Run {
            number: self.ever,
            step,
            aims,
            paused,
            cancelled: false,
            progress,
        });
    }

    /// Updates all runs after changes of leads. Returns whether any run changed.
    pub fn follow(&mut self, outbox: &Outbox, news: &[Arc<str>]) -> bool {
        let mut any = false;
        for run in &mut self.runs {
            any |= run.follow(outbox, news);
        }
        any
    }

    pub fn get(&self, number: u64) -> Option<&Run> {
        self.runs.iter().find(|run| run.number == number)
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
