//! Random numbers from a seed.

use lead_workspace::api::NewApprovalStatus;

/// xorshift64*.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % limit
    }

    /// Returns an index below `len`, unless that is 0.
    pub fn index(&mut self, len: usize) -> Option<usize> {
        (len > 0).then(|| self.below(len as u64) as usize)
    }

    pub fn status(&mut self) -> NewApprovalStatus {
        use NewApprovalStatus::{Approved, PendingApproval, Rejected};
        [Approved, Approved, Rejected, PendingApproval][self.below(4) as usize]
    }
}
