//! A change of many leads in chunks: what to send next, and the outcome of each id. Pure.

use std::collections::{BTreeSet, VecDeque};

use lead_workspace_api::LeadId;

use super::error::Error;
use super::split::{Tally, parts};

/// Default number of ids per request.
pub const CHUNK: usize = 100;
/// Maximum number of requests in flight.
pub const IN_FLIGHT: usize = 2;

/// The outcome of each lead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BulkOutcome {
    /// Certainly changed.
    pub updated: Vec<LeadId>,
    /// Certainly not changed.
    pub failed: Vec<LeadId>,
    /// Possibly changed: no response arrived.
    pub uncertain: Vec<LeadId>,
    /// Why leads are not in `updated`, in the order in which the errors occurred.
    pub errors: Vec<Missed>,
}

/// Leads of a failed request.
#[derive(Clone, Debug, PartialEq)]
pub struct Missed {
    /// The leads of the request, and those called off because of it.
    pub ids: Vec<LeadId>,
    /// The reason.
    pub error: Error,
}

/// The content of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The leads.
    pub ids: Vec<LeadId>,
    /// Index in [`Bulk::tallies`] of the request that these leads were in before, if any.
    part_of: Option<usize>,
}

impl Chunk {
    /// Whether its leads were sent before, in a request of which the server counted fewer leads.
    pub fn is_part(&self) -> bool {
        self.part_of.is_some()
    }

    /// Whether it is a single lead that was sent before. It is sent to the path of a single lead,
    /// so that the server reports whether the lead exists.
    pub fn is_alone(&self) -> bool {
        self.is_part() && self.ids.len() == 1
    }
}

/// How one chunk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkEnd {
    /// The server counted this many leads, if it sent a count.
    Updated(Option<u64>),
    /// It was refused as a whole.
    Failed,
    /// The outcome is unknown.
    Uncertain,
}

/// A bulk change in progress.
#[derive(Clone, Debug)]
pub struct Bulk {
    waiting: VecDeque<Chunk>,
    under_way: Vec<Chunk>,
    /// The requests that were sent again in parts.
    tallies: Vec<Tally>,
    /// Whether the server was found to count changes instead of leads.
    counts_changes: bool,
    total: usize,
    outcome: BulkOutcome,
}

impl Bulk {
    /// Splits the ids, without duplicates, into chunks of at most `chunk`.
    pub fn new(ids: impl IntoIterator<Item = LeadId>, chunk: usize) -> Self {
        let mut seen = BTreeSet::new();
        let ids: Vec<LeadId> = ids
            .into_iter()
            .filter(|id| seen.insert(id.clone()))
            .collect();
        Self {
            waiting: ids
                .chunks(chunk.max(1))
                .map(|ids| Chunk {
                    ids: ids.to_vec(),
                    part_of: None,
                })
                .collect(),
            under_way: Vec::new(),
            tallies: Vec::new(),
            counts_changes: false,
            total: ids.len(),
            outcome: BulkOutcome::default(),
        }
    }

    /// Returns the next chunk to send, while fewer than [`IN_FLIGHT`] are in flight. Every chunk
    /// taken must come back through [`ended`](Self::ended) or [`put_back`](Self::put_back).
    pub fn take(&mut self) -> Option<Chunk> {
        if self.under_way.len() >= IN_FLIGHT {
            return None;
        }
        let chunk = self.waiting.pop_front()?;
        self.under_way.push(chunk.clone());
        Some(chunk)
    }

    /// Records how a chunk ended. If the server counted fewer leads than were sent, they are sent
    /// again in [`parts`] until the missing ones are found; setting the same status twice does no
    /// harm. Once the server turns out to count changes, no chunk is split any more.
    pub fn ended(&mut self, chunk: &Chunk, end: ChunkEnd) {
        let Some(place) = self.under_way.iter().position(|sent| sent == chunk) else {
            return;
        };
        let Chunk { ids, part_of } = self.under_way.swap_remove(place);
        let into = match end {
            ChunkEnd::Updated(count) => {
                let sent = ids.len() as u64;
                let found = count.unwrap_or(sent).min(sent);
                if let Some(tally) = part_of.and_then(|of| self.tallies.get_mut(of))
                    && tally.found(found)
                {
                    self.stop_splitting();
                }
                if found < sent && !self.counts_changes {
                    self.split(ids, found);
                    return;
                }
                &mut self.outcome.updated
            }
            ChunkEnd::Failed => &mut self.outcome.failed,
            ChunkEnd::Uncertain => &mut self.outcome.uncertain,
        };
        into.extend(ids);
    }

    /// The parts go first, to find out early whether leads are missing at all.
    fn split(&mut self, ids: Vec<LeadId>, found: u64) {
        let part_of = Some(self.tallies.len());
        self.tallies.push(Tally::new(found));
        for ids in parts(ids, found).into_iter().rev() {
            self.waiting.push_front(Chunk { ids, part_of });
        }
    }

    /// Marks the waiting parts as updated: the server had updated them, and only its count was low.
    fn stop_splitting(&mut self) {
        self.counts_changes = true;
        for chunk in std::mem::take(&mut self.waiting) {
            if chunk.is_part() {
                self.outcome.updated.extend(chunk.ids);
            } else {
                self.waiting.push_back(chunk);
            }
        }
    }

    /// Records why leads were not changed, or possibly not.
    pub fn missed(&mut self, ids: Vec<LeadId>, error: Error) {
        self.outcome.errors.push(Missed { ids, error });
    }

    /// Queues a chunk again after a rate limit, which means that the server did nothing.
    pub fn put_back(&mut self, chunk: &Chunk) {
        if let Some(place) = self.under_way.iter().position(|sent| sent == chunk) {
            let chunk = self.under_way.swap_remove(place);
            self.waiting.push_front(chunk);
        }
    }

    /// Gives up: leads in flight are uncertain, and leads not sent are not changed.
    pub fn cancel(&mut self) {
        let under_way = self.under_way.drain(..);
        self.outcome
            .uncertain
            .extend(under_way.flat_map(|chunk| chunk.ids));
        self.call_off();
    }

    /// Calls off the chunks that were not sent yet, and returns their leads. These are certainly
    /// not changed, except for those that were in an earlier request.
    pub fn call_off(&mut self) -> Vec<LeadId> {
        let mut all = Vec::new();
        for Chunk { ids, part_of } in self.waiting.drain(..) {
            let into = if part_of.is_some() {
                &mut self.outcome.uncertain
            } else {
                &mut self.outcome.failed
            };
            into.extend_from_slice(&ids);
            all.extend(ids);
        }
        all
    }

    /// Returns the number of leads with an outcome, and of all leads.
    pub fn progress(&self) -> (usize, usize) {
        let BulkOutcome {
            updated,
            failed,
            uncertain,
            ..
        } = &self.outcome;
        (updated.len() + failed.len() + uncertain.len(), self.total)
    }

    /// Returns the outcome once nothing is waiting or in flight.
    pub fn outcome(&self) -> Option<&BulkOutcome> {
        (self.waiting.is_empty() && self.under_way.is_empty()).then_some(&self.outcome)
    }

    /// Returns the outcome so far.
    pub fn so_far(&self) -> &BulkOutcome {
        &self.outcome
    }

    /// Returns the outcome; chunks that are waiting or in flight are called off as in
    /// [`cancel`](Self::cancel).
    pub fn into_outcome(mut self) -> BulkOutcome {
        self.cancel();
        self.outcome
    }
}
