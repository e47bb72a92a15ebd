//! Decisions on so many leads that they take a while: how far each one is. Pure; the outbox knows
//! of every lead how it stands.

use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;

use super::ids::in_order;
use super::outbox::entry::Phase;
use super::outbox::{Event, Outbox};

/// A lead of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The lead.
    pub lead: Arc<str>,
    /// The status that it is to have.
    pub to: NewApprovalStatus,
    /// When it was decided, so that what was decided later is nothing of this run.
    decided: Option<Event>,
    fate: Fate,
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
    fn of(lead: Arc<str>, to: NewApprovalStatus, outbox: &Outbox) -> Self {
        let mut aim = Self {
            decided: outbox.decided(&lead),
            lead,
            to,
            fate: Fate::Waiting,
        };
        aim.fate = aim.fate_in(outbox);
        aim
    }

    /// Whether what is wanted of the lead was decided by this run.
    fn is_ours(&self, outbox: &Outbox) -> bool {
        let wanted = outbox.wanted(&self.lead);
        outbox.decided(&self.lead) == self.decided && wanted.is_none_or(|wanted| wanted == self.to)
    }

    fn fate_in(&self, outbox: &Outbox) -> Fate {
        match outbox.phase(&self.lead) {
            Phase::Confirmed | Phase::Idle => {
                let known = outbox.known(&self.lead);
                let has = known.is_some_and(|known| known.known() == Some(self.to));
                if has { Fate::Updated } else { Fate::LeftOut }
            }
            _ if !self.is_ours(outbox) => Fate::LeftOut,
            Phase::Queued | Phase::Retrying => Fate::Waiting,
            Phase::Sent => Fate::Leaving,
            Phase::Failed => Fate::Failed,
            Phase::Uncertain => Fate::Uncertain,
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
    /// The leads, by their ids.
    pub aims: Vec<Aim>,
    /// Whether what has not left waits until somebody says to go on.
    pub paused: bool,
    /// Whether what had not left was called off.
    pub cancelled: bool,
    progress: Progress,
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

impl Progress {
    /// The counts that a lead is in.
    fn parts(&mut self, fate: Fate) -> [Option<&mut usize>; 2] {
        let (one, other) = match fate {
            Fate::Waiting => (Some(&mut self.open), Some(&mut self.waiting)),
            Fate::Leaving => (Some(&mut self.open), None),
            Fate::Updated => (Some(&mut self.updated), None),
            Fate::Failed => (Some(&mut self.failed), None),
            Fate::Uncertain => (Some(&mut self.uncertain), None),
            Fate::LeftOut => (None, None),
        };
        [one, other]
    }

    fn add(&mut self, fate: Fate) {
        for count in self.parts(fate).into_iter().flatten() {
            *count += 1;
        }
    }

    fn take(&mut self, fate: Fate) {
        for count in self.parts(fate).into_iter().flatten() {
            *count -= 1;
        }
    }
}

impl Run {
    /// How far it is, by what it [followed](Runs::follow).
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// There is news of leads. Whether any of it concerns the run.
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

    /// Its leads that this became of.
    pub fn leads_of(&self, fate: Fate) -> Vec<Arc<str>> {
        let aims = self.aims.iter().filter(|aim| aim.fate == fate);
        aims.map(|aim| Arc::clone(&aim.lead)).collect()
    }

    /// Its leads in one of these phases, but for those that were decided again since.
    pub fn leads_in(&self, outbox: &Outbox, phases: &[Phase]) -> Vec<Arc<str>> {
        let ours = self
            .aims
            .iter()
            .filter(|aim| phases.contains(&outbox.phase(&aim.lead)) && aim.is_ours(outbox));
        ours.map(|aim| Arc::clone(&aim.lead)).collect()
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
            .map(|(lead, to)| Aim::of(lead, to, outbox));
        let aims: Vec<Aim> = aims.collect();
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

    /// There is news of leads. Whether any of it concerns a run.
    pub fn follow(&mut self, outbox: &Outbox, news: &[Arc<str>]) -> bool {
        let mut any = false;
        for run in &mut self.runs {
            any |= run.follow(outbox, news);
        }
        any
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
