//! Finds the missing leads of a bulk change with few requests. Pure.
//!
//! The contract says `updated (integer)` and no more. A server that counts leads returns a lower
//! count if some are missing. A server that counts changes does so, too, if leads had the status
//! already.

/// Splits leads into the parts to send again after the server counted fewer than were sent.
///
/// Usually these are halves, so one missing lead costs two requests per halving. After a count of
/// zero, each lead is sent alone: either all are missing, or the first one found shows that the
/// server counts changes.
pub fn parts<T>(mut leads: Vec<T>, counted: u64) -> Vec<Vec<T>> {
    if counted == 0 || leads.len() < 2 {
        return leads.into_iter().map(|lead| vec![lead]).collect();
    }
    let rest = leads.split_off(leads.len() / 2);
    vec![leads, rest]
}

/// What the parts of a split request counted in total.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    counted: u64,
    found: u64,
}

impl Tally {
    /// Starts with the count of the original request.
    pub fn new(counted: u64) -> Self {
        Self { counted, found: 0 }
    }

    /// Adds the count of a part. Returns whether the parts have counted more than the original
    /// request: then the server counts changes, a low count does not mean missing leads, and the
    /// caller should stop splitting.
    #[must_use]
    pub fn found(&mut self, leads: u64) -> bool {
        self.found += leads;
        self.found > self.counted
    }
}
