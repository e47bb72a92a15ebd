//! A change of many leads in chunks: what to send next, and what became of each id. Pure.

use std::collections::{BTreeSet, VecDeque};

use lead_workspace_api::LeadId;

/// Ids in one request, unless told otherwise.
pub const CHUNK: usize = 100;
/// Requests under way at once.
pub const IN_FLIGHT: usize = 2;

/// What became of each lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BulkOutcome {
    /// Changed for certain.
    pub updated: Vec<LeadId>,
    /// Not changed for certain.
    pub failed: Vec<LeadId>,
    /// Perhaps changed: the answer never came, or counts fewer than were sent.
    pub uncertain: Vec<LeadId>,
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
    waiting: VecDeque<Vec<LeadId>>,
    under_way: Vec<Vec<LeadId>>,
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
            waiting: ids.chunks(chunk.max(1)).map(<[LeadId]>::to_vec).collect(),
            under_way: Vec::new(),
            total: ids.len(),
            outcome: BulkOutcome::default(),
        }
    }

    /// The chunk to send next, while fewer than [`IN_FLIGHT`] are under way. Every chunk that is
    /// taken must come back through [`ended`](Self::ended).
    pub fn take(&mut self) -> Option<Vec<LeadId>> {
        if self.under_way.len() >= IN_FLIGHT {
            return None;
        }
        let chunk = self.waiting.pop_front()?;
        self.under_way.push(chunk.clone());
        Some(chunk)
    }

    /// A chunk ended.
    pub fn ended(&mut self, chunk: &[LeadId], end: ChunkEnd) {
        let Some(place) = self.under_way.iter().position(|sent| sent == chunk) else {
            return;
        };
        let chunk = self.under_way.swap_remove(place);
        let into = match end {
            // Fewer than were sent: some were not there, and the answer does not say which.
            ChunkEnd::Updated(Some(count)) if count < chunk.len() as u64 => {
                &mut self.outcome.uncertain
            }
            ChunkEnd::Updated(_) => &mut self.outcome.updated,
            ChunkEnd::Failed => &mut self.outcome.failed,
            ChunkEnd::Uncertain => &mut self.outcome.uncertain,
        };
        into.extend(chunk);
    }

    /// Gives up: what is under way is uncertain, what was not sent is not changed.
    pub fn cancel(&mut self) {
        for chunk in self.under_way.drain(..) {
            self.outcome.uncertain.extend(chunk);
        }
        self.call_off();
    }

    /// Calls off what was not sent yet; those leads are not changed for certain.
    pub fn call_off(&mut self) {
        for chunk in self.waiting.drain(..) {
            self.outcome.failed.extend(chunk);
        }
    }

    /// Leads that are dealt with, and leads in all.
    pub fn progress(&self) -> (usize, usize) {
        let BulkOutcome {
            updated,
            failed,
            uncertain,
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
