//! Bars from the average share of approved leads to that of each value. Lengths are thousandths of the width.

use super::ByStatus;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareBar {
    pub from: u64,
    pub to: u64,
    /// Whether the share is above the average.
    pub is_above: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShareBars {
    /// Position of the average.
    pub average: u64,
    pub bars: Vec<ShareBar>,
}

/// Returns the bars. The lowest share is at the left end, the highest at the right one.
pub fn share_bars(values: &[ByStatus], all: ByStatus) -> ShareBars {
    let average = share(all);
    let shares: Vec<u64> = values.iter().copied().map(share).collect();
    let with_average = || shares.iter().copied().chain([average]);
    let low = with_average().min().unwrap_or_default();
    let high = with_average().max().unwrap_or_default();
    let place = |share: u64| (share - low) * 1000 / (high - low).max(1);
    let average_at = place(average);
    let bars = shares.iter().map(|share| {
        let at = place(*share);
        ShareBar {
            from: at.min(average_at),
            to: at.max(average_at),
            is_above: *share > average,
        }
    });
    ShareBars {
        bars: bars.collect(),
        average: average_at,
    }
}

/// Returns the share in hundredths of a percent.
fn share(counts: ByStatus) -> u64 {
    let (approved, decided) = (counts.approved(), counts.decided());
    let (approved, decided) = (approved.unwrap_or_default(), decided.unwrap_or_default());
    approved * 10_000 / decided.max(1)
}
