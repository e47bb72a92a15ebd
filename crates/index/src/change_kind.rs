//! What changes of rows are distinguished by.

/// Kinds of changes, as a set of bits: what has to change for a column to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeKind(u8);

impl ChangeKind {
    /// Number of kinds.
    pub const COUNT: usize = 8;

    pub const STATUS: Self = Self(1);
    pub const LEAD: Self = Self(2);
    pub const LIST: Self = Self(4);
    pub const CAMPAIGN: Self = Self(8);
    pub const INTENT: Self = Self(16);
    pub const ACCOUNT: Self = Self(32);
    pub const ACCOUNT_LIST: Self = Self(64);
    /// A scoring changes the score and the tier of all leads, and nothing else.
    pub const SCORE: Self = Self(128);
    /// A new or deleted lead changes every column of leads.
    pub const LEAD_ROW: Self = Self(1 | 2 | 4 | 8 | 16 | 128);
    /// A new account changes every column of accounts.
    pub const ACCOUNT_ROW: Self = Self(32 | 64);
    /// A change of any columns.
    pub const ALL: Self = Self(u8::MAX);

    /// Returns the kinds of both.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether both have a kind in common.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the numbers of its kinds, from 0.
    pub fn numbers(self) -> impl Iterator<Item = usize> {
        (0..Self::COUNT).filter(move |number| self.0 & (1 << number) != 0)
    }

    /// Returns the kinds as one number.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Returns the kinds of a number; see [`bits`](Self::bits).
    pub fn of_bits(bits: u8) -> Self {
        Self(bits)
    }
}
