//! The outbox: all decisions on their way to the server, by lead. Pure: requests to send are
//! returned, their results are passed in, and there is no clock or network.
//!
//! Rules: the latest decision on a lead wins. A lead is never in two requests at once. Leads with
//! the same target status share a request. A request that the server refuses, or counts fewer leads
//! of, is sent again in parts, until it is known which leads were not updated. An uncertain outcome
//! stays visible until it is certain. The status that a read returns counts only if the read was
//! sent after the last write of that lead ended.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::btree_map::{BTreeMap, Entry};
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use self::lead_state::LeadState;
pub use self::lead_state::{DELETED, DecisionFailure, SequenceNumber};
use self::of_others::StatusesOfOthers;
pub use self::phase::Phase;
pub use self::request_result::{RequestResult, Saved};
use self::split::{Chunk, PartLeadState, Parts};

mod lead_state;
mod of_others;
mod persist;
mod phase;
mod queries;
mod request_result;
mod split;

/// Default for the maximum number of leads in a request.
pub const CHUNK: usize = 100;
/// Maximum number of requests in flight.
pub const IN_FLIGHT: usize = 2;

/// Leads, and since when they wait.
type WaitingLeads = BinaryHeap<Reverse<(SequenceNumber, Arc<str>)>>;

/// A request to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxRequest {
    /// Unique number, used to report the result.
    pub number: u64,
    /// Target status of all its leads.
    pub to: NewApprovalStatus,
    /// One lead is sent with `PATCH /api/leads/{lead_id}`, several with `PATCH /api/leads`.
    pub leads: Vec<Arc<str>>,
    /// If this is a part of an earlier request: the index of its count in [`Parts`].
    part_of: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Outbox {
    leads: BTreeMap<Arc<str>, LeadState>,
    /// Waiting leads by target status, oldest first. Outdated items are dropped when they get to
    /// the front. A lead that was held for a while may be there twice.
    queues: [WaitingLeads; NewApprovalStatus::ALL.len()],
    /// Requests that are sent again in parts. They are sent before all others.
    parts: Parts,
    /// Maximum number of leads in a request.
    chunk: usize,
    /// Number of leads in each phase.
    counts: [usize; Phase::COUNT],
    in_flight: Vec<OutboxRequest>,
    last_number: SequenceNumber,
    /// Number of requests so far.
    requests: u64,
    /// Number of leads in a row that the server refused although they were sent alone.
    refused_alone: usize,
    /// Number of failures in a row without a response. Requests that were in flight together count
    /// once.
    unanswered: u32,
    /// Number of the latest request in flight at the last of these failures.
    last_unanswered: u64,
    clock: u64,
    /// What others decided.
    elsewhere: StatusesOfOthers,
    /// Leads that changed since the last call of `changes`.
    changed: Vec<Arc<str>>,
}

impl Default for Outbox {
    fn default() -> Self {
        Self::new(CHUNK)
    }
}

impl Outbox {
    /// Creates an outbox with at most `chunk` leads in a request.
    pub fn new(chunk: usize) -> Self {
        Self {
            leads: BTreeMap::new(),
            queues: Default::default(),
            parts: Parts::default(),
            chunk: chunk.max(1),
            counts: [0; Phase::COUNT],
            in_flight: Vec::new(),
            last_number: 0,
            requests: 0,
            refused_alone: 0,
            unanswered: 0,
            last_unanswered: 0,
            clock: 0,
            elsewhere: StatusesOfOthers::default(),
            changed: Vec::new(),
        }
    }

    /// Sets the current time, in milliseconds since 1970.
    pub fn set_clock(&mut self, at: u64) {
        self.clock = at;
    }

    /// Records the user's decision on leads, each with the status that the screen shows now. They
    /// are sent in this order.
    pub fn decide(
        &mut self,
        leads: impl IntoIterator<Item = (Arc<str>, ApprovalStatus)>,
        to: NewApprovalStatus,
    ) {
        let at = self.clock;
        for (lead, shown) in leads {
            let now = self.next_number();
            self.ensure(&lead, shown);
            self.change(&lead, &mut |state| state.decide(to, now, at));
        }
    }

    /// Returns the next request, unless [`IN_FLIGHT`] requests are in flight. Its result must be
    /// passed to [`on_result`](Self::on_result).
    pub fn next_request(&mut self) -> Option<OutboxRequest> {
        if self.in_flight.len() >= IN_FLIGHT {
            return None;
        }
        let (to, leads, part_of) = self.next_chunk()?;
        self.requests += 1;
        let request = OutboxRequest {
            number: self.requests,
            to,
            leads,
            part_of,
        };
        for lead in &request.leads {
            self.change(lead, &mut |state| state.sent(to));
        }
        self.in_flight.push(request.clone());
        Some(request)
    }

    /// Takes the leads of the next request from the waiting ones.
    fn next_chunk(&mut self) -> Option<Chunk> {
        let states = &self.leads;
        let part = self.parts.next(|lead, to| match states.get(lead) {
            Some(state)
                if state.is_in_part() && state.is_waiting() && state.wanted() == Some(to) =>
            {
                if state.can_be_sent() {
                    PartLeadState::Ready
                } else {
                    PartLeadState::Held
                }
            }
            _ => PartLeadState::Removed,
        });
        if part.is_some() {
            return part;
        }
        for of in 0..self.queues.len() {
            self.drop_outdated(of);
        }
        let fronts = self.queues.iter().enumerate();
        let fronts = fronts.filter_map(|(of, queue)| Some((queue.peek()?, of)));
        let (_, of) = fronts.max()?;
        let mut leads = Vec::new();
        while leads.len() < self.chunk
            && let Some(Reverse((_, lead))) = self.queues[of].pop()
        {
            if leads.last() != Some(&lead) {
                leads.push(lead);
            }
            self.drop_outdated(of);
        }
        let to = self.wanted(leads.first()?)?;
        Some((to, leads, None))
    }

    /// Fails all leads that wait, in the order in which they would have been sent. They are uncertain
    /// if an earlier request may have changed them.
    pub fn fail_waiting(&mut self, failure: &DecisionFailure) {
        let now = self.next_number();
        while let Some((to, leads, _)) = self.next_chunk() {
            for lead in &leads {
                self.change(lead, &mut |state| {
                    state.sent(to);
                    state.failed(failure.clone(), now);
                });
            }
        }
    }

    /// Drops outdated items from the front of a queue.
    fn drop_outdated(&mut self, of: usize) {
        while let Some(Reverse((since, lead))) = self.queues[of].peek() {
            let waits = |state: &LeadState| queue(state) == Some(of) && state.since() == *since;
            if self.leads.get(lead).is_some_and(waits) {
                return;
            }
            self.queues[of].pop();
        }
    }

    /// Adds the state of a lead, unless there is one.
    fn ensure(&mut self, lead: &Arc<str>, known: ApprovalStatus) {
        if let Entry::Vacant(vacant) = self.leads.entry(Arc::clone(lead)) {
            vacant.insert(LeadState::new(Arc::clone(lead), known));
            self.counts[Phase::Idle as usize] += 1;
        }
    }

    /// Changes the state of a lead and updates counts, changes and queues.
    fn change(&mut self, lead: &str, act: &mut dyn FnMut(&mut LeadState)) {
        let Some(state) = self.leads.get_mut(lead) else {
            return;
        };
        let before = state.snapshot();
        act(state);
        let after = state.snapshot();
        if after == before {
            return;
        }
        self.counts[before.0 as usize] -= 1;
        self.counts[after.0 as usize] += 1;
        self.changed.push(Arc::clone(state.lead()));
        if let Some(of) = queue(state) {
            let item = (state.since(), Arc::clone(state.lead()));
            self.queues[of].push(Reverse(item));
        }
    }

    /// Returns the leads that changed since the last call, some more than once.
    pub fn changes(&mut self) -> Vec<Arc<str>> {
        std::mem::take(&mut self.changed)
    }

    pub fn has_changes(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Sends decisions again that failed or are uncertain: of these leads, or of all.
    pub fn retry(&mut self, leads: Option<&[Arc<str>]>) {
        let now = self.next_number();
        self.each(leads, &mut |state| state.retry(now));
    }

    /// Gives up decisions that failed, are uncertain or are retried automatically. If the server
    /// may have applied one, the previous status is sent.
    pub fn revert(&mut self, leads: Option<&[Arc<str>]>) {
        let now = self.next_number();
        self.each(leads, &mut |state| state.revert(now));
    }

    /// Holds waiting leads back, or releases them. A new decision on a held lead is sent.
    pub fn hold(&mut self, leads: &[Arc<str>], held: bool) {
        self.each(Some(leads), &mut |state| state.hold(held));
    }

    /// Cancels decisions that were not sent yet, or are retried automatically. If the server may
    /// have applied one, the previous status is sent.
    pub fn cancel(&mut self, leads: &[Arc<str>]) {
        let now = self.next_number();
        self.each(Some(leads), &mut |state| state.cancel(now));
    }

    fn each(&mut self, leads: Option<&[Arc<str>]>, change: &mut dyn FnMut(&mut LeadState)) {
        let all: Vec<Arc<str>>;
        let leads = match leads {
            Some(leads) => leads,
            None => {
                all = self.leads();
                &all
            }
        };
        for lead in leads {
            self.change(lead, change);
        }
    }

    /// Registers a read that is about to be sent. Pass the number to [`on_read`](Self::on_read).
    pub fn start_read(&mut self) -> SequenceNumber {
        self.next_number()
    }

    /// Records the status of a lead from a read that was sent at `sent`. Returns the status to
    /// show.
    pub fn on_read(
        &mut self,
        lead: &str,
        status: ApprovalStatus,
        sent: SequenceNumber,
    ) -> ApprovalStatus {
        if let Some((lead, newer, at)) = self.elsewhere.newer(lead, sent)
            && !self.leads.contains_key(&lead)
        {
            self.ensure(&lead, newer.clone());
            self.change(&lead, &mut |state| {
                state.changed_by_others(newer.clone(), at)
            });
        }
        if self.leads.contains_key(lead) {
            self.change(lead, &mut |state| state.on_read(status.clone(), sent));
        }
        self.shown(lead).unwrap_or(status)
    }

    /// Records a status that another tab reports as confirmed. Reads that were sent before are
    /// outdated.
    pub fn on_saved_elsewhere(&mut self, lead: &str, status: ApprovalStatus) {
        let now = self.next_number();
        self.ensure(&Arc::from(lead), status.clone());
        self.change(lead, &mut |state| {
            state.on_saved_elsewhere(status.clone(), now)
        });
    }

    /// Records a decision of another tab, made at `at`, in milliseconds since 1970. The later decision on a lead wins,
    /// in whichever tab it was made. `is_saved`: the server has it; otherwise the other tab sends it.
    pub fn on_decided_elsewhere(
        &mut self,
        lead: &str,
        to: NewApprovalStatus,
        at: u64,
        is_saved: bool,
    ) {
        let now = self.next_number();
        if is_saved {
            self.ensure(&Arc::from(lead), to.into());
        }
        self.change(lead, &mut |state| {
            state.on_decided_elsewhere(to, at, is_saved, now);
        });
    }

    fn next_number(&mut self) -> SequenceNumber {
        self.last_number += 1;
        self.last_number
    }
}

/// Returns the queue that a lead waits in, if any.
fn queue(state: &LeadState) -> Option<usize> {
    let waits = state.can_be_sent() && !state.is_in_part();
    state
        .wanted()
        .filter(|_| waits)
        .map(|wanted| wanted as usize)
}
