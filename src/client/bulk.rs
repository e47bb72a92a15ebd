//! A change of many leads in chunks: what to send next, and what became of each id. Pure.

use std::collections::{BTreeSet, VecDeque};

use lead_workspace_api::LeadId;

use super::error::Error;

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
    /// One lead of a chunk whose answer counted fewer than were sent: asked for by itself, so that
    /// the server says which of them were not there.
    pub alone: bool,
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
                    alone: false,
                })
                .collect(),
            under_way: Vec::new(),
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

    /// A chunk ended. Where the server counts fewer leads than were sent, each of them is sent once
    /// more by itself: twice the same status does no harm.
    pub fn ended(&mut self, chunk: &Chunk, end: ChunkEnd) {
        let Some(place) = self.under_way.iter().position(|sent| sent == chunk) else {
            return;
        };
        let Chunk { ids, alone } = self.under_way.swap_remove(place);
        let into = match end {
            ChunkEnd::Updated(Some(count)) if count < ids.len() as u64 && !alone => {
                let alone = ids.into_iter().map(|id| Chunk {
                    ids: vec![id],
                    alone: true,
                });
                self.waiting.extend(alone);
                return;
            }
            ChunkEnd::Updated(_) => &mut self.outcome.updated,
            ChunkEnd::Failed => &mut self.outcome.failed,
            ChunkEnd::Uncertain => &mut self.outcome.uncertain,
        };
        into.extend(ids);
    }

    /// Notes why leads were not changed, or perhaps not.
    pub fn missed(&mut self, ids: Vec<LeadId>, error: Error) {
        self.outcome.errors.push(Missed { ids, error });
    }

    /// Gives up: what is under way is uncertain, what was not sent is not changed.
    pub fn cancel(&mut self) {
        for chunk in self.under_way.drain(..) {
            self.outcome.uncertain.extend(chunk.ids);
        }
        self.call_off();
    }

    /// Calls off what was not sent yet, and gives those leads: they are not changed for certain, but
    /// for those that were in a chunk before.
    pub fn call_off(&mut self) -> Vec<LeadId> {
        let mut all = Vec::new();
        for Chunk { ids, alone } in self.waiting.drain(..) {
            let into = if alone {
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
