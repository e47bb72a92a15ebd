//! Leads that somebody deleted: off the screen at once, and on the server until their request was answered. A list
//! that is read meanwhile has them, and counts them. Pure.

use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;

use super::outbox::Event;
use super::tab::Tab;
use super::view::LeadsView;

/// Where a deleted lead is in the list that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Not in it.
    Out,
    /// Perhaps in it: the list is filtered, and the lead was not seen.
    Perhaps,
    /// In it, and nobody knows where.
    Listed,
    /// In it, right before the row that stands at this index now.
    At(u64),
}

/// How far the request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Held,
    Leaving,
    /// Answered. Reads that left later are right without us.
    Done(Event),
}

#[derive(Clone, Debug)]
struct One {
    lead: Arc<str>,
    status: ApprovalStatus,
    place: Place,
    stage: Stage,
}

impl One {
    /// Whether a read that left then may have the lead.
    fn concerns(&self, sent: Event) -> bool {
        !matches!(self.stage, Stage::Done(at) if at < sent)
    }
}

/// The leads that somebody deleted.
#[derive(Clone, Debug, Default)]
pub struct Deleted {
    leads: Vec<One>,
}

impl Deleted {
    /// A lead is taken off the screen. It stood at this index of the list.
    pub fn hold(&mut self, lead: Arc<str>, status: ApprovalStatus, index: u64) {
        self.leads.retain(|one| one.lead != lead);
        for one in &mut self.leads {
            if let Place::At(at) = &mut one.place
                && *at > index
            {
                *at -= 1;
            }
        }
        self.leads.push(One {
            lead,
            status,
            place: Place::At(index),
            stage: Stage::Held,
        });
    }

    fn get_mut(&mut self, lead: &str) -> Option<&mut One> {
        self.leads.iter_mut().find(|one| *one.lead == *lead)
    }

    /// The request leaves.
    pub fn leave(&mut self, lead: &str) {
        if let Some(one) = self.get_mut(lead) {
            one.stage = Stage::Leaving;
        }
    }

    /// Whether a request is on its way, so that nobody can tell what a read will have.
    pub fn is_leaving(&self) -> bool {
        self.leads.iter().any(|one| one.stage == Stage::Leaving)
    }

    /// The server deleted it. Gives where the lead would be in the list that is shown.
    pub fn done(&mut self, lead: &str, now: Event) -> Place {
        self.get_mut(lead).map_or(Place::Out, |one| {
            one.stage = Stage::Done(now);
            one.place
        })
    }

    /// It was called off, or failed. Gives where the lead belongs in the list that is shown.
    pub fn back(&mut self, lead: &str) -> Place {
        let Some(at) = self.leads.iter().position(|one| *one.lead == *lead) else {
            return Place::Out;
        };
        let place = self.leads.remove(at).place;
        if let Place::At(index) = place {
            for one in &mut self.leads {
                if let Place::At(at) = &mut one.place
                    && *at >= index
                {
                    *at += 1;
                }
            }
        }
        place
    }

    /// Another list is shown, or the same one is read anew.
    pub fn ask(&mut self, before: Option<&LeadsView>, view: &LeadsView) {
        let same = before.is_some_and(|before| {
            let of = |view: &LeadsView| (view.tab, view.table.term());
            of(before) == of(view) && before.filters == view.filters
        });
        for one in &mut self.leads {
            let fits = view.tab.holds(&one.status);
            one.place = match one.place {
                _ if !fits => Place::Out,
                _ if view.is_whole() => Place::Listed,
                Place::At(_) | Place::Listed if same => Place::Listed,
                Place::Out if same => Place::Out,
                _ => Place::Perhaps,
            };
        }
    }

    /// A read of the list that left then has a row: whether it is a deleted lead, which would stand before
    /// the row at this index.
    pub fn met(&mut self, lead: &str, index: u64, sent: Event) -> Met {
        match self.get_mut(lead).filter(|one| one.concerns(sent)) {
            None => Met::Other,
            Some(one) if matches!(one.place, Place::At(_)) => Met::Deleted,
            Some(one) => {
                one.place = Place::At(index);
                Met::News
            }
        }
    }

    /// Whether a read that left then may have the lead, which is not to be shown.
    pub fn hides(&self, lead: &str, sent: Event) -> bool {
        let mut leads = self.leads.iter();
        leads.any(|one| *one.lead == *lead && one.concerns(sent))
    }

    /// How many leads of the list that is shown a read that left then has too many.
    pub fn listed(&self, sent: Event) -> u64 {
        let listed = |one: &&One| matches!(one.place, Place::Listed | Place::At(_));
        let leads = self.leads.iter().filter(listed);
        leads.filter(|one| one.concerns(sent)).count() as u64
    }

    /// How many of them stand before the row at an index, as far as is known.
    pub fn before(&self, index: u64, sent: Event) -> u64 {
        let before = |one: &&One| matches!(one.place, Place::At(at) if at <= index);
        let leads = self.leads.iter().filter(before);
        leads.filter(|one| one.concerns(sent)).count() as u64
    }

    /// How many leads of a tab a read that left then has too many.
    pub fn in_tab(&self, tab: Tab, sent: Event) -> u64 {
        let leads = self.leads.iter().filter(|one| tab.holds(&one.status));
        leads.filter(|one| one.concerns(sent)).count() as u64
    }
}

/// What a row of a read is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// No deleted lead.
    Other,
    /// A deleted lead, where it was known to be.
    Deleted,
    /// A deleted lead, found just now: rows behind it that were read before stand one too far.
    News,
}
