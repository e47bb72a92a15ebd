//! Which places of a list are known to hold no row that is still to be met, while the list changes. Pure.

/// Ranges of places, from 0, in order and apart. [`END`] is beyond every place.
#[derive(Clone, Debug)]
pub(super) struct Covered {
    ranges: Vec<(u64, u64)>,
    /// The first place that is asked for at all.
    floor: u64,
}

/// Beyond the last row, wherever that is.
pub(super) const END: u64 = u64::MAX;

impl Covered {
    pub(super) fn new(floor: u64) -> Self {
        Self {
            ranges: Vec::new(),
            floor,
        }
    }

    /// Rows left the list or came into it, nobody knows where: only a place whose neighbours were covered, as
    /// far away as rows can have moved, is covered still.
    pub(super) fn moved(&mut self, gone: u64, come: u64) {
        let floor = self.floor;
        self.ranges.retain_mut(|(from, to)| {
            if *from > floor {
                *from = from.saturating_add(come);
            }
            if *to != END {
                *to = to.saturating_sub(gone);
            }
            from < to
        });
    }

    /// A page brought what is at these places.
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

    /// The first place that is not covered.
    pub(super) fn first_open(&self) -> u64 {
        match self.ranges.first() {
            Some((from, to)) if *from <= self.floor => *to,
            _ => self.floor,
        }
    }

    /// Whether places behind the first open one are covered.
    pub(super) fn has_gap(&self) -> bool {
        let last = self.ranges.last();
        last.is_some_and(|(_, to)| *to != self.first_open())
    }

    /// Whether the end of the list was met.
    pub(super) fn reaches_end(&self) -> bool {
        self.ranges.last().is_some_and(|(_, to)| *to == END)
    }
}
