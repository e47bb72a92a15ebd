//! What was decided, to be undone and redone. A decision on many leads is one step.

use std::collections::VecDeque;
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use super::ids::{Ids, in_order};

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
    /// When it was decided, in milliseconds since 1970.
    pub at: u64,
    /// The leads, by their ids.
    pub changes: Vec<Change>,
}

impl Step {
    /// The same step, of no leads.
    fn empty(&self) -> Self {
        Self {
            changes: Vec::new(),
            name: Arc::clone(&self.name),
            ..*self
        }
    }

    fn place(&self, lead: &str) -> Result<usize, usize> {
        self.changes
            .binary_search_by(|change| (*change.lead).cmp(lead))
    }

    /// The change of a lead.
    fn find(&mut self, lead: &str) -> Option<&mut Change> {
        let at = self.place(lead).ok()?;
        self.changes.get_mut(at)
    }

    /// Takes the changes of some leads out.
    fn take<'a>(&mut self, leads: impl Iterator<Item = &'a Arc<str>>) -> Vec<Change> {
        let gone = Ids::of(leads.map(Arc::clone));
        let mut taken = Vec::new();
        self.changes.retain(|change| {
            let stays = !gone.has(&change.lead);
            if !stays {
                taken.push(change.clone());
            }
            stays
        });
        taken
    }

    /// Puts changes in that were not in it.
    fn put(&mut self, changes: Vec<Change>) {
        for change in changes {
            if let Err(at) = self.place(&change.lead) {
                self.changes.insert(at, change);
            }
        }
    }

    /// How many of its leads are not among those that were decided again.
    fn free(&self, again: &Ids) -> usize {
        let free = |change: &&Change| !again.has(&change.lead);
        self.changes.iter().filter(free).count()
    }
}

/// The steps, the latest last.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: VecDeque<Step>,
    undone: Vec<Step>,
    /// What was not kept, of steps that may be there still.
    lost: VecDeque<Step>,
    ever: u64,
}

impl History {
    /// Something was decided at a time. What was undone before cannot be redone any more.
    pub fn push(
        &mut self,
        to: NewApprovalStatus,
        name: Arc<str>,
        changes: Vec<Change>,
        at: u64,
    ) -> u64 {
        let changes = in_order(&changes, |change| &change.lead);
        self.ever += 1;
        self.undone.clear();
        if !self.lost.is_empty() {
            let leads: Vec<Arc<str>> = changes.iter().map(|one| one.lead.clone()).collect();
            self.let_go(&leads);
        }
        self.keep(Step {
            number: self.ever,
            to,
            name,
            at,
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

    /// Takes one step back, wherever it stands. Leads that were decided again since stay as they are,
    /// and undoing that later step takes them back to where they were before this one. Gives the step
    /// with the leads that go back, and how many stay; nothing where all of them would stay.
    pub fn undo_step(&mut self, number: u64) -> Option<(Step, usize)> {
        let at = self.done.iter().position(|step| step.number == number)?;
        let later = self.done.iter().skip(at + 1);
        let again = later.flat_map(|step| step.changes.iter().map(|one| one.lead.clone()));
        let again = Ids::of(again);
        if self.done[at].free(&again) == 0 {
            return None;
        }
        let mut step = self.done.remove(at)?;
        let (stay, back): (Vec<Change>, Vec<Change>) = step
            .changes
            .into_iter()
            .partition(|change| again.has(&change.lead));
        step.changes = back;
        for Change { lead, from } in &stay {
            let mut later = self.done.iter_mut().skip(at);
            if let Some(first) = later.find_map(|step| step.find(lead)) {
                first.from = from.clone();
            }
        }
        self.undone.push(step.clone());
        Some((step, stay.len()))
    }

    /// Does the step again that was taken back last.
    pub fn redo(&mut self) -> Option<Step> {
        let step = self.undone.pop()?;
        self.keep(step.clone());
        Some(step)
    }

    /// The latest decisions on these leads were not kept, and this is what the server holds: there is
    /// nothing to undo in them, nor in those before them that never left. They are among
    /// [`lost`](Self::lost) from now on.
    pub fn forget(&mut self, leads: &[(Arc<str>, ApprovalStatus)]) {
        let mut open: Vec<&(Arc<str>, ApprovalStatus)> = leads.iter().collect();
        for step in self.done.iter_mut().rev() {
            let taken = step.take(open.iter().map(|(lead, _)| lead));
            if taken.is_empty() {
                continue;
            }
            open.retain(|(lead, known)| {
                let back = |change: &Change| change.lead == *lead && change.from == *known;
                !taken.iter().any(back)
            });
            let alike = self.lost.iter_mut().find(|lost| lost.number == step.number);
            match alike {
                Some(lost) => lost.put(taken),
                None => {
                    if self.lost.len() == STEPS {
                        self.lost.pop_front();
                    }
                    self.lost.push_back(Step {
                        changes: taken,
                        ..step.empty()
                    });
                }
            }
        }
        for step in &mut self.undone {
            step.take(leads.iter().map(|(lead, _)| lead));
        }
        self.done.retain(|step| !step.changes.is_empty());
        self.undone.retain(|step| !step.changes.is_empty());
    }

    /// What was not kept was sent again, and was kept: it can be undone.
    pub fn kept(&mut self, leads: &[Arc<str>], to: NewApprovalStatus) {
        if self.lost.is_empty() {
            return;
        }
        let mut back = Vec::new();
        for step in &mut self.lost {
            if step.to == to {
                let kept = step.take(leads.iter());
                back.push((step.empty(), kept));
            }
        }
        self.let_go(leads);
        for (step, changes) in back {
            self.remember(&step, changes);
        }
    }

    /// Nobody wants any more what was not kept of these leads.
    pub fn let_go(&mut self, leads: &[Arc<str>]) {
        for step in &mut self.lost {
            step.take(leads.iter());
        }
        self.lost.retain(|step| !step.changes.is_empty());
    }

    /// Leads of one step were called off before they left: there is nothing to undo in them.
    pub fn forget_in(&mut self, number: u64, leads: &[Arc<str>]) {
        for step in &mut self.done {
            if step.number == number {
                step.take(leads.iter());
            }
        }
        self.done.retain(|step| !step.changes.is_empty());
    }

    /// What was not kept is sent again: it can be undone with the rest of its step, which may be
    /// gone.
    fn remember(&mut self, of: &Step, changes: Vec<Change>) {
        if changes.is_empty() {
            return;
        }
        match self.done.iter_mut().find(|step| step.number == of.number) {
            Some(step) => step.put(changes),
            None => self.keep(Step {
                changes,
                ..of.empty()
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

    /// What was not kept and is not given up, the latest last.
    pub fn lost(&self) -> impl Iterator<Item = &Step> {
        self.lost.iter()
    }

    /// Whether something can be redone.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }
}
