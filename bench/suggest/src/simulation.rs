//! Simulated reviews of a queue, with the offers of the model.

use fastrand::Rng;
use lead_workspace::app::model::approval_model::{
    ApprovalModel, DecisionLog, LeadFacts, MIN_DECISIONS, next_training,
};

use crate::leads::ReviewLead;
use crate::reviewers::Reviewer;

/// Minimum number of leads of an offer.
const MIN_OFFER: usize = 5;

/// Agreement that limits of the score must reach, in percent.
const SCORE_AGREEMENT: f64 = 98.0;

/// How a queue is reviewed.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Whether the reviewer decides again on unusual decisions.
    pub checks: bool,
    /// Whether rejections are offered, too.
    pub rejects: bool,
    /// Whether the likeliest leads come first, once there is a model. Otherwise the order stays.
    pub is_ordered: bool,
}

/// Result of the review of a queue.
#[derive(Clone, Copy, Debug, Default)]
pub struct Review {
    /// Leads, and how many of them the rule approves.
    pub leads: usize,
    pub approved: usize,
    /// Leads decided by accepting an offer.
    pub offered: usize,
    /// Of these: as the rule says.
    pub right: usize,
    /// Accepted offers, and decisions that were made again.
    pub extra: usize,
    /// Number of decisions before the first offer.
    pub first: Option<usize>,
}

impl Review {
    /// Returns the share of the leads that the rule approves, in percent.
    pub fn approves(&self) -> f64 {
        percent(self.approved, self.leads)
    }

    /// Returns the share of the decisions that were saved, in percent. Negative if checks cost more.
    pub fn saved(&self) -> f64 {
        percent(self.offered, self.leads) - percent(self.extra, self.leads)
    }

    /// Returns the share of the offered leads that the rule decides in the same way, in percent.
    pub fn agreement(&self) -> Option<f64> {
        (self.offered > 0).then(|| percent(self.right, self.offered))
    }
}

/// Quality of the likelihoods of leads that were not decided, measured against the rule.
#[derive(Clone, Copy, Debug)]
pub struct Forecast {
    /// In percent.
    pub accuracy: f64,
    /// Accuracy of always naming the more frequent outcome, in percent.
    pub majority: f64,
    pub brier: f64,
}

/// Reviews a queue. `noise` is the percentage of decisions that differ from the rule.
pub fn review(
    queue: &[ReviewLead],
    reviewer: &Reviewer,
    noise: u64,
    seed: u64,
    policy: Policy,
) -> Review {
    let mut random = Rng::with_seed(seed);
    let mut decide = |lead: &ReviewLead| (reviewer.approves)(lead) != (random.u64(..100) < noise);
    let mut pending: Vec<usize> = (0..queue.len()).rev().collect();
    let mut log = DecisionLog::default();
    let mut review = Review {
        leads: queue.len(),
        approved: queue
            .iter()
            .filter(|lead| (reviewer.approves)(lead))
            .count(),
        ..Review::default()
    };
    let (mut decided, mut train_at) = (0, MIN_DECISIONS);
    while let Some(next) = pending.pop() {
        let lead = &queue[next];
        log.record(&lead.id, &lead.facts, decide(lead));
        decided += 1;
        if decided < train_at {
            continue;
        }
        train_at = decided + next_training(decided);
        let Some(mut model) = ApprovalModel::train(&log) else {
            continue;
        };
        if policy.checks && !model.unusual_decisions().is_empty() {
            for unusual in model.unusual_decisions() {
                let lead = queue.iter().find(|lead| lead.id == unusual.lead);
                if let Some(lead) = lead {
                    log.record(&lead.id, &lead.facts, decide(lead));
                    review.extra += 1;
                }
            }
            let Some(checked) = ApprovalModel::train(&log) else {
                continue;
            };
            model = checked;
        }
        accept_offers(&mut review, &mut pending, queue, reviewer, &model, policy);
        if review.first.is_none() && review.offered > 0 {
            review.first = Some(decided);
        }
        if policy.is_ordered && model.held_out().is_informative() {
            let likelihood = |at: &usize| model.likelihood(&queue[*at].facts);
            // The last one is next.
            pending.sort_by(|one, other| likelihood(one).total_cmp(&likelihood(other)));
        }
    }
    review
}

/// Accepts what the model offers, and removes it from the queue.
fn accept_offers(
    review: &mut Review,
    pending: &mut Vec<usize>,
    queue: &[ReviewLead],
    reviewer: &Reviewer,
    model: &ApprovalModel,
    policy: Policy,
) {
    let facts = pending.iter().map(|at| queue[*at].facts.clone());
    let facts: Vec<LeadFacts> = facts.collect();
    let mut offers = vec![(model.offer_approval(&facts), true)];
    if policy.rejects {
        offers.push((model.offer_rejection(&facts), false));
    }
    let mut is_decided = vec![false; pending.len()];
    for (offer, approves) in offers {
        if offer.len() < MIN_OFFER {
            continue;
        }
        review.extra += 1;
        review.offered += offer.len();
        for at in offer {
            is_decided[at] = true;
            let rule = (reviewer.approves)(&queue[pending[at]]);
            review.right += usize::from(rule == approves);
        }
    }
    let mut is_decided = is_decided.into_iter();
    pending.retain(|_| !is_decided.next().unwrap_or(false));
}

/// Trains on the first decisions and compares the likelihoods of all other leads with the rule.
pub fn forecast(
    queue: &[ReviewLead],
    reviewer: &Reviewer,
    noise: u64,
    seed: u64,
    decisions: usize,
) -> Option<Forecast> {
    let mut random = Rng::with_seed(seed);
    let (decided, rest) = queue.split_at_checked(decisions)?;
    let mut log = DecisionLog::default();
    for lead in decided {
        let approves = (reviewer.approves)(lead) != (random.u64(..100) < noise);
        log.record(&lead.id, &lead.facts, approves);
    }
    let model = ApprovalModel::train(&log)?;
    let (mut right, mut approved, mut brier) = (0, 0, 0.0);
    for lead in rest {
        let (likelihood, rule) = (model.likelihood(&lead.facts), (reviewer.approves)(lead));
        right += usize::from((likelihood >= 0.5) == rule);
        approved += usize::from(rule);
        brier += (likelihood - f64::from(u8::from(rule))).powi(2);
    }
    Some(Forecast {
        accuracy: percent(right, rest.len()),
        majority: percent(approved.max(rest.len() - approved), rest.len()),
        brier: brier / rest.len() as f64,
    })
}

/// Returns the share of the queue that the best limits of the score decide, in percent: all above
/// the upper limit are approved and, if `rejects`, all below the lower one rejected. The limits are
/// the best in hindsight, and cost no decisions.
pub fn by_score(queue: &[ReviewLead], reviewer: &Reviewer, rejects: bool) -> f64 {
    let scored = queue
        .iter()
        .map(|lead| (lead.score, (reviewer.approves)(lead)));
    let mut scored: Vec<(f64, bool)> = scored.collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0));
    let approved = longest(&scored, true);
    let mut below = scored.split_off(approved);
    below.reverse();
    let rejected = if rejects { longest(&below, false) } else { 0 };
    percent(approved + rejected, queue.len())
}

/// Returns how many leads, whole scores only, can be decided in the same way from the start.
fn longest(scored: &[(f64, bool)], approves: bool) -> usize {
    let (mut right, mut longest) = (0, 0);
    for (at, (score, rule)) in scored.iter().enumerate() {
        right += usize::from(*rule == approves);
        let ends_here = scored.get(at + 1).is_none_or(|next| next.0 != *score);
        if ends_here && percent(right, at + 1) >= SCORE_AGREEMENT {
            longest = at + 1;
        }
    }
    longest
}

fn percent(part: usize, of: usize) -> f64 {
    part as f64 / of.max(1) as f64 * 100.0
}
