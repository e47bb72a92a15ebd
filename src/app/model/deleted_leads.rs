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
    /// Whether a page was read while the request was in flight, so that the pages after it may begin one row early or late.
    is_doubtful: bool,
}

impl DeletedLead {
    /// Returns the index of the row directly after it, if its position is known.
    fn index(&self) -> Option<u64> {
        match self.position {
            DeletedPosition::At(index) => Some(index),
            _ => None,
        }
    }

    /// Returns the position; [`Listed`](DeletedPosition::Listed) if the pages after it may begin at another row.
    fn final_position(&self) -> DeletedPosition {
        match self.position {
            DeletedPosition::At(_) if self.is_doubtful => DeletedPosition::Listed,
            position => position,
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
    /// Those with a known position are in the order of the list. Several may be before the same row.
    leads: Vec<DeletedLead>,
    /// How often a deletion was made, sent, done or called off, or the list was changed.
    changes: u64,
}

impl Deleted {
    /// Takes a lead off the screen. `position` is [`At`](DeletedPosition::At) its index if the row is where the current query
    /// has it, otherwise [`unlocated`].
    pub fn hold(&mut self, lead: Arc<str>, status: ApprovalStatus, position: DeletedPosition) {
        self.changes += 1;
        self.leads.retain(|one| one.lead != lead);
        self.insert(DeletedLead {
            lead,
            status,
            position,
            stage: DeletionPhase::Held,
            is_doubtful: false,
        });
    }

    /// Inserts a lead. The indexes of those after it still count it as a row.
    fn insert(&mut self, lead: DeletedLead) {
        let Some(index) = lead.index() else {
            self.leads.push(lead);
            return;
        };
        let is_before = |one: &DeletedLead| one.index().is_some_and(|at| at <= index);
        let last = self.leads.iter().rposition(is_before);
        let at = last.map_or(0, |last| last + 1);
        self.shift(at, -1);
        self.leads.insert(at, lead);
    }

    /// Shifts the indexes of leads, from one of them on.
    fn shift(&mut self, from: usize, by: i64) {
        for one in &mut self.leads[from..] {
            if let DeletedPosition::At(at) = &mut one.position {
                *at = at.saturating_add_signed(by);
            }
        }
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

    /// Returns how often something changed here. If this changes during a read, the read may contain a deleted lead, or lack
    /// one.
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
            one.final_position()
        })
    }

    /// Drops a deletion that was called off or failed. Returns where the lead belongs in the list
    /// on the screen.
    pub fn remove(&mut self, lead: &str) -> DeletedPosition {
        let Some(at) = self.leads.iter().position(|one| *one.lead == *lead) else {
            return DeletedPosition::Out;
        };
        self.changes += 1;
        let lead = self.leads.remove(at);
        if lead.index().is_some() {
            self.shift(at, 1);
        }
        lead.final_position()
    }

    /// Updates the positions when another list is shown, or the same one is reloaded.
    pub fn list_changed(&mut self, before: Option<&LeadsView>, view: &LeadsView) {
        let same = before.is_some_and(|before| {
            let of = |view: &LeadsView| (view.tab, view.table.term());
            of(before) == of(view) && before.filters == view.filters
        });
        self.changes += 1;
        for one in &mut self.leads {
            one.is_doubtful = false;
            one.position = match unlocated(&one.status, view) {
                DeletedPosition::Perhaps if same && one.is_listed() => DeletedPosition::Listed,
                DeletedPosition::Perhaps if same => one.position,
                position => position,
            };
        }
    }

    /// A page was read: the server may have deleted the leads of requests in flight before or after. The list is read again
    /// when these are done.
    pub fn page_placed(&mut self) {
        for one in &mut self.leads {
            one.is_doubtful |= one.stage == DeletionPhase::Leaving;
        }
    }

    /// Checks a row of a read that was sent at this event. A deleted lead found by this gets the
    /// position before the row at `index`. `None`: the read is outdated, so the lead is not located.
    pub fn check_row(&mut self, lead: &str, index: Option<u64>, sent: SequenceNumber) -> RowCheck {
        let is_it = |one: &DeletedLead| *one.lead == *lead && one.concerns(sent);
        let Some(at) = self.leads.iter().position(is_it) else {
            return RowCheck::Other;
        };
        let (None, Some(index)) = (self.leads[at].index(), index) else {
            return RowCheck::Deleted;
        };
        let mut found = self.leads.remove(at);
        found.position = DeletedPosition::At(index);
        self.insert(found);
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

    /// Counts those with a known position before the row at an index. A read that starts at this row meets those directly
    /// before it, and drops them.
    pub fn count_before(&self, index: u64, sent: SequenceNumber) -> u64 {
        let before = |one: &&DeletedLead| one.index().is_some_and(|at| at < index);
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

/// Returns the position of a lead in a list that was not read since the lead was deleted.
pub fn unlocated(status: &ApprovalStatus, view: &LeadsView) -> DeletedPosition {
    match view.tab.holds(status) {
        false => DeletedPosition::Out,
        true if view.is_whole() => DeletedPosition::Listed,
        true => DeletedPosition::Perhaps,
    }
}

/// Result of checking a row of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowCheck {
    /// Not a deleted lead.
    Other,
    /// A deleted lead that was located before, or in an outdated read.
    Deleted,
    /// A deleted lead that was not located before. The index of each row after it that was already
    /// read is one too high.
    News,
}
