//! The outbox: every decision on its way to the server, by lead. Pure: what to send comes out, what
//! became of it goes in, and nothing here knows a clock or a network.
//!
//! The rules: the latest decision on a lead wins; a lead is never in two requests at once; leads that
//! want the same status share a request; whatever is not certain stays visible until it is; and what
//! a read says of a lead counts only if the read left after the last write of that lead ended.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

mod ended;
pub mod entry;
pub mod kept;
mod parts;

pub use self::ended::{End, Saved};
use self::entry::{Entry, Failure, Phase};
use self::parts::{Parts, Stand};

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
    /// Which request it is a part of, if any.
    part_of: Option<usize>,
}

/// The outbox.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    entries: BTreeMap<Arc<str>, Entry>,
    /// The leads that wait, by what they want; the oldest first. One that does not wait there any more is
    /// dropped when it is met.
    queues: [VecDeque<(Event, Arc<str>)>; NewApprovalStatus::ALL.len()],
    /// Those that are sent again in parts, before all others.
    parts: Parts,
    /// How many leads are in each phase.
    counts: [usize; Phase::ALL],
    flights: Vec<Flight>,
    events: Event,
    flights_ever: u64,
    /// How often in a row no answer came. Requests that were under way together count once.
    unanswered: u32,
    /// The last request that was under way then.
    counted: u64,
    clock: u64,
    /// The leads that there is news of.
    news: Vec<Arc<str>>,
}

impl Outbox {
    /// It is so late, in milliseconds since 1970.
    pub fn set_clock(&mut self, at: u64) {
        self.clock = at;
    }

    /// A person decides on leads, of which the screen shows these statuses now.
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

    /// The next request, while fewer than [`IN_FLIGHT`] are under way. It must come back through
    /// [`ended`](Self::ended).
    pub fn take(&mut self) -> Option<Flight> {
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

    /// A request leaves.
    fn fly(
        &mut self,
        to: NewApprovalStatus,
        leads: Vec<Arc<str>>,
        part_of: Option<usize>,
    ) -> Flight {
        self.flights_ever += 1;
        let flight = Flight {
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

    /// Drops what stands at the front of a queue and does not wait there any more.
    fn skip(&mut self, of: usize) {
        while let Some((since, lead)) = self.queues[of].front() {
            let waits = |entry: &Entry| queue(entry) == Some(of) && entry.since() == *since;
            if self.entries.get(lead).is_some_and(waits) {
                return;
            }
            self.queues[of].pop_front();
        }
    }

    /// There is an entry for a lead.
    fn have(&mut self, lead: &Arc<str>, known: ApprovalStatus) {
        if !self.entries.contains_key(lead) {
            let entry = Entry::new(Arc::clone(lead), known);
            self.counts[entry.phase() as usize] += 1;
            self.entries.insert(Arc::clone(lead), entry);
        }
    }

    /// Changes the entry of a lead; all else follows.
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

    /// The leads that there is news of since the last time that somebody asked, some more than once.
    pub fn news(&mut self) -> Vec<Arc<str>> {
        std::mem::take(&mut self.news)
    }

    /// Whether there is news.
    pub fn has_news(&self) -> bool {
        !self.news.is_empty()
    }

    /// Sends again what failed or is uncertain: these leads, or all.
    pub fn retry(&mut self, leads: Option<&[Arc<str>]>) {
        let now = self.tick();
        self.each(leads, &mut |entry| entry.retry(now));
    }

    /// Gives up what failed, is uncertain or is sent again by itself. Where the server may have done it, the status that was
    /// there before is sent.
    pub fn revert(&mut self, leads: Option<&[Arc<str>]>) {
        let now = self.tick();
        self.each(leads, &mut |entry| entry.revert(now));
    }

    /// Keeps leads that wait from being sent, or lets them go. What is decided on them anew is sent.
    pub fn hold(&mut self, leads: &[Arc<str>], held: bool) {
        self.each(Some(leads), &mut |entry| entry.hold(held));
    }

    /// Calls off what has not left, or is sent again by itself. Where the server may have done it already, the status that was
    /// there before is sent.
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

    /// A read is about to leave: it must carry this to [`arrived`](Self::arrived).
    pub fn reading(&mut self) -> Event {
        self.tick()
    }

    /// A read that left at `sent` says which status a lead has. Gives the status to show.
    pub fn arrived(&mut self, lead: &str, status: ApprovalStatus, sent: Event) -> ApprovalStatus {
        if self.entries.contains_key(lead) {
            self.change(lead, &mut |entry| entry.arrived(status.clone(), sent));
        }
        self.shown(lead).unwrap_or(status)
    }

    /// Another tab says that the server confirmed a status. Reads that left before are older news.
    pub fn heard(&mut self, lead: &str, status: ApprovalStatus) {
        let now = self.tick();
        self.have(&Arc::from(lead), status.clone());
        self.change(lead, &mut |entry| entry.heard(status.clone(), now));
    }

    /// What the server said last of a lead that was decided here.
    pub fn known(&self, lead: &str) -> Option<&ApprovalStatus> {
        self.entries.get(lead).map(Entry::known)
    }

    /// What somebody wants of a lead, unless the server has it.
    pub fn wanted(&self, lead: &str) -> Option<NewApprovalStatus> {
        self.entries.get(lead)?.wanted()
    }

    /// When somebody decided on a lead last.
    pub fn decided(&self, lead: &str) -> Option<Event> {
        self.entries.get(lead).map(Entry::decided)
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
        self.counts[phase as usize]
    }

    /// How many leads wait or are on their way.
    pub fn open(&self) -> usize {
        self.count(Phase::Queued) + self.count(Phase::Sent) + self.count(Phase::Retrying)
    }

    /// Whether nothing is queued, on its way, failed or uncertain.
    pub fn is_settled(&self) -> bool {
        self.count(Phase::Idle) + self.count(Phase::Confirmed) == self.entries.len()
    }

    fn tick(&mut self) -> Event {
        self.events += 1;
        self.events
    }
}

/// The queue that an entry waits in, if it does.
fn queue(entry: &Entry) -> Option<usize> {
    let waits = entry.may_leave() && !entry.is_in_part();
    entry
        .wanted()
        .filter(|_| waits)
        .map(|wanted| wanted as usize)
}
