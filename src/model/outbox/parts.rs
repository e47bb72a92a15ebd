//! Requests that are sent again in parts, to find out which of their leads are not there.

use std::collections::VecDeque;
use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;

use crate::client::split::{Tally, parts};

/// Leads of a request that was not done as a whole.
#[derive(Clone, Debug)]
struct Part {
    to: NewApprovalStatus,
    leads: Vec<Arc<str>>,
    /// The place in [`Parts::tallies`] of the request, where the server counted.
    part_of: Option<usize>,
}

/// How a lead of a part stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stand {
    /// It may be sent.
    Ready,
    /// It waits until somebody says to go on.
    Held,
    /// It is no part of this any more.
    Elsewhere,
}

/// The parts that wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    waiting: VecDeque<Part>,
    tallies: Vec<Tally>,
    /// Whether the server was found to count changes, and not leads.
    counts_changes: bool,
}

impl Parts {
    /// A request is sent again in parts. `counted` is what the server counted, if it did.
    pub(super) fn split(
        &mut self,
        to: NewApprovalStatus,
        leads: Vec<Arc<str>>,
        counted: Option<u64>,
    ) {
        let part_of = counted.map(|counted| {
            self.tallies.push(Tally::new(counted));
            self.tallies.len() - 1
        });
        // Where it only refused, some may be well: halves.
        for leads in parts(leads, counted.unwrap_or(1)).into_iter().rev() {
            let part = Part { to, leads, part_of };
            self.waiting.push_front(part);
        }
    }

    /// The next part that has leads to be sent.
    pub(super) fn take(
        &mut self,
        stand: impl Fn(&str, NewApprovalStatus) -> Stand,
    ) -> Option<(NewApprovalStatus, Vec<Arc<str>>, Option<usize>)> {
        let mut taken = None;
        for part in &mut self.waiting {
            let to = part.to;
            part.leads
                .retain(|lead| stand(lead, to) != Stand::Elsewhere);
            let (ready, held) = std::mem::take(&mut part.leads)
                .into_iter()
                .partition::<Vec<_>, _>(|lead| stand(lead, to) == Stand::Ready);
            part.leads = held;
            if !ready.is_empty() {
                taken = Some((to, ready, part.part_of));
                break;
            }
        }
        self.waiting.retain(|part| !part.leads.is_empty());
        taken
    }

    /// A part found so many leads. Gives the leads of all parts that wait once it turns out that the server
    /// counts changes: it did what it was told, and only its count was short.
    pub(super) fn found(
        &mut self,
        part_of: Option<usize>,
        leads: u64,
    ) -> Vec<(Arc<str>, NewApprovalStatus)> {
        let tally = part_of.and_then(|of| self.tallies.get_mut(of));
        if !tally.is_some_and(|tally| tally.found(leads)) {
            return Vec::new();
        }
        self.counts_changes = true;
        let (done, rest) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition::<VecDeque<_>, _>(|part| part.part_of.is_some());
        self.waiting = rest;
        let leads = |part: Part| part.leads.into_iter().map(move |lead| (lead, part.to));
        done.into_iter().flat_map(leads).collect()
    }

    /// Whether the server was found to count changes, so that a short count says nothing.
    pub(super) fn counts_changes(&self) -> bool {
        self.counts_changes
    }
}
