//! Undo and redo of decisions. A decision on many leads is one step.

use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use crate::review::sorted_ids::{SortedIds, in_order};

/// Maximum number of steps that can be undone.
pub const STEPS: usize = 50;

/// The change of one lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub lead: Arc<str>,
    /// Status that was shown before.
    pub from: ApprovalStatus,
}

/// A decision on one or more leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Unique number of the step.
    pub number: u64,
    /// Status that was decided.
    pub to: NewApprovalStatus,
    /// Name of the lead, if the step has only one.
    pub name: Arc<str>,
    /// Time of the decision in milliseconds since 1970.
    pub at: u64,
    /// Sorted by lead id.
    pub changes: Vec<Change>,
}

impl Step {
    /// Returns a copy without changes.
    fn empty(&self) -> Self {
        Self {
            changes: Vec::new(),
            name: Arc::clone(&self.name),
            ..*self
        }
    }

    fn search(&self, lead: &str) -> Result<usize, usize> {
        self.changes
            .binary_search_by(|change| (*change.lead).cmp(lead))
    }

    fn find(&mut self, lead: &str) -> Option<&mut Change> {
        let at = self.search(lead).ok()?;
        self.changes.get_mut(at)
    }

    /// Removes and returns the changes of these leads.
    fn take<'a>(&mut self, leads: impl Iterator<Item = &'a Arc<str>>) -> Vec<Change> {
        let gone = SortedIds::new(leads.map(Arc::clone));
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

    /// Inserts changes; leads that the step already has keep theirs.
    fn put(&mut self, changes: Vec<Change>) {
        for change in changes {
            if let Err(at) = self.search(&change.lead) {
                self.changes.insert(at, change);
            }
        }
    }

    /// Counts the leads that are not in `again`, the leads with a later decision.
    fn undoable(&self, again: &SortedIds) -> usize {
        let undoable = |change: &&Change| !again.has(&change.lead);
        self.changes.iter().filter(undoable).count()
    }
}

/// The steps, oldest first.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: Vec<Step>,
    undone: Vec<Step>,
    /// Changes that were not saved. Their steps may still be in `done`.
    lost: Vec<Step>,
    ever: u64,
}

impl History {
    /// Records a decision and returns its step number. Undone steps can no longer be redone.
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
            self.drop_lost(&leads);
        }
        self.add(Step {
            number: self.ever,
            to,
            name,
            at,
            changes,
        });
        self.ever
    }

    fn add(&mut self, step: Step) {
        if self.done.len() == STEPS {
            self.done.remove(0);
        }
        self.done.push(step);
    }

    /// Undoes the latest step.
    pub fn undo(&mut self) -> Option<Step> {
        let step = self.done.pop()?;
        self.undone.push(step.clone());
        Some(step)
    }

    /// Undoes one step at any position. Leads with a later decision keep it; undoing that later
    /// decision then restores the status from before this step. Returns the step with the leads
    /// that change, and those that do not; `None` if no lead would change.
    pub fn undo_step(&mut self, number: u64) -> Option<(Step, Vec<Arc<str>>)> {
        let at = self.done.iter().position(|step| step.number == number)?;
        let later = self.done.iter().skip(at + 1);
        let again = later.flat_map(|step| step.changes.iter().map(|one| one.lead.clone()));
        let again = SortedIds::new(again);
        if self.done[at].undoable(&again) == 0 {
            return None;
        }
        let mut step = self.done.remove(at);
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
        let stay = stay.into_iter().map(|change| change.lead);
        Some((step, stay.collect()))
    }

    /// Removes leads from the step that was undone last: they keep what others decided.
    pub fn forget_undone(&mut self, leads: &[Arc<str>]) {
        let Some(mut step) = self.undone.pop() else {
            return;
        };
        step.take(leads.iter());
        if !step.changes.is_empty() {
            self.undone.push(step);
        }
    }

    /// Redoes the step that was undone last. `shown` returns the status that a lead has now, if it is known.
    pub fn redo(&mut self, shown: impl Fn(&str) -> Option<ApprovalStatus>) -> Option<Step> {
        let mut step = self.undone.pop()?;
        for change in &mut step.changes {
            if let Some(now) = shown(&change.lead) {
                change.from = now;
            }
        }
        self.add(step.clone());
        Some(step)
    }

    /// Removes decisions on these leads that were not saved, given with their status on the server.
    /// Also removes the earlier decisions that were never sent, back to the one made from that
    /// status. The removed changes cannot be undone, and are in [`lost`](Self::lost) from now on.
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
                        self.lost.remove(0);
                    }
                    self.lost.push(Step {
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

    fn latest_step(&self, lead: &str) -> Option<&Step> {
        self.recent().find(|step| step.search(lead).is_ok())
    }

    /// Returns what the latest step that has a lead decided.
    pub fn latest(&self, lead: &str) -> Option<NewApprovalStatus> {
        self.latest_step(lead).map(|step| step.to)
    }

    /// Forgets decisions that were not saved, and had been replaced by the [latest](Self::latest), on these leads, given with
    /// their status on the server: undoing the latest decision returns to that. Those that were undone are forgotten
    /// already.
    pub fn forget_replaced(&mut self, leads: &[(Arc<str>, ApprovalStatus)]) {
        for (lead, known) in leads {
            if self.undone.iter().any(|step| step.search(lead).is_ok()) {
                continue;
            }
            let mut steps = self.done.iter_mut().rev();
            let Some(latest) = steps.find_map(|step| step.find(lead)) else {
                continue;
            };
            let mut first = std::mem::replace(&mut latest.from, known.clone());
            for step in steps {
                if first == *known {
                    break;
                }
                if let Ok(at) = step.search(lead) {
                    first = step.changes.remove(at).from;
                }
            }
        }
        self.done.retain(|step| !step.changes.is_empty());
    }

    /// Makes lost changes undoable again after they were sent again and saved.
    pub fn on_saved(&mut self, leads: &[Arc<str>], to: NewApprovalStatus) {
        if self.lost.is_empty() {
            return;
        }
        let mut back = Vec::new();
        for step in &mut self.lost {
            if step.to == to {
                let saved = step.take(leads.iter());
                back.push((step.empty(), saved));
            }
        }
        self.drop_lost(leads);
        for (step, changes) in back {
            self.restore(&step, changes);
        }
    }

    /// Drops the lost changes of these leads: they were given up, or decided again.
    pub fn drop_lost(&mut self, leads: &[Arc<str>]) {
        for step in &mut self.lost {
            step.take(leads.iter());
        }
        self.lost.retain(|step| !step.changes.is_empty());
    }

    /// Removes leads from a step: they were called off before they were sent, so there is nothing
    /// to undo.
    pub fn remove_from_step(&mut self, number: u64, leads: &[Arc<str>]) {
        for step in &mut self.done {
            if step.number == number {
                step.take(leads.iter());
            }
        }
        self.done.retain(|step| !step.changes.is_empty());
    }

    /// Adds saved changes to their step again. Restores the step if it is gone.
    fn restore(&mut self, of: &Step, changes: Vec<Change>) {
        if changes.is_empty() {
            return;
        }
        match self.done.iter_mut().find(|step| step.number == of.number) {
            Some(step) => step.put(changes),
            None => self.add(Step {
                changes,
                ..of.empty()
            }),
        }
    }

    /// Records that someone else changed a lead before its last decision here was saved: undoing that decision returns to
    /// their status.
    pub fn changed_by_others(&mut self, lead: &str, status: &ApprovalStatus) {
        if let Some(change) = self.done.iter_mut().rev().find_map(|step| step.find(lead)) {
            change.from = status.clone();
        }
    }

    /// Returns the number of the step that decided a lead last, if it can be undone.
    pub fn step_of(&self, lead: &str) -> Option<u64> {
        self.latest_step(lead).map(|step| step.number)
    }

    pub fn last(&self) -> Option<&Step> {
        self.done.last()
    }

    /// Returns all steps that can be undone, latest first.
    pub fn recent(&self) -> impl Iterator<Item = &Step> {
        self.done.iter().rev()
    }

    /// Returns when a lead was decided last, in milliseconds since 1970, if that can be undone.
    pub fn decided_at(&self, lead: &str) -> Option<u64> {
        self.latest_step(lead).map(|step| step.at)
    }

    /// Returns the changes that were not saved and not given up, latest last.
    pub fn lost(&self) -> impl Iterator<Item = &Step> {
        self.lost.iter()
    }

    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }
}
