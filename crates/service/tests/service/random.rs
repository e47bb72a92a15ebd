//! Random numbers (SplitMix64), the same for the same seed.

pub struct Random(pub u64);

impl Random {
    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    /// A number below `length`, or 0.
    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length.max(1) as u64)).unwrap()
    }
}
