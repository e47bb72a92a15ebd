//! Deleted leads. They leave the screen at once, and the server when their request is done. Until
//! then, the server returns and counts them in each read of a list. Pure.

use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;

use super::view::LeadsView;
use crate::review::outbox::SequenceNumber;

/// Position of a deleted lead in the list on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeletedPosition {
    /// Not in the list.
    Out,
    /// Perhaps in the list: it is filtered, and the lead was not seen.
    Perhaps,
    /// In the list at an unknown position.
    Listed,
    /// In the list, directly before the row that has this index now.
    At(u64),
}

/// How far the request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeletionPhase {
    Held,
    Leaving,
    /// Done. Reads that were sent later do not contain the lead.
    Done(SequenceNumber),
}

#[derive(Clone, Debug)]
struct DeletedLead {
    lead: Arc<str>,
    status: ApprovalStatus,
    position: DeletedPosition,
    stage: DeletionPhase,
}

impl DeletedLead {
    /// Returns the index of the row directly after it, if its position is known.
    fn index(&self) -> Option<u64> {
        match self.position {
            DeletedPosition::At(index) => Some(index),
            _ => None,
        }
    }

    /// Whether it is certain that the lead belongs to the list on the screen.
    fn is_listed(&self) -> bool {
        matches!(
            self.position,
            DeletedPosition::Listed | DeletedPosition::At(_)
        )
    }

    /// Whether a read sent at this event may contain the lead.
    fn concerns(&self, sent: SequenceNumber) -> bool {
        !matches!(self.stage, DeletionPhase::Done(at) if at < sent)
    }
}

/// All deleted leads and their requests.
#[derive(Clone, Debug, Default)]
pub struct Deleted {
    /// Those with a position in the order of the list, among them those that are directly before the same row.
    leads: Vec<DeletedLead>,
    /// How often a deletion was made, sent, done or called off.
    changes: u64,
}

impl Deleted {
    /// Takes a lead off the screen. `index` is its position in the list.
    pub fn hold(&mut self, lead: Arc<str>, status: ApprovalStatus, index: u64) {
        self.changes += 1;
        self.leads.retain(|one| one.lead != lead);
        let held = DeletedLead {
            lead,
            status,
            position: DeletedPosition::At(index),
            stage: DeletionPhase::Held,
        };
        self.insert(held, index);
    }

    /// Inserts a lead that is directly before the row at an index. Those after it were located without it.
    fn insert(&mut self, mut lead: DeletedLead, index: u64) {
        lead.position = DeletedPosition::At(index);
        let is_before = |one: &DeletedLead| one.index().is_some_and(|at| at <= index);
        let last = self.leads.iter().rposition(is_before);
        let at = last.map_or(0, |last| last + 1);
        for one in &mut self.leads[at..] {
            if let DeletedPosition::At(at) = &mut one.position {
                *at -= 1;
            }
        }
        self.leads.insert(at, lead);
    }

    fn get_mut(&mut self, lead: &str) -> Option<&mut DeletedLead> {
        self.leads.iter_mut().find(|one| *one.lead == *lead)
    }

    /// Marks the request as sent.
    pub fn sent(&mut self, lead: &str) {
        if let Some(one) = self.get_mut(lead) {
            one.stage = DeletionPhase::Leaving;
            self.changes += 1;
        }
    }

    /// Returns how often a deletion was made, sent, done or called off. If this changes during a read, the read may contain a
    /// deleted lead, or lack one.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Whether a request is in flight, so that a read may contain its lead or not.
    pub fn is_in_flight(&self) -> bool {
        self.leads
            .iter()
            .any(|one| one.stage == DeletionPhase::Leaving)
    }

    /// Records that the server deleted the lead. Returns where it would be in the list on the
    /// screen.
    pub fn done(&mut self, lead: &str, now: SequenceNumber) -> DeletedPosition {
        self.changes += 1;
        self.get_mut(lead).map_or(DeletedPosition::Out, |one| {
            one.stage = DeletionPhase::Done(now);
            one.position
        })
    }

    /// Drops a deletion that was called off or failed. Returns where the lead belongs in the list
    /// on the screen.
    pub fn remove(&mut self, lead: &str) -> DeletedPosition {
        let Some(at) = self.leads.iter().position(|one| *one.lead == *lead) else {
            return DeletedPosition::Out;
        };
        self.changes += 1;
        let position = self.leads.remove(at).position;
        if matches!(position, DeletedPosition::At(_)) {
            for one in &mut self.leads[at..] {
                if let DeletedPosition::At(at) = &mut one.position {
                    *at += 1;
                }
            }
        }
        position
    }

    /// Updates the positions when another list is shown, or the same one is reloaded.
    pub fn list_changed(&mut self, before: Option<&LeadsView>, view: &LeadsView) {
        let same = before.is_some_and(|before| {
            let of = |view: &LeadsView| (view.tab, view.table.term());
            of(before) == of(view) && before.filters == view.filters
        });
        for one in &mut self.leads {
            let fits = view.tab.holds(&one.status);
            one.position = match one.position {
                _ if !fits => DeletedPosition::Out,
                _ if view.is_whole() => DeletedPosition::Listed,
                DeletedPosition::At(_) | DeletedPosition::Listed if same => DeletedPosition::Listed,
                DeletedPosition::Out if same => DeletedPosition::Out,
                _ => DeletedPosition::Perhaps,
            };
        }
    }

    /// Checks a row of a read that was sent at this event. A deleted lead found by this gets the
    /// position before the row at `index`, unless that is not certain (`None`).
    pub fn check_row(&mut self, lead: &str, index: Option<u64>, sent: SequenceNumber) -> RowCheck {
        let is_it = |one: &DeletedLead| *one.lead == *lead && one.concerns(sent);
        let Some(at) = self.leads.iter().position(is_it) else {
            return RowCheck::Other;
        };
        let Some(index) = index.filter(|_| self.leads[at].index().is_none()) else {
            return RowCheck::Deleted;
        };
        let found = self.leads.remove(at);
        self.insert(found, index);
        RowCheck::News
    }

    /// Whether a row must be hidden: a read sent at this event may contain the deleted lead.
    pub fn hides(&self, lead: &str, sent: SequenceNumber) -> bool {
        let mut leads = self.leads.iter();
        leads.any(|one| *one.lead == *lead && one.concerns(sent))
    }

    /// Counts the deleted leads of the shown list that a read sent at this event may contain.
    pub fn count_listed(&self, sent: SequenceNumber) -> u64 {
        let leads = self.leads.iter().filter(|one| one.is_listed());
        leads.filter(|one| one.concerns(sent)).count() as u64
    }

    /// Counts those before the row at an index, as far as their position is known, and not directly before it.
    pub fn count_before(&self, index: u64, sent: SequenceNumber) -> u64 {
        let before =
            |one: &&DeletedLead| matches!(one.position, DeletedPosition::At(at) if at < index);
        let leads = self.leads.iter().filter(before);
        leads.filter(|one| one.concerns(sent)).count() as u64
    }

    /// Returns the statuses of the deleted leads that a read sent at this event may count.
    /// `only_listed`: of those in the shown list.
    pub fn counted(
        &self,
        sent: SequenceNumber,
        only_listed: bool,
    ) -> impl Iterator<Item = &ApprovalStatus> {
        let counted = self
            .leads
            .iter()
            .filter(move |one| one.concerns(sent) && (one.is_listed() || !only_listed));
        counted.map(|one| &one.status)
    }
}

/// Result of checking a row of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowCheck {
    /// Not a deleted lead.
    Other,
    /// A deleted lead whose position was known, or is not certain.
    Deleted,
    /// A deleted lead that was not located before. The index of each row after it that was already
    /// read is one too high.
    News,
}
