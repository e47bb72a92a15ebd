//! Queue of pulse requests. Few are sent at a time, so that a page of accounts does not block
//! other requests.

use std::collections::VecDeque;
use std::sync::Arc;

/// Maximum number of requests in flight.
pub const MAX_IN_FLIGHT: usize = 3;

/// Id of an account.
pub type Id = Arc<str>;

/// Accounts whose pulses are wanted, those that wait and those in flight.
#[derive(Debug, Default)]
pub struct PulseQueue {
    wanted: Vec<Id>,
    waiting: VecDeque<Id>,
    flying: Vec<Id>,
}

impl PulseQueue {
    /// Sets the wanted accounts and their order. What was requested before is not requested again.
    /// Returns the accounts in flight that are no longer wanted.
    pub fn set_wanted(&mut self, ids: &[Id]) -> Vec<Id> {
        let before = std::mem::take(&mut self.wanted);
        for id in ids {
            if !self.wanted.contains(id) {
                self.wanted.push(Arc::clone(id));
            }
        }
        let still = |id: &Id| self.wanted.contains(id);
        let (stored, given_up) = self.flying.drain(..).partition(|id| still(id));
        self.flying = stored;
        let (waited, wanted) = (&self.waiting, &self.wanted);
        let new = |id: &&Id| !before.contains(*id) || waited.contains(*id);
        self.waiting = wanted.iter().filter(new).cloned().collect();
        given_up
    }

    pub fn wants(&self, id: &str) -> bool {
        self.wanted.iter().any(|wanted| **wanted == *id)
    }

    /// Returns the next account to request and marks it as in flight; `None` while enough are.
    pub fn take(&mut self) -> Option<Id> {
        if self.flying.len() >= MAX_IN_FLIGHT {
            return None;
        }
        let id = self.waiting.pop_front()?;
        self.flying.push(Arc::clone(&id));
        Some(id)
    }

    /// Marks a request as done. Returns whether it was in flight.
    pub fn finish(&mut self, id: &str) -> bool {
        let at = self.flying.iter().position(|flying| **flying == *id);
        at.map(|at| self.flying.swap_remove(at)).is_some()
    }

    /// Requests a wanted account again, before all others.
    pub fn again(&mut self, id: &str) {
        let is = |other: &Id| **other == *id;
        if self.flying.iter().any(is) || self.waiting.iter().any(is) {
            return;
        }
        if let Some(id) = self.wanted.iter().find(|other| is(other)) {
            self.waiting.push_front(Arc::clone(id));
        }
    }

    /// Requests all wanted accounts again.
    pub fn all_again(&mut self) {
        let (waiting, flying) = (&self.waiting, &self.flying);
        let rests = |id: &&Id| !waiting.contains(*id) && !flying.contains(*id);
        let again: Vec<Id> = self.wanted.iter().filter(rests).cloned().collect();
        self.waiting.extend(again);
    }

    /// Returns how many requests are done, and how many accounts are wanted.
    pub fn progress(&self) -> (usize, usize) {
        let all = self.wanted.len();
        (all - self.waiting.len() - self.flying.len(), all)
    }

    pub fn flying(&self) -> &[Id] {
        &self.flying
    }
}
