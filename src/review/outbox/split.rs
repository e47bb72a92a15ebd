//! Requests that are sent again in parts, to find out which of their leads were not updated, with few
//! requests.
//!
//! The contract says `updated (integer)` and no more. A server that counts leads returns a lower
//! count if some are missing. A server that counts changes does so, too, if leads had the status
//! already.

use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;

/// Leads of a request that was not applied as a whole.
#[derive(Clone, Debug)]
struct Part {
    to: NewApprovalStatus,
    leads: Vec<Arc<str>>,
    /// Index in [`Parts::counts`] of the original request, if the server returned a count.
    part_of: Option<usize>,
}

/// State of a lead of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PartLeadState {
    /// It can be sent.
    Ready,
    /// It is held back until the user continues.
    Held,
    /// It does not belong to this part any more.
    Removed,
}

/// Leads to send, and the index of their count if they are a part.
pub(super) type Chunk = (NewApprovalStatus, Vec<Arc<str>>, Option<usize>);

/// Parts that wait to be sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// The next one is last.
    waiting: Vec<Part>,
    counts: Vec<PartsCount>,
    /// Whether the server turned out to count changes instead of leads.
    counts_changes: bool,
}

/// What the parts of a split request counted in total.
#[derive(Clone, Copy, Debug)]
struct PartsCount {
    /// The count of the original request.
    counted: u64,
    found: u64,
}

impl Parts {
    /// Splits a request, after the server refused it or counted fewer leads than were sent.
    /// `counted` is the server's count, if it returned one. The parts are sent before all others, to
    /// find out early whether leads are missing at all.
    ///
    /// Usually these are halves, so one missing lead costs two requests per halving. After a count
    /// of zero, each lead is sent alone: either all are missing, or the first one found shows that
    /// the server counts changes.
    pub(super) fn split(
        &mut self,
        to: NewApprovalStatus,
        mut leads: Vec<Arc<str>>,
        counted: Option<u64>,
    ) {
        let part_of = counted.map(|counted| {
            self.counts.push(PartsCount { counted, found: 0 });
            self.counts.len() - 1
        });
        let size = match counted {
            Some(0) => 1,
            _ => leads.len().div_ceil(2).max(1),
        };
        while !leads.is_empty() {
            let start = (leads.len() - 1) / size * size;
            let leads = leads.split_off(start);
            self.waiting.push(Part { to, leads, part_of });
        }
    }

    /// Puts back a part that must be sent again. It is the next one.
    pub(super) fn put_back(
        &mut self,
        to: NewApprovalStatus,
        leads: Vec<Arc<str>>,
        part_of: Option<usize>,
    ) {
        self.waiting.push(Part { to, leads, part_of });
    }

    /// Returns the next part with leads that can be sent.
    pub(super) fn next(
        &mut self,
        state_of: impl Fn(&str, NewApprovalStatus) -> PartLeadState,
    ) -> Option<Chunk> {
        let mut next = None;
        for part in self.waiting.iter_mut().rev() {
            let to = part.to;
            let mut ready = Vec::new();
            part.leads.retain(|lead| {
                let state_of = state_of(lead, to);
                if state_of == PartLeadState::Ready {
                    ready.push(Arc::clone(lead));
                }
                state_of == PartLeadState::Held
            });
            if !ready.is_empty() {
                next = Some((to, ready, part.part_of));
                break;
            }
        }
        self.waiting.retain(|part| !part.leads.is_empty());
        next
    }

    /// Records the number of leads found for a part. Returns the leads of all waiting parts as soon
    /// as the parts have counted more than the original request: then the server counts changes, and
    /// it applied the request, only its count was low.
    pub(super) fn record_found(
        &mut self,
        part_of: Option<usize>,
        leads: u64,
    ) -> Vec<(NewApprovalStatus, Vec<Arc<str>>)> {
        let mut done = Vec::new();
        if let Some(count) = part_of.and_then(|of| self.counts.get_mut(of)) {
            count.found += leads;
            if count.found > count.counted {
                self.counts_changes = true;
                self.waiting.retain_mut(|part| {
                    if part.part_of.is_some() {
                        done.push((part.to, std::mem::take(&mut part.leads)));
                    }
                    part.part_of.is_none()
                });
            }
        }
        done
    }

    /// Whether the server turned out to count changes, so that a low count means nothing.
    pub(super) fn counts_changes(&self) -> bool {
        self.counts_changes
    }
}
