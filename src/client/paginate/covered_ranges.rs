//! Positions of a list known to hold no row that is still to be read, while the list changes. Pure.

/// Disjoint, sorted ranges of positions, from 0. [`END`] is greater than every position.
#[derive(Clone, Debug)]
pub(super) struct CoveredRanges {
    ranges: Vec<(u64, u64)>,
    /// The first position that is requested at all.
    floor: u64,
}

/// Past the last row, wherever that is.
pub(super) const END: u64 = u64::MAX;

impl CoveredRanges {
    pub(super) fn new(floor: u64) -> Self {
        Self {
            ranges: Vec::new(),
            floor,
        }
    }

    /// Records that rows left or entered the list at unknown positions. A position stays covered
    /// only if all positions that its row can have come from were covered.
    pub(super) fn moved(&mut self, removed: u64, added: u64) {
        let floor = self.floor;
        self.ranges.retain_mut(|(from, to)| {
            if *from > floor {
                *from = from.saturating_add(added);
            }
            if *to != END {
                *to = to.saturating_sub(removed);
            }
            from < to
        });
    }

    /// Records that a page returned the rows at these positions.
    pub(super) fn add(&mut self, from: u64, to: u64) {
        let at = self.ranges.partition_point(|range| *range < (from, to));
        self.ranges.insert(at, (from, to));
        let mut apart: Vec<(u64, u64)> = Vec::with_capacity(self.ranges.len());
        for (from, to) in self.ranges.drain(..) {
            match apart.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => apart.push((from, to)),
            }
        }
        self.ranges = apart;
    }

    /// Returns the first position that is not covered.
    pub(super) fn first_open(&self) -> u64 {
        match self.ranges.first() {
            Some((from, to)) if *from <= self.floor => *to,
            _ => self.floor,
        }
    }

    /// Whether positions after the first uncovered one are covered.
    pub(super) fn has_gap(&self) -> bool {
        let last = self.ranges.last();
        last.is_some_and(|(_, to)| *to != self.first_open())
    }

    /// Whether the end of the list was reached.
    pub(super) fn reaches_end(&self) -> bool {
        self.ranges.last().is_some_and(|(_, to)| *to == END)
    }
}
