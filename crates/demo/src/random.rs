//! Reproducible random numbers: a pure function of a seed, a kind and a number.

use jiff::SignedDuration;

/// A stream of random numbers that depends only on its parameters (SplitMix64), so that the demo
/// data is the same on every machine and a row can be made without the rows before it.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

/// What is being made. Streams of different kinds are independent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Company = 1,
    CompanySize,
    Lead,
    LeadCompany,
    Outreach,
    Id,
    Catalog,
    SignalRun,
    Decision,
}

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Random {
    /// Returns the stream for the object with this number.
    pub(crate) fn new(seed: u64, kind: Kind, number: u64) -> Self {
        let kind = mix(seed.wrapping_add(STEP)) ^ (kind as u64).wrapping_mul(STEP);
        Self(mix(kind) ^ mix(number.wrapping_mul(STEP).wrapping_add(1)))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// Returns a number from 0 up to, but not including, `end`; 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        // The high half of a wide product is uniform enough, and needs no division.
        let wide = u128::from(self.next()) * u128::from(end);
        u64::try_from(wide >> 64).unwrap_or_default()
    }

    /// Returns an index into a slice of this length.
    pub(crate) fn index(&mut self, len: usize) -> usize {
        usize::try_from(self.below(len as u64)).unwrap_or_default()
    }

    /// Returns a number between two, both included.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + i64::try_from(self.below(low.abs_diff(high) + 1)).unwrap_or_default()
    }

    /// Returns a duration of whole milliseconds, at most `longest`.
    pub(crate) fn up_to(&mut self, longest: SignedDuration) -> SignedDuration {
        let longest = i64::try_from(longest.as_millis()).unwrap_or_default();
        SignedDuration::from_millis(self.between(0, longest))
    }

    /// Returns true in `share` percent of all cases.
    pub(crate) fn percent(&mut self, share: u64) -> bool {
        self.below(100) < share
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.index(of.len())]
    }

    /// Picks an index by weight.
    pub(crate) fn weighted(&mut self, weights: impl IntoIterator<Item = u32> + Clone) -> usize {
        let sum: u64 = weights.clone().into_iter().map(u64::from).sum();
        let mut left = self.below(sum);
        for (at, weight) in weights.into_iter().enumerate() {
            match left.checked_sub(u64::from(weight)) {
                Some(rest) => left = rest,
                None => return at,
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Random};

    #[test]
    fn streams_are_reproducible_and_differ() {
        let first = |seed, kind, number| Random::new(seed, kind, number).next();
        assert_eq!(first(1, Kind::Lead, 7), first(1, Kind::Lead, 7));
        let all = [
            first(1, Kind::Lead, 7),
            first(2, Kind::Lead, 7),
            first(1, Kind::Lead, 8),
            first(1, Kind::Company, 7),
        ];
        for (at, number) in all.iter().enumerate() {
            assert!(!all[at + 1..].contains(number));
        }
    }

    #[test]
    fn numbers_are_uniformly_distributed() {
        let mut random = Random::new(1, Kind::Lead, 0);
        let mut counts = [0_u32; 10];
        for _ in 0..100_000 {
            counts[random.index(10)] += 1;
        }
        assert!(
            counts.iter().all(|n| (9_500..10_500).contains(n)),
            "{counts:?}"
        );
        let mut weighted = [0_u32; 3];
        for _ in 0..100_000 {
            weighted[random.weighted([70, 0, 30])] += 1;
        }
        assert!((69_000..71_000).contains(&weighted[0]), "{weighted:?}");
        assert_eq!(weighted[1], 0);
        assert_eq!(random.below(0), 0);
        assert!((0..1000).all(|_| (-2..=2).contains(&random.between(-2, 2))));
    }
}
