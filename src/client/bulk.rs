//! A change of many leads in chunks: what to send next, and what became of each id. Pure.

use std::collections::{BTreeSet, VecDeque};

use lead_workspace_api::LeadId;

use super::error::Error;
use super::split::{Tally, parts};

/// Ids in one request, unless told otherwise.
pub const CHUNK: usize = 100;
/// Requests under way at once.
pub const IN_FLIGHT: usize = 2;

/// What became of each lead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BulkOutcome {
    /// Changed for certain.
    pub updated: Vec<LeadId>,
    /// Not changed for certain.
    pub failed: Vec<LeadId>,
    /// Perhaps changed: the answer never came.
    pub uncertain: Vec<LeadId>,
    /// Why leads are not among the updated ones, in the order in which it was learnt.
    pub errors: Vec<Missed>,
}

/// Leads of which a request failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Missed {
    /// Those that were in the request, and those that were called off because of it.
    pub ids: Vec<LeadId>,
    /// Why.
    pub error: Error,
}

/// What goes into one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The leads.
    pub ids: Vec<LeadId>,
    /// The place in [`Bulk::tallies`] of the request that these leads were in before, if any.
    part_of: Option<usize>,
}

impl Chunk {
    /// Whether its leads were in a request before, whose answer counted fewer than were sent.
    pub fn is_part(&self) -> bool {
        self.part_of.is_some()
    }

    /// Whether it is one lead that was in a request before. It goes by the path of a single lead, so
    /// that the server says whether it is there.
    pub fn is_alone(&self) -> bool {
        self.is_part() && self.ids.len() == 1
    }
}

/// How one chunk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkEnd {
    /// The server counts this many leads.
    Updated(Option<u64>),
    /// It was refused as a whole.
    Failed,
    /// Nobody knows.
    Uncertain,
}

/// A bulk change under way.
#[derive(Clone, Debug)]
pub struct Bulk {
    waiting: VecDeque<Chunk>,
    under_way: Vec<Chunk>,
    /// The requests that were sent again in parts.
    tallies: Vec<Tally>,
    /// Whether the server was found to count changes, and not leads.
    counts_changes: bool,
    total: usize,
    outcome: BulkOutcome,
}

impl Bulk {
    /// Splits the ids, each once, into chunks of at most `chunk`.
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

    /// The chunk to send next, while fewer than [`IN_FLIGHT`] are under way. Every chunk that is
    /// taken must come back through [`ended`](Self::ended).
    pub fn take(&mut self) -> Option<Chunk> {
        if self.under_way.len() >= IN_FLIGHT {
            return None;
        }
        let chunk = self.waiting.pop_front()?;
        self.under_way.push(chunk.clone());
        Some(chunk)
    }

    /// A chunk ended. Where the server counts fewer leads than were sent, they are sent once more in
    /// [`parts`], until the missing ones are found: twice the same status does no harm. Where it
    /// turns out to count changes, no chunk is split any more.
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

    /// The parts go first, so that it is known early whether there is anything to find.
    fn split(&mut self, ids: Vec<LeadId>, found: u64) {
        let part_of = Some(self.tallies.len());
        self.tallies.push(Tally::new(found));
        for ids in parts(ids, found).into_iter().rev() {
            self.waiting.push_front(Chunk { ids, part_of });
        }
    }

    /// The server did what it was told with the parts that wait: only their count was short.
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

    /// Notes why leads were not changed, or perhaps not.
    pub fn missed(&mut self, ids: Vec<LeadId>, error: Error) {
        self.outcome.errors.push(Missed { ids, error });
    }

    /// The workspace is over its rate limit and did nothing: the chunk waits again.
    pub fn put_back(&mut self, chunk: &Chunk) {
        if let Some(place) = self.under_way.iter().position(|sent| sent == chunk) {
            let chunk = self.under_way.swap_remove(place);
            self.waiting.push_front(chunk);
        }
    }

    /// Gives up: what is under way is uncertain, what was not sent is not changed.
    pub fn cancel(&mut self) {
        let under_way = self.under_way.drain(..);
        self.outcome
            .uncertain
            .extend(under_way.flat_map(|chunk| chunk.ids));
        self.call_off();
    }

    /// Calls off what was not sent yet, and gives those leads: they are not changed for certain, but
    /// for those that were in a chunk before.
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

    /// Leads that are dealt with, and leads in all.
    pub fn progress(&self) -> (usize, usize) {
        let BulkOutcome {
            updated,
            failed,
            uncertain,
            ..
        } = &self.outcome;
        (updated.len() + failed.len() + uncertain.len(), self.total)
    }

    /// What became of each lead, once nothing is waiting or under way.
    pub fn outcome(&self) -> Option<&BulkOutcome> {
        (self.waiting.is_empty() && self.under_way.is_empty()).then_some(&self.outcome)
    }

    /// What became of the leads so far.
    pub fn so_far(&self) -> &BulkOutcome {
        &self.outcome
    }

    /// What became of each lead; what is waiting or under way is called off as in
    /// [`cancel`](Self::cancel).
    pub fn into_outcome(mut self) -> BulkOutcome {
        self.cancel();
        self.outcome
    }
}
