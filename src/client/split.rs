//! Which leads of a bulk change are not there, found with few requests. Pure.
//!
//! The contract says `updated (integer)` and no more. A server that counts leads counts fewer where
//! some are missing; one that counts changes does so, too, where leads had the status already.

/// The parts in which leads are sent again when the server counted fewer than were sent: halves, so
/// that one missing lead costs two requests for each halving. Where it counted none, each goes
/// alone: all of them are missing, or the first that is there shows that changes are counted.
pub fn parts<T>(mut leads: Vec<T>, counted: u64) -> Vec<Vec<T>> {
    if counted == 0 || leads.len() < 2 {
        return leads.into_iter().map(|lead| vec![lead]).collect();
    }
    let rest = leads.split_off(leads.len() / 2);
    vec![leads, rest]
}

/// What the parts of a request found that was sent again.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    counted: u64,
    found: u64,
}

impl Tally {
    /// Begins with what the request itself counted.
    pub fn new(counted: u64) -> Self {
        Self { counted, found: 0 }
    }

    /// A part found so many leads. Tells whether the parts have found more than the request counted:
    /// then the server counts changes, a short count says nothing of missing leads, and nothing more
    /// should be split.
    #[must_use]
    pub fn found(&mut self, leads: u64) -> bool {
        self.found += leads;
        self.found > self.counted
    }
}
