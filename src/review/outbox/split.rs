//! Requests that are sent again in parts, to find out which of their leads do not exist.

use std::collections::VecDeque;
use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;

use crate::client::split::{Tally, parts};

/// Leads of a request that was not applied as a whole.
#[derive(Clone, Debug)]
struct Part {
    to: NewApprovalStatus,
    leads: Vec<Arc<str>>,
    /// Index in [`Parts::tallies`] of the original request, if the server returned a count.
    part_of: Option<usize>,
}

/// State of a lead of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stand {
    /// It can be sent.
    Ready,
    /// It is held back until the user continues.
    Held,
    /// It does not belong to this part any more.
    Elsewhere,
}

/// Parts that wait to be sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    waiting: VecDeque<Part>,
    tallies: Vec<Tally>,
    /// Whether the server turned out to count changes instead of leads.
    counts_changes: bool,
}

impl Parts {
    /// Splits a request into parts. `counted` is the server's count, if it returned one.
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
        // Without a count the server refused the request, and some leads may be valid: send halves.
        for leads in parts(leads, counted.unwrap_or(1)).into_iter().rev() {
            let part = Part { to, leads, part_of };
            self.waiting.push_front(part);
        }
    }

    /// Returns the next part with leads that can be sent.
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

    /// Records the number of leads found for a part. Returns the leads of all waiting parts as soon
    /// as the server turns out to count changes: it applied the request, only its count was low.
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

    /// Whether the server turned out to count changes, so that a low count means nothing.
    pub(super) fn counts_changes(&self) -> bool {
        self.counts_changes
    }
}
