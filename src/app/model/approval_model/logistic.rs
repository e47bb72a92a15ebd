//! Logistic regression on facts that a lead has or has not.

use super::fact_table::{FIRST_TEXT, LEVELS};

/// Strength of the L2 penalty on a fact: it needs several decisions before it counts much.
const PENALTY: f64 = 2.0;

/// The same for the difference between two neighboring levels.
const LEVEL_PENALTY: f64 = 1.0;

/// The same for the base, only so that the solution is unique.
const BASE_PENALTY: f64 = 1e-3;

/// Maximum number of steps, each of at most [`INNER_STEPS`] conjugate gradient steps.
const STEPS: usize = 12;
const INNER_STEPS: usize = 12;

/// Returns the likelihood for log odds.
pub(super) fn sigmoid(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// Decisions to learn from: the numbers of the facts that each lead has, and whether it was approved.
pub(super) struct Examples<'a> {
    pub facts: Vec<&'a [u32]>,
    pub approved: Vec<bool>,
    /// One more than the highest number of a fact.
    pub numbers: usize,
}

/// Returns the effect of each fact on the log odds of approval. The effect of number 0, which every
/// lead has, is the base.
///
/// Each level has the effect of the level below plus a difference, and the penalty applies to the
/// differences. So neighboring levels have similar effects unless the decisions say otherwise.
pub(super) fn fit(examples: &Examples<'_>) -> Vec<f64> {
    let penalties = penalties(examples.numbers);
    let mut weights = vec![0.0; examples.numbers];
    for _ in 0..STEPS {
        let log_odds = examples.multiply(&weights);
        let mut curvature = Vec::with_capacity(log_odds.len());
        let mut residual = Vec::with_capacity(log_odds.len());
        for (log_odds, approved) in log_odds.iter().zip(&examples.approved) {
            curvature.push(curvature_bound(*log_odds));
            residual.push(f64::from(u8::from(*approved)) - sigmoid(*log_odds));
        }
        let mut rest = examples.multiply_transposed(&residual);
        for ((rest, weight), penalty) in rest.iter_mut().zip(&weights).zip(&penalties) {
            *rest -= penalty * weight;
        }

        // Solves for the step with conjugate gradients.
        let start = dot(&rest, &rest);
        if start < 1e-6 {
            break;
        }
        let mut left = start;
        let mut direction = rest.clone();
        for _ in 0..INNER_STEPS {
            let mut along = examples.multiply(&direction);
            for (along, curvature) in along.iter_mut().zip(&curvature) {
                *along *= curvature;
            }
            let mut bent = examples.multiply_transposed(&along);
            for ((bent, direction), penalty) in bent.iter_mut().zip(&direction).zip(&penalties) {
                *bent += penalty * direction;
            }
            let length = left / dot(&direction, &bent);
            add(&mut weights, length, &direction);
            add(&mut rest, -length, &bent);
            let now = dot(&rest, &rest);
            if now < 1e-4 * start {
                break;
            }
            for (direction, rest) in direction.iter_mut().zip(&rest) {
                *direction = rest + now / left * *direction;
            }
            left = now;
        }
    }
    sum_levels(&mut weights);
    weights
}

/// Returns the curvature of a quadratic upper bound of the loss that touches it here (Jaakkola and
/// Jordan). With it every step lowers the loss, without a line search.
pub(super) fn curvature_bound(log_odds: f64) -> f64 {
    match log_odds.abs() {
        ..1e-3 => 0.25,
        _ => (sigmoid(log_odds) - 0.5) / log_odds,
    }
}

fn penalties(numbers: usize) -> Vec<f64> {
    let mut penalties = vec![PENALTY; numbers];
    penalties[..FIRST_TEXT as usize].fill(LEVEL_PENALTY);
    penalties[0] = BASE_PENALTY;
    penalties
}

impl Examples<'_> {
    /// Returns the sum of the weights of each example.
    fn multiply(&self, weights: &[f64]) -> Vec<f64> {
        let mut effects = weights.to_vec();
        sum_levels(&mut effects);
        let sum = |facts: &&[u32]| sum_of(&effects, facts);
        self.facts.iter().map(sum).collect()
    }

    /// Returns, for each weight, the sum of the values of the examples that it applies to.
    fn multiply_transposed(&self, values: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.numbers];
        for (facts, value) in self.facts.iter().zip(values) {
            sums[0] += value;
            for number in *facts {
                sums[*number as usize] += value;
            }
        }
        for (_, first, levels) in LEVELS {
            for at in (first + 1..first + levels).rev() {
                sums[at as usize - 1] += sums[at as usize];
            }
        }
        sums
    }
}

/// Returns the log odds of a lead with these facts.
pub(super) fn sum_of(effects: &[f64], facts: &[u32]) -> f64 {
    facts
        .iter()
        .fold(effects[0], |sum, number| sum + effects[*number as usize])
}

/// Turns differences between levels into effects of levels.
fn sum_levels(weights: &mut [f64]) {
    for (_, first, levels) in LEVELS {
        for at in first + 1..first + levels {
            weights[at as usize] += weights[at as usize - 1];
        }
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn add(to: &mut [f64], times: f64, values: &[f64]) {
    for (to, value) in to.iter_mut().zip(values) {
        *to += times * value;
    }
}
