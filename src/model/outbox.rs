//! The outbox: every decision on its way to the server, by lead. Pure: what to send comes out, what
//! became of it goes in, and nothing here knows a clock or a network.
//!
//! The rules: the latest decision on a lead wins; a lead is never in two requests at once; leads that
//! want the same status share a request; whatever is not certain stays visible until it is; and what
//! a read says of a lead counts only if the read left after the last write of that lead ended.

use std::collections::BTreeMap;
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

pub mod entry;
pub mod kept;

use self::entry::{Entry, Failure, Phase};

/// Leads in one request at the most.
pub const CHUNK: usize = 100;
/// Requests under way at once.
pub const IN_FLIGHT: usize = 2;

/// A point in the order of events, which only grows. Reads carry the one at which they left.
pub type Event = u64;

/// A request to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flight {
    /// Tells it from others when it ends.
    pub number: u64,
    /// The status for all of its leads.
    pub to: NewApprovalStatus,
    /// The leads: one is for `PATCH /api/leads/{lead_id}`, several are for `PATCH /api/leads`.
    pub leads: Vec<Arc<str>>,
}

/// How a request ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The server did it for all of its leads.
    Done,
    /// The server did it for fewer leads than were sent, or refused all for the sake of some: each
    /// is sent alone to find out which.
    Split,
    /// It was not done, and will be sent again by itself.
    Later,
    /// It was not done, or nobody knows: the failure says which.
    Failed(Failure),
}

/// The outbox.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    entries: BTreeMap<Arc<str>, Entry>,
    flights: Vec<Flight>,
    events: Event,
    flights_ever: u64,
}

impl Outbox {
    /// A person decides on leads, of which the screen shows these statuses now.
    pub fn decide(
        &mut self,
        leads: impl IntoIterator<Item = (Arc<str>, ApprovalStatus)>,
        to: NewApprovalStatus,
    ) {
        let now = self.tick();
        for (lead, shown) in leads {
            let entry = self
                .entries
                .entry(lead)
                .or_insert_with(|| Entry::new(shown));
            entry.decide(to, now);
        }
    }

    /// The next request, while fewer than [`IN_FLIGHT`] are under way. It must come back through
    /// [`ended`](Self::ended).
    pub fn take(&mut self) -> Option<Flight> {
        if self.flights.len() >= IN_FLIGHT {
            return None;
        }
        let waiting = |(_, entry): &(&Arc<str>, &Entry)| entry.may_leave();
        let oldest = self
            .entries
            .iter()
            .filter(waiting)
            .min_by_key(|(_, entry)| entry.since());
        let (lead, entry) = oldest?;
        let (to, alone) = (entry.wanted()?, entry.goes_alone());
        let leads = if alone {
            vec![Arc::clone(lead)]
        } else {
            let alike = |(_, entry): &(&Arc<str>, &Entry)| {
                entry.may_leave() && !entry.goes_alone() && entry.wanted() == Some(to)
            };
            let mut alike: Vec<_> = self.entries.iter().filter(alike).collect();
            // By lead where they were decided together.
            alike.sort_unstable_by_key(|(lead, entry)| (entry.since(), Arc::clone(lead)));
            let leads = alike.into_iter().map(|(lead, _)| Arc::clone(lead));
            leads.take(CHUNK).collect()
        };
        self.flights_ever += 1;
        let flight = Flight {
            number: self.flights_ever,
            to,
            leads,
        };
        for lead in &flight.leads {
            if let Some(entry) = self.entries.get_mut(lead) {
                entry.sent(to);
            }
        }
        self.flights.push(flight.clone());
        Some(flight)
    }

    /// A request ended. Gives the leads whose screen must change.
    pub fn ended(&mut self, number: u64, end: &End) -> Vec<Arc<str>> {
        let Some(place) = self.flights.iter().position(|one| one.number == number) else {
            return Vec::new();
        };
        let flight = self.flights.swap_remove(place);
        let now = self.tick();
        for lead in &flight.leads {
            let Some(entry) = self.entries.get_mut(lead) else {
                continue;
            };
            match end {
                End::Done => entry.done(flight.to, now),
                End::Split if flight.leads.len() > 1 => entry.split(now),
                // One lead cannot be split: a count of none means that it is not there.
                End::Split => entry.failed(gone(), now),
                End::Later => entry.later(now),
                End::Failed(failure) => entry.failed(failure.clone(), now),
            }
        }
        flight.leads
    }

    /// Sends again what failed or is uncertain: these leads, or all.
    pub fn retry(&mut self, leads: Option<&[Arc<str>]>) {
        let now = self.tick();
        self.each(leads, |entry| entry.retry(now));
    }

    /// Gives up what failed or is uncertain. Where the server may have done it, the status that was
    /// there before is sent.
    pub fn revert(&mut self, leads: Option<&[Arc<str>]>) {
        let now = self.tick();
        self.each(leads, |entry| entry.revert(now));
    }

    /// Keeps leads that wait from being sent, or lets them go. What is decided on them anew is sent.
    pub fn hold(&mut self, leads: &[Arc<str>], held: bool) {
        self.each(Some(leads), |entry| entry.hold(held));
    }

    /// Calls off what has not left. Where the server may have done it already, the status that was
    /// there before is sent.
    pub fn take_back(&mut self, leads: &[Arc<str>]) {
        let now = self.tick();
        self.each(Some(leads), |entry| entry.take_back(now));
    }

    fn each(&mut self, leads: Option<&[Arc<str>]>, mut change: impl FnMut(&mut Entry)) {
        match leads {
            None => self.entries.values_mut().for_each(change),
            Some(leads) => {
                for lead in leads {
                    if let Some(entry) = self.entries.get_mut(lead) {
                        change(entry);
                    }
                }
            }
        }
    }

    /// A read is about to leave: it must carry this to [`arrived`](Self::arrived).
    pub fn reading(&mut self) -> Event {
        self.tick()
    }

    /// A read that left at `sent` says which status a lead has. Gives the status to show.
    pub fn arrived(&mut self, lead: &str, status: ApprovalStatus, sent: Event) -> ApprovalStatus {
        let Some(entry) = self.entries.get_mut(lead) else {
            return status;
        };
        entry.arrived(status, sent);
        entry.shown()
    }

    /// Another tab says that the server confirmed a status. Reads that left before are older news.
    pub fn heard(&mut self, lead: &str, status: ApprovalStatus) {
        let now = self.tick();
        if let Some(entry) = self.entries.get_mut(lead) {
            entry.heard(status, now);
            return;
        }
        let mut entry = Entry::new(status.clone());
        entry.heard(status, now);
        self.entries.insert(Arc::from(lead), entry);
    }

    /// What the server said last of a lead that was decided here.
    pub fn known(&self, lead: &str) -> Option<&ApprovalStatus> {
        self.entries.get(lead).map(Entry::known)
    }

    /// Whether a lead waits until somebody says to go on.
    pub fn is_held(&self, lead: &str) -> bool {
        self.entries.get(lead).is_some_and(Entry::is_held)
    }

    /// The leads whose decisions failed for want of a key.
    pub fn wants_key(&self) -> Vec<Arc<str>> {
        let waits = |entry: &Entry| {
            entry
                .failure()
                .is_some_and(|(failure, _)| failure.wants_key)
        };
        let entries = self.entries.iter().filter(|(_, entry)| waits(entry));
        entries.map(|(lead, _)| Arc::clone(lead)).collect()
    }

    /// The leads in a phase.
    pub fn leads_in(&self, phase: Phase) -> Vec<Arc<str>> {
        let entries = self.entries.iter();
        let found = entries.filter(|(_, entry)| entry.phase() == phase);
        found.map(|(lead, _)| Arc::clone(lead)).collect()
    }

    /// The status to show of a lead that was decided here.
    pub fn shown(&self, lead: &str) -> Option<ApprovalStatus> {
        self.entries.get(lead).map(Entry::shown)
    }

    /// How far the decision on a lead is.
    pub fn phase(&self, lead: &str) -> Phase {
        self.entries.get(lead).map_or(Phase::Idle, Entry::phase)
    }

    /// Why the decision on a lead failed or is uncertain, and what was wanted.
    pub fn failure(&self, lead: &str) -> Option<(&Failure, NewApprovalStatus)> {
        self.entries.get(lead)?.failure()
    }

    /// How many leads are in each phase.
    pub fn count(&self, phase: Phase) -> usize {
        let entries = self.entries.values();
        entries.filter(|entry| entry.phase() == phase).count()
    }

    /// Whether nothing is queued, on its way, failed or uncertain.
    pub fn is_settled(&self) -> bool {
        self.entries.values().all(Entry::is_settled)
    }

    fn tick(&mut self) -> Event {
        self.events += 1;
        self.events
    }
}

fn gone() -> Failure {
    Failure {
        reason: "The lead is not there any more".into(),
        ambiguous: false,
        wants_key: false,
    }
}
