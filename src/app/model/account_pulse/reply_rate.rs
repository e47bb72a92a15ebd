//! Share of a whole, in percent.

use std::cmp::Ordering;

/// A share of a whole that is not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    part: u64,
    whole: u64,
}

impl Rate {
    /// Returns the rate; `None` if there is none. This is so if a count is not known, the whole is
    /// 0, or the part is more than the whole. In the last case the counts are inconsistent, and a
    /// rate would be misleading.
    pub fn new(part: Option<u64>, whole: Option<u64>) -> Option<Self> {
        let (part, whole) = (part?, whole?);
        (whole > 0 && part <= whole).then_some(Self { part, whole })
    }

    /// Formats the rate in whole percent. Only a part of 0 is 0%, and only the whole is 100%.
    pub fn words(self) -> String {
        match self.percent() {
            0 if self.part > 0 => "<1%".to_owned(),
            100 if self.part < self.whole => ">99%".to_owned(),
            percent => [&*percent.to_string(), "%"].concat(),
        }
    }

    /// Returns the rate in percent, rounded.
    pub fn percent(self) -> u64 {
        let (part, whole) = (u128::from(self.part), u128::from(self.whole));
        ((part * 200 + whole) / (whole * 2)) as u64
    }

    /// Compares two rates.
    pub fn order(self, other: Self) -> Ordering {
        let one = u128::from(self.part) * u128::from(other.whole);
        let two = u128::from(other.part) * u128::from(self.whole);
        one.cmp(&two)
    }
}
