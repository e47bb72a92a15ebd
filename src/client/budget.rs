//! The retry budget: how much a client may add to the load of an upstream in trouble.

/// A bucket of tokens that retries take from and successes put back into.
///
/// With the default figures an upstream that answers nothing at all sees at most seven retries for
/// free, and then one for every fourteen requests that succeed: about 1.1 times the traffic.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    tokens: u32,
}

impl Budget {
    /// Tokens in a full bucket.
    pub const FULL: u32 = 100;
    /// What a retry costs.
    pub const COST: u32 = 14;
    /// What a retry after 429 costs: the server asked for it.
    pub const COST_LIMITED: u32 = 5;
    /// What a success puts back.
    pub const REFUND: u32 = 1;

    /// Takes the cost of a retry, or nothing when there is too little left.
    #[must_use = "a retry that was not paid for must not be sent"]
    pub fn take(&mut self, limited: bool) -> bool {
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

    /// Notes a success.
    pub fn refund(&mut self) {
        self.tokens = (self.tokens + Self::REFUND).min(Self::FULL);
    }

    /// Tokens left.
    pub fn tokens(&self) -> u32 {
        self.tokens
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self { tokens: Self::FULL }
    }
}
