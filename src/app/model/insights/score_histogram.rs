//! Decisions by ICP score, and the score that separates them best. Pure.

use lead_workspace_api::{FacetSearchResult, LeadFacetQuery, LeadField, filter};

use super::super::account_pulse::reply_rate::Rate;
use super::super::view::LeadsView;
use super::super::view_counts;
use super::{Totals, status_query};

/// Number of ranges of scores, and of requests.
pub const RANGES: u64 = 10;

/// Points of a range.
pub const POINTS: u64 = 10;

/// Approved and rejected leads with a score in one range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScoreRange {
    pub approved: u64,
    pub rejected: u64,
}

/// The ranges from score 0 upwards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreHistogram(pub Vec<ScoreRange>);

/// A score to approve from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    pub score: u64,
    /// Share of the decisions that it reproduces.
    pub agreement: Rate,
}

/// Returns the query that counts the statuses of the leads in a range of scores, counted from 0. The last one includes
/// its upper end.
pub fn query(view: &LeadsView, range: u64) -> LeadFacetQuery {
    let mut query = status_query(view);
    let from = range * POINTS;
    query.filters.push(filter(LeadField::IcpScore).gte(from));
    if range + 1 < RANGES {
        let to = from + POINTS;
        query.filters.push(filter(LeadField::IcpScore).lt(to));
    }
    query
}

/// Reads the response to a query.
pub fn read(results: &[FacetSearchResult]) -> Option<ScoreRange> {
    let counts = view_counts::by_status(results.first()?)?;
    let counts = Totals::from_counts(&counts).counts;
    Some(ScoreRange {
        approved: counts.approved()?,
        rejected: counts.rejected()?,
    })
}

impl ScoreHistogram {
    /// Returns the number of decided leads with a score.
    pub fn decided(&self) -> u64 {
        self.approved() + self.rejected()
    }

    fn approved(&self) -> u64 {
        self.0.iter().map(|range| range.approved).sum()
    }

    fn rejected(&self) -> u64 {
        self.0.iter().map(|range| range.rejected).sum()
    }

    /// Returns the lowest score that reproduces the most decisions if leads are approved from it on. `None` if the same
    /// answer for all leads reproduces as many.
    pub fn threshold(&self) -> Option<Threshold> {
        let mut agreed = self.approved();
        let mut best = (0, agreed.max(self.rejected()));
        for (range, score) in self.0.iter().zip((POINTS..).step_by(POINTS as usize)) {
            // From this score on, the range is rejected, too.
            agreed = agreed + range.rejected - range.approved;
            if agreed > best.1 {
                best = (score, agreed);
            }
        }
        let agreement = Rate::new(Some(best.1), Some(self.decided()))?;
        (best.0 > 0).then_some(Threshold {
            score: best.0,
            agreement,
        })
    }
}
