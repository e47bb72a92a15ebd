//! How well the model predicts decisions that it was not trained on.

use super::logistic::{curvature_bound, sigmoid};
use crate::app::model::wilson::interval;

/// A decision, and the likelihood of approval according to a model that was trained without it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOutDecision {
    pub likelihood: f64,
    pub approved: bool,
}

/// All decisions, each predicted without it. Sorted by likelihood, highest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldOut(Vec<HeldOutDecision>);

/// Minimum share of the held-out decisions above a limit that must agree with an offer.
pub const MIN_AGREEMENT: f64 = 0.98;

/// Standard deviations of the lower end of Wilson's interval: one-sided, 95 %. At 90 %, one of twelve simulated
/// reviews had offers below [`MIN_AGREEMENT`].
const DEVIATIONS: f64 = 1.645;

/// Standard deviations by which the order of the decisions must differ from chance.
const ORDER: f64 = 2.6;

impl HeldOut {
    /// Takes the decisions, the highest likelihood first.
    pub(super) fn new(sorted: impl Iterator<Item = HeldOutDecision>) -> Self {
        Self(sorted.collect())
    }

    pub fn decisions(&self) -> usize {
        self.0.len()
    }

    /// Returns how many decisions were predicted right: those with at least 50 % were approved.
    pub fn agreed(&self) -> usize {
        let right = |one: &&HeldOutDecision| (one.likelihood >= 0.5) == one.approved;
        self.0.iter().filter(right).count()
    }

    /// Returns how many decisions would be predicted right by always naming the more frequent one.
    pub fn majority(&self) -> usize {
        let approved = self.approved();
        approved.max(self.0.len() - approved)
    }

    /// Returns in how many percent of all pairs of an approved and another lead the approved one has
    /// the higher likelihood. 50 is chance.
    pub fn ordered_percent(&self) -> u8 {
        (self.ordered() * 100.0).round() as u8
    }

    /// Whether the order of the decisions by likelihood is clearly better than chance. If not, the
    /// likelihood must not be shown.
    pub fn is_informative(&self) -> bool {
        let approved = self.approved() as f64;
        let all = self.0.len() as f64;
        let pairs = approved * (all - approved);
        // The standard deviation if the order were random (Mann and Whitney).
        pairs > 0.0 && self.ordered() - 0.5 > ORDER * ((all + 1.0) / (12.0 * pairs)).sqrt()
    }

    /// Returns the lowest likelihood from which on leads may be offered for approval.
    pub(super) fn approve_from(&self) -> Option<f64> {
        let agrees = |one: &HeldOutDecision| one.approved;
        let last = supported(self.0.iter().map(agrees))?;
        Some(self.0[last].likelihood)
    }

    /// Returns the highest likelihood up to which leads may be offered for rejection.
    pub(super) fn reject_up_to(&self) -> Option<f64> {
        let agrees = |one: &HeldOutDecision| !one.approved;
        let last = supported(self.0.iter().rev().map(agrees))?;
        Some(self.0[self.0.len() - 1 - last].likelihood)
    }

    fn approved(&self) -> usize {
        self.0.iter().filter(|one| one.approved).count()
    }

    fn ordered(&self) -> f64 {
        let approved = self.approved();
        let pairs = approved * (self.0.len() - approved);
        let (mut above, mut ordered) = (0, 0);
        for one in &self.0 {
            match one.approved {
                true => above += 1,
                false => ordered += above,
            }
        }
        if pairs == 0 {
            0.5
        } else {
            ordered as f64 / pairs as f64
        }
    }
}

/// Returns the index of the last decision up to which enough agree.
fn supported(agrees: impl Iterator<Item = bool>) -> Option<usize> {
    let (mut agreed, mut last) = (0.0, None);
    for (index, agrees) in agrees.enumerate() {
        agreed += f64::from(u8::from(agrees));
        let (lowest, _) = interval(agreed, (index + 1) as f64, DEVIATIONS);
        if agrees && lowest >= MIN_AGREEMENT {
            last = Some(index);
        }
    }
    last
}

/// Converts the log odds of the regression, which are too certain if there are few decisions, to
/// the likelihood of an approval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Calibration {
    factor: f64,
    base: f64,
}

impl Calibration {
    /// Fits the two numbers to held-out log odds (Platt). The targets are not quite 0 and 1, so that
    /// few decisions never give certainty.
    pub fn new(held_out: &[(f64, bool)]) -> Self {
        let approved = held_out.iter().filter(|(_, approved)| *approved).count() as f64;
        let others = held_out.len() as f64 - approved;
        let (high, low) = ((approved + 1.0) / (approved + 2.0), 1.0 / (others + 2.0));
        let mut fitted = Self {
            factor: 0.0,
            base: 0.0,
        };
        for _ in 0..30 {
            let (mut one, mut by, mut square) = (1e-6, 0.0, 1e-6);
            let (mut slope, mut slope_by) = (0.0, 0.0);
            for (log_odds, approved) in held_out {
                let value = fitted.factor * log_odds + fitted.base;
                let likelihood = sigmoid(value);
                let curvature = curvature_bound(value);
                let missing = if *approved { high } else { low } - likelihood;
                one += curvature;
                by += curvature * log_odds;
                square += curvature * log_odds * log_odds;
                slope += missing;
                slope_by += missing * log_odds;
            }
            let determinant = one * square - by * by;
            fitted.factor += (one * slope_by - by * slope) / determinant;
            fitted.base += (square * slope - by * slope_by) / determinant;
        }
        // A negative factor would turn the order around.
        fitted.factor = fitted.factor.max(0.0);
        fitted
    }

    pub fn likelihood(self, log_odds: f64) -> f64 {
        sigmoid(self.factor * log_odds + self.base)
    }
}
