//! Decisions on so many leads that they take a while: how far each one is. Pure; the outbox knows
//! of every lead how it stands.

use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use super::outbox::Outbox;
use super::outbox::entry::Phase;

/// A lead of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The lead.
    pub lead: Arc<str>,
    /// The status that was shown before.
    pub from: ApprovalStatus,
    /// The status that it is to have.
    pub to: NewApprovalStatus,
}

/// What became of a lead of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It has not left.
    Waiting,
    /// It is on its way.
    Leaving,
    /// The server has it as it is to be.
    Updated,
    /// Not done, for certain.
    Failed,
    /// Perhaps done.
    Uncertain,
    /// Called off, or decided otherwise meanwhile.
    LeftOut,
}

impl Aim {
    fn fate(&self, outbox: &Outbox) -> Fate {
        match outbox.phase(&self.lead) {
            Phase::Queued => Fate::Waiting,
            Phase::Sent => Fate::Leaving,
            Phase::Failed => Fate::Failed,
            Phase::Uncertain => Fate::Uncertain,
            Phase::Confirmed | Phase::Idle => {
                let known = outbox.known(&self.lead);
                let has = known.is_some_and(|known| known.known() == Some(self.to));
                if has { Fate::Updated } else { Fate::LeftOut }
            }
        }
    }
}

/// A decision on many leads, or its undoing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Tells it from all others.
    pub number: u64,
    /// The step that takes it back; none where it is itself an undoing.
    pub step: Option<u64>,
    /// The leads.
    pub aims: Vec<Aim>,
    /// Whether what has not left waits until somebody says to go on.
    pub paused: bool,
    /// Whether what had not left was called off.
    pub cancelled: bool,
}

/// How far a run is, in leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// All leads.
    pub all: usize,
    /// They wait or are on their way.
    pub open: usize,
    /// Of those, the ones that have not left.
    pub waiting: usize,
    /// The server has them as they are to be.
    pub updated: usize,
    /// Not done, for certain.
    pub failed: usize,
    /// Perhaps done.
    pub uncertain: usize,
}

impl Progress {
    /// Leads that were called off, or decided otherwise meanwhile.
    pub fn left_out(&self) -> usize {
        self.all - self.open - self.updated - self.failed - self.uncertain
    }

    /// Leads that nothing more will happen to by itself.
    pub fn done(&self) -> usize {
        self.all - self.open
    }
}

impl Run {
    /// How far it is.
    pub fn progress(&self, outbox: &Outbox) -> Progress {
        let mut progress = Progress {
            all: self.aims.len(),
            ..Progress::default()
        };
        for aim in &self.aims {
            match aim.fate(outbox) {
                Fate::Waiting => {
                    progress.open += 1;
                    progress.waiting += 1;
                }
                Fate::Leaving => progress.open += 1,
                Fate::Updated => progress.updated += 1,
                Fate::Failed => progress.failed += 1,
                Fate::Uncertain => progress.uncertain += 1,
                Fate::LeftOut => {}
            }
        }
        progress
    }

    /// Its leads that this became of.
    pub fn leads_of(&self, outbox: &Outbox, fate: Fate) -> Vec<Arc<str>> {
        let aims = self.aims.iter().filter(|aim| aim.fate(outbox) == fate);
        aims.map(|aim| Arc::clone(&aim.lead)).collect()
    }

    /// Its leads in one of these phases.
    pub fn leads_in(&self, outbox: &Outbox, phases: &[Phase]) -> Vec<Arc<str>> {
        let leads = self.aims.iter().map(|aim| &aim.lead);
        let found = leads.filter(|lead| phases.contains(&outbox.phase(lead)));
        found.map(Arc::clone).collect()
    }
}

/// The runs that somebody may want to look at, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    runs: Vec<Run>,
    ever: u64,
}

impl Runs {
    /// A run begins, or goes on after a reload, which may find it paused. Earlier ones that went well
    /// have nothing more to say.
    pub fn push(&mut self, step: Option<u64>, aims: Vec<Aim>, paused: bool, outbox: &Outbox) {
        self.runs.retain(|run| {
            let progress = run.progress(outbox);
            progress.open + progress.failed + progress.uncertain > 0
        });
        self.ever += 1;
        self.runs.push(Run {
            number: self.ever,
            step,
            aims,
            paused,
            cancelled: false,
        });
    }

    /// A run.
    pub fn get(&self, number: u64) -> Option<&Run> {
        self.runs.iter().find(|run| run.number == number)
    }

    /// A run, to change it.
    pub fn get_mut(&mut self, number: u64) -> Option<&mut Run> {
        self.runs.iter_mut().find(|run| run.number == number)
    }

    /// The numbers of all runs.
    pub fn numbers(&self) -> Vec<u64> {
        self.runs.iter().map(|run| run.number).collect()
    }

    /// Nobody looks at a run any more.
    pub fn close(&mut self, number: u64) {
        self.runs.retain(|run| run.number != number);
    }

    /// A step was taken back: its run is over.
    pub fn undone(&mut self, step: u64) {
        self.runs.retain(|run| run.step != Some(step));
    }
}
