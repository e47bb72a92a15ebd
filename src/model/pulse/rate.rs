//! A part of a whole, in percent.

use std::cmp::Ordering;

/// A part of a whole that is not nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    part: u64,
    whole: u64,
}

impl Rate {
    /// The rate. None where either is not known, where the whole is nothing, and where the part is
    /// more than the whole: then the counts do not fit each other, and a rate would be a lie.
    pub fn of(part: Option<u64>, whole: Option<u64>) -> Option<Self> {
        let (part, whole) = (part?, whole?);
        (whole > 0 && part <= whole).then_some(Self { part, whole })
    }

    /// In whole percent. Only nothing is 0%, and only all of it is 100%.
    pub fn words(self) -> String {
        let (part, whole) = (u128::from(self.part), u128::from(self.whole));
        let percent = (part * 200 + whole) / (whole * 2);
        match percent {
            0 if part > 0 => "<1%".to_owned(),
            100 if part < whole => ">99%".to_owned(),
            percent => [&*percent.to_string(), "%"].concat(),
        }
    }

    /// Which of two is higher.
    pub fn order(self, other: Self) -> Ordering {
        let one = u128::from(self.part) * u128::from(other.whole);
        let two = u128::from(other.part) * u128::from(self.whole);
        one.cmp(&two)
    }
}
