//! Decisions of this reviewer that the stream has not repeated yet. Their events say nothing new.
//!
//! An event has the statuses that leads have when it is written, so it may already have a later decision.

use std::collections::BTreeMap;
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

/// Maximum number of decisions. The oldest half is dropped when there are more: an event of one of those marks the lead as
/// decided by someone else.
const MAX: usize = 20_000;

/// An event that has not arrived after this many milliseconds does not arrive any more: it had a later status.
const EVENT_LASTS_MS: u64 = 60_000;

#[derive(Clone, Debug)]
struct OwnDecision {
    to: NewApprovalStatus,
    is_saved: bool,
    /// Whether its event has arrived, so that only the report that it was saved is awaited.
    has_event: bool,
    /// When it was added, in milliseconds since 1970.
    at: u64,
    number: u64,
}

/// The decisions by lead, the latest last.
#[derive(Clone, Debug, Default)]
pub struct OwnDecisions {
    leads: BTreeMap<Arc<str>, Vec<OwnDecision>>,
    last_number: u64,
}

/// Whether an event repeats a decision of this reviewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Echo {
    None,
    /// The last one.
    Latest,
    /// One that was followed by another.
    Older,
}

impl OwnDecisions {
    /// Adds a decision. `is_saved`: the server has it; otherwise it is on its way from another tab.
    pub fn add(&mut self, lead: &Arc<str>, to: NewApprovalStatus, is_saved: bool, now: u64) {
        self.drop_old(lead, now);
        let known = self.leads.entry(Arc::clone(lead)).or_default();
        let with_event = |one: &OwnDecision| one.has_event && one.to == to;
        if is_saved && let Some(at) = known.iter().position(with_event) {
            known.remove(at);
            self.drop_empty(lead);
            return;
        }
        let announced = |one: &&mut OwnDecision| one.to == to && !one.is_saved && !one.has_event;
        match known.iter_mut().find(announced) {
            Some(one) => one.is_saved = is_saved,
            None => self.push(lead, to, is_saved, false, now),
        }
    }

    /// Records that the event of a decision arrived while the decision was on its way.
    pub fn event_arrived(&mut self, lead: &str, to: NewApprovalStatus, at: u64) {
        self.push(&lead.into(), to, false, true, at);
    }

    fn push(
        &mut self,
        lead: &Arc<str>,
        to: NewApprovalStatus,
        is_saved: bool,
        has_event: bool,
        at: u64,
    ) {
        self.last_number += 1;
        let number = self.last_number;
        let decision = OwnDecision {
            to,
            is_saved,
            has_event,
            at,
            number,
        };
        let known = self.leads.entry(Arc::clone(lead)).or_default();
        known.push(decision);
        if self.leads.len() > MAX {
            let oldest = number - MAX as u64 / 2;
            self.keep(|_, one| one.number > oldest);
        }
    }

    /// Whether the event of a decision on this lead arrived before the report that it was saved.
    pub fn has_event(&self, lead: &str) -> bool {
        let known = self.leads.get(lead);
        known.is_some_and(|known| known.iter().any(|one| one.has_event))
    }

    /// Whether the event of a decision on this lead is awaited.
    pub fn awaits_event(&self, lead: &str) -> bool {
        let known = self.leads.get(lead);
        known.is_some_and(|known| known.iter().any(|one| !one.has_event))
    }

    /// Takes the status of an event that happened at `at`. Decisions up to the repeated one are not awaited any more.
    pub fn take(&mut self, lead: &str, status: &ApprovalStatus, at: u64) -> Echo {
        self.drop_old(lead, at);
        let Some(known) = self.leads.get_mut(lead) else {
            return Echo::None;
        };
        let is = |one: &OwnDecision| !one.has_event && ApprovalStatus::from(one.to) == *status;
        let Some(at) = known.iter().rposition(is) else {
            return Echo::None;
        };
        known[at].has_event = true;
        let mut index = 0;
        known.retain(|one| {
            // Of those that were not reported as saved, the report is still to come.
            let stays = index > at || one.has_event && !one.is_saved;
            index += 1;
            stays
        });
        let echo = match known.iter().any(|one| !one.has_event) {
            true => Echo::Older,
            false => Echo::Latest,
        };
        self.drop_empty(lead);
        echo
    }

    /// Drops decisions with a status, at most `count`, because an event that does not name its leads covers them. Returns
    /// how many there were.
    pub fn drop_many(&mut self, status: &ApprovalStatus, count: u64) -> u64 {
        let mut dropped = 0;
        self.keep(|dropped_so_far, one| {
            let is_covered =
                dropped_so_far < count && !one.has_event && ApprovalStatus::from(one.to) == *status;
            dropped += u64::from(is_covered);
            !is_covered
        });
        dropped
    }

    /// Keeps what `keeps` returns `true` for. It gets how many were dropped so far.
    fn keep(&mut self, mut keeps: impl FnMut(u64, &OwnDecision) -> bool) {
        let mut dropped = 0;
        self.leads.retain(|_, known| {
            known.retain(|one| {
                let stays = keeps(dropped, one);
                dropped += u64::from(!stays);
                stays
            });
            !known.is_empty()
        });
    }

    /// Drops decisions on a lead whose event does not arrive any more.
    fn drop_old(&mut self, lead: &str, now: u64) {
        if let Some(known) = self.leads.get_mut(lead) {
            known.retain(|one| now <= one.at.saturating_add(EVENT_LASTS_MS));
            self.drop_empty(lead);
        }
    }

    fn drop_empty(&mut self, lead: &str) {
        if self.leads.get(lead).is_some_and(Vec::is_empty) {
            self.leads.remove(lead);
        }
    }
}
