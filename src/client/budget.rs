//! The retry budget: limits the load that retries add to a failing upstream.

/// A token bucket: retries take tokens, and successes put tokens back.
///
/// With the default figures, an upstream that never responds receives at most seven retries from a
/// full bucket. After that, one retry per fourteen successful requests is possible: about 1.1 times
/// the traffic.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    tokens: u32,
}

impl Budget {
    /// Tokens in a full bucket.
    pub const FULL: u32 = 100;
    /// Cost of a retry, in tokens.
    pub const COST: u32 = 14;
    /// Cost of a retry after 429, in tokens. Lower, as the server requested it.
    pub const COST_LIMITED: u32 = 5;
    /// Tokens that a success puts back.
    pub const REFUND: u32 = 1;

    /// Takes the cost of a retry. Returns `false` and takes nothing if too few tokens are left.
    #[must_use = "a retry that was not paid for must not be sent"]
    pub fn try_take(&mut self, limited: bool) -> bool {
        let cost = if limited {
            Self::COST_LIMITED
        } else {
            Self::COST
        };
        match self.tokens.checked_sub(cost) {
            Some(left) => {
                self.tokens = left;
                true
            }
            None => false,
        }
    }

    /// Records a success.
    pub fn refund(&mut self) {
        self.tokens = (self.tokens + Self::REFUND).min(Self::FULL);
    }

    /// Returns the tokens left.
    pub fn tokens(&self) -> u32 {
        self.tokens
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self { tokens: Self::FULL }
    }
}
