//! The outbox: all decisions on their way to the server, by lead. Pure: requests to send are
//! returned, their outcomes are passed in, and there is no clock or network.
//!
//! Rules: the latest decision on a lead wins. A lead is never in two requests at once. Leads with
//! the same target status share a request. An uncertain outcome stays visible until it is certain.
//! The status that a read returns counts only if the read was sent after the last write of that
//! lead ended.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use self::entry::{Entry, Failure, Phase};
pub use self::results::{Saved, SendResult};
use self::split::{Parts, Stand};

pub mod entry;
pub mod persist;
mod results;
mod split;

/// Maximum number of leads in a request.
pub const CHUNK: usize = 100;
/// Maximum number of requests in flight.
pub const IN_FLIGHT: usize = 2;
/// Position in the sequence of events, which only grows. A read has the event at which it was sent.
pub type Event = u64;

/// A request to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendRequest {
    /// Unique number, used to report the outcome.
    pub number: u64,
    /// Target status of all its leads.
    pub to: NewApprovalStatus,
    /// One lead is sent with `PATCH /api/leads/{lead_id}`, several with `PATCH /api/leads`.
    pub leads: Vec<Arc<str>>,
    /// If this is a part of an earlier request: the index of its tally in [`Parts`].
    part_of: Option<usize>,
}

#[derive(Clone, Debug, Default)]
pub struct Outbox {
    entries: BTreeMap<Arc<str>, Entry>,
    /// Waiting leads by target status, oldest first. Outdated items are dropped when they get to
    /// the front.
    queues: [VecDeque<(Event, Arc<str>)>; NewApprovalStatus::ALL.len()],
    /// Requests that are sent again in parts. They are sent before all others.
    parts: Parts,
    /// Number of leads in each phase.
    counts: [usize; Phase::ALL],
    flights: Vec<SendRequest>,
    events: Event,
    flights_ever: u64,
    /// Number of failures in a row without a response. Requests that were in flight together count
    /// once.
    unanswered: u32,
    /// Number of the latest request in flight at the last of these failures.
    counted: u64,
    clock: u64,
    /// Leads that changed since the last call of `news`.
    news: Vec<Arc<str>>,
}

impl Outbox {
    /// Sets the current time, in milliseconds since 1970.
    pub fn set_clock(&mut self, at: u64) {
        self.clock = at;
    }

    /// Records the user's decision on leads, each with the status that the screen shows now.
    pub fn decide(
        &mut self,
        leads: impl IntoIterator<Item = (Arc<str>, ApprovalStatus)>,
        to: NewApprovalStatus,
    ) {
        let (now, at) = (self.tick(), self.clock);
        for (lead, shown) in leads {
            self.have(&lead, shown);
            self.change(&lead, &mut |entry| entry.decide(to, now, at));
        }
    }

    /// Returns the next request, unless [`IN_FLIGHT`] requests are in flight. Its outcome must be
    /// passed to [`ended`](Self::ended).
    pub fn take(&mut self) -> Option<SendRequest> {
        if self.flights.len() >= IN_FLIGHT {
            return None;
        }
        let entries = &self.entries;
        let part = self.parts.take(|lead, to| match entries.get(lead) {
            Some(entry)
                if entry.is_in_part() && entry.is_waiting() && entry.wanted() == Some(to) =>
            {
                if entry.may_leave() {
                    Stand::Ready
                } else {
                    Stand::Held
                }
            }
            _ => Stand::Elsewhere,
        });
        if let Some((to, leads, part_of)) = part {
            return Some(self.fly(to, leads, part_of));
        }
        for of in 0..self.queues.len() {
            self.skip(of);
        }
        let fronts = self.queues.iter().enumerate();
        let fronts = fronts.filter_map(|(of, queue)| Some((queue.front()?, of)));
        let (_, of) = fronts.min()?;
        let mut leads = Vec::new();
        while leads.len() < CHUNK
            && let Some((_, lead)) = self.queues[of].pop_front()
        {
            leads.push(lead);
            self.skip(of);
        }
        let to = self.wanted(leads.first()?)?;
        Some(self.fly(to, leads, None))
    }

    /// Creates a request and marks its leads as sent.
    fn fly(
        &mut self,
        to: NewApprovalStatus,
        leads: Vec<Arc<str>>,
        part_of: Option<usize>,
    ) -> SendRequest {
        self.flights_ever += 1;
        let flight = SendRequest {
            number: self.flights_ever,
            to,
            leads,
            part_of,
        };
        for lead in &flight.leads {
            self.change(lead, &mut |entry| entry.sent(to));
        }
        self.flights.push(flight.clone());
        flight
    }

    /// Drops outdated items from the front of a queue.
    fn skip(&mut self, of: usize) {
        while let Some((since, lead)) = self.queues[of].front() {
            let waits = |entry: &Entry| queue(entry) == Some(of) && entry.since() == *since;
            if self.entries.get(lead).is_some_and(waits) {
                return;
            }
            self.queues[of].pop_front();
        }
    }

    /// Adds an entry for a lead, unless there is one.
    fn have(&mut self, lead: &Arc<str>, known: ApprovalStatus) {
        if !self.entries.contains_key(lead) {
            let entry = Entry::new(Arc::clone(lead), known);
            self.counts[entry.phase() as usize] += 1;
            self.entries.insert(Arc::clone(lead), entry);
        }
    }

    /// Changes the entry of a lead and updates counts, news and queues.
    fn change(&mut self, lead: &str, act: &mut dyn FnMut(&mut Entry)) {
        let Some(entry) = self.entries.get_mut(lead) else {
            return;
        };
        let before = entry.mark();
        act(entry);
        let after = entry.mark();
        if after == before {
            return;
        }
        self.counts[before.0 as usize] -= 1;
        self.counts[after.0 as usize] += 1;
        self.news.push(Arc::clone(entry.lead()));
        if let Some(of) = queue(entry) {
            let place = (entry.since(), Arc::clone(entry.lead()));
            if let Err(at) = self.queues[of].binary_search(&place) {
                self.queues[of].insert(at, place);
            }
        }
    }

    /// Returns the leads that changed since the last call, some more than once.
    pub fn news(&mut self) -> Vec<Arc<str>> {
        std::mem::take(&mut self.news)
    }

    pub fn has_news(&self) -> bool {
        !self.news.is_empty()
    }

    /// Sends decisions again that failed or are uncertain: of these leads, or of all.
    pub fn retry(&mut self, leads: Option<&[Arc<str>]>) {
        let now = self.tick();
        self.each(leads, &mut |entry| entry.retry(now));
    }

    /// Gives up decisions that failed, are uncertain or are retried automatically. If the server
    /// may have applied one, the previous status is sent.
    pub fn revert(&mut self, leads: Option<&[Arc<str>]>) {
        let now = self.tick();
        self.each(leads, &mut |entry| entry.revert(now));
    }

    /// Holds waiting leads back, or releases them. A new decision on a held lead is sent.
    pub fn hold(&mut self, leads: &[Arc<str>], held: bool) {
        self.each(Some(leads), &mut |entry| entry.hold(held));
    }

    /// Cancels decisions that were not sent yet, or are retried automatically. If the server may
    /// have applied one, the previous status is sent.
    pub fn take_back(&mut self, leads: &[Arc<str>]) {
        let now = self.tick();
        self.each(Some(leads), &mut |entry| entry.take_back(now));
    }

    fn each(&mut self, leads: Option<&[Arc<str>]>, change: &mut dyn FnMut(&mut Entry)) {
        let all: Vec<Arc<str>>;
        let leads = match leads {
            Some(leads) => leads,
            None => {
                all = self.entries.keys().cloned().collect();
                &all
            }
        };
        for lead in leads {
            self.change(lead, change);
        }
    }

    /// Registers a read that is about to be sent. Pass the event to [`arrived`](Self::arrived).
    pub fn reading(&mut self) -> Event {
        self.tick()
    }

    /// Records the status of a lead from a read that was sent at `sent`. Returns the status to
    /// show.
    pub fn arrived(&mut self, lead: &str, status: ApprovalStatus, sent: Event) -> ApprovalStatus {
        if self.entries.contains_key(lead) {
            self.change(lead, &mut |entry| entry.arrived(status.clone(), sent));
        }
        self.shown(lead).unwrap_or(status)
    }

    /// Records a status that another tab reports as confirmed. Reads that were sent before are
    /// outdated.
    pub fn heard(&mut self, lead: &str, status: ApprovalStatus) {
        let now = self.tick();
        self.have(&Arc::from(lead), status.clone());
        self.change(lead, &mut |entry| entry.heard(status.clone(), now));
    }

    /// Returns the server's last known status of a lead that was decided here.
    pub fn known(&self, lead: &str) -> Option<&ApprovalStatus> {
        self.entries.get(lead).map(Entry::known)
    }

    /// Returns the wanted status of a lead; `None` if the server has it.
    pub fn wanted(&self, lead: &str) -> Option<NewApprovalStatus> {
        self.entries.get(lead)?.wanted()
    }

    /// Returns the event of the last decision on a lead.
    pub fn decided(&self, lead: &str) -> Option<Event> {
        self.entries.get(lead).map(Entry::decided)
    }

    /// Whether a lead is held back until the user continues.
    pub fn is_held(&self, lead: &str) -> bool {
        self.entries.get(lead).is_some_and(Entry::is_held)
    }

    /// Returns the leads whose decisions failed because they need another key.
    pub fn wants_key(&self) -> Vec<Arc<str>> {
        let waits = |entry: &Entry| {
            entry
                .failure()
                .is_some_and(|(failure, _)| failure.wants_key)
        };
        let entries = self.entries.iter().filter(|(_, entry)| waits(entry));
        entries.map(|(lead, _)| Arc::clone(lead)).collect()
    }

    pub fn leads_in(&self, phase: Phase) -> Vec<Arc<str>> {
        let entries = self.entries.iter();
        let found = entries.filter(|(_, entry)| entry.phase() == phase);
        found.map(|(lead, _)| Arc::clone(lead)).collect()
    }

    /// Returns the status to show of a lead that was decided here.
    pub fn shown(&self, lead: &str) -> Option<ApprovalStatus> {
        self.entries.get(lead).map(Entry::shown)
    }

    pub fn phase(&self, lead: &str) -> Phase {
        self.entries.get(lead).map_or(Phase::Idle, Entry::phase)
    }

    /// Returns why the decision on a lead failed or is uncertain, and its target status.
    pub fn failure(&self, lead: &str) -> Option<(&Failure, NewApprovalStatus)> {
        self.entries.get(lead)?.failure()
    }

    pub fn count(&self, phase: Phase) -> usize {
        self.counts[phase as usize]
    }

    /// Returns the number of leads that wait, are in flight or are retried.
    pub fn open(&self) -> usize {
        self.count(Phase::Queued) + self.count(Phase::Sent) + self.count(Phase::Retrying)
    }

    /// Whether nothing is queued, in flight, failed or uncertain.
    pub fn is_settled(&self) -> bool {
        self.count(Phase::Idle) + self.count(Phase::Confirmed) == self.entries.len()
    }

    fn tick(&mut self) -> Event {
        self.events += 1;
        self.events
    }
}

/// Returns the queue that an entry waits in, if any.
fn queue(entry: &Entry) -> Option<usize> {
    let waits = entry.may_leave() && !entry.is_in_part();
    entry
        .wanted()
        .filter(|_| waits)
        .map(|wanted| wanted as usize)
}
