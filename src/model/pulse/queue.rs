//! Which pulse is asked for next: some at a time, so that whoever looks at a dozen accounts does not
//! stand in everybody's way.

use std::collections::VecDeque;
use std::sync::Arc;

/// How many are asked for at the same time.
pub const AT_ONCE: usize = 3;

/// An account, by its id.
pub type Id = Arc<str>;

/// Accounts whose pulses are wanted, those that wait and those that are being asked for.
#[derive(Debug, Default)]
pub struct Queue {
    wanted: Vec<Id>,
    waiting: VecDeque<Id>,
    flying: Vec<Id>,
}

impl Queue {
    /// From now on these are wanted, in this order, each once. What was asked for before is not asked
    /// for again. Gives those under way that nobody wants any more.
    pub fn want(&mut self, ids: &[Id]) -> Vec<Id> {
        let before = std::mem::take(&mut self.wanted);
        for id in ids {
            if !self.wanted.contains(id) {
                self.wanted.push(Arc::clone(id));
            }
        }
        let still = |id: &Id| self.wanted.contains(id);
        let (kept, given_up) = self.flying.drain(..).partition(|id| still(id));
        self.flying = kept;
        let (waited, wanted) = (&self.waiting, &self.wanted);
        let new = |id: &&Id| !before.contains(*id) || waited.contains(*id);
        self.waiting = wanted.iter().filter(new).cloned().collect();
        given_up
    }

    /// The next one to ask for, which counts as under way from now on. None while enough are.
    pub fn take(&mut self) -> Option<Id> {
        if self.flying.len() >= AT_ONCE {
            return None;
        }
        let id = self.waiting.pop_front()?;
        self.flying.push(Arc::clone(&id));
        Some(id)
    }

    /// An answer is here. Whether it was waited for.
    pub fn landed(&mut self, id: &str) -> bool {
        let at = self.flying.iter().position(|flying| **flying == *id);
        at.map(|at| self.flying.swap_remove(at)).is_some()
    }

    /// One that is wanted is to be asked for again, before all others.
    pub fn again(&mut self, id: &str) {
        let is = |other: &Id| **other == *id;
        if self.flying.iter().any(is) || self.waiting.iter().any(is) {
            return;
        }
        if let Some(id) = self.wanted.iter().find(|other| is(other)) {
            self.waiting.push_front(Arc::clone(id));
        }
    }

    /// How many were answered, and how many are wanted.
    pub fn far(&self) -> (usize, usize) {
        let all = self.wanted.len();
        (all - self.waiting.len() - self.flying.len(), all)
    }

    /// Those under way.
    pub fn flying(&self) -> &[Id] {
        &self.flying
    }
}
