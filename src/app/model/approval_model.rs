//! How likely the user approves a lead: a small model, trained in the browser on the user's own
//! decisions. It orders and offers, and never decides.

use self::decision_log::LoggedDecision;
use self::fact_table::FactTable;
use self::held_out::Calibration;
use self::logistic::{Examples, fit, sum_of};

pub use self::decision_log::{DecisionLog, MAX_DECISIONS};
pub use self::explanation::Explanation;
pub use self::held_out::{HeldOut, HeldOutDecision, MIN_AGREEMENT};
pub use self::lead_facts::{FactKind, LeadFact, LeadFacts};
pub use self::progress::Progress;

mod decision_log;
mod explanation;
mod fact_table;
mod held_out;
mod lead_facts;
mod logistic;
mod progress;
mod title;

/// Minimum number of decisions to learn from.
pub const MIN_DECISIONS: usize = 30;

/// Minimum number of approvals, and of other decisions, to learn from.
pub const MIN_PER_OUTCOME: usize = 5;

/// A model is trained again after this many decisions, and at least a tenth of all. A test of every
/// single new decision would sooner or later pass by chance.
const TRAIN_EVERY: usize = 20;

/// Number of groups of decisions. Each is predicted by a model of the other groups.
const FOLDS: usize = 5;

/// Likelihood at which a held-out decision for the other outcome is unusual.
const UNUSUAL: f64 = 0.85;

/// Returns after how many more decisions a model of this many is trained again.
pub fn next_training(decisions: usize) -> usize {
    TRAIN_EVERY.max(decisions / 10)
}

/// A decision that most similar decisions differ from.
#[derive(Clone, Debug, PartialEq)]
pub struct UnusualDecision {
    /// Id of the lead.
    pub lead: String,
    pub approved: bool,
    /// Likelihood of approval according to the other decisions.
    pub likelihood: f64,
}

/// A trained model.
#[derive(Clone, Debug)]
pub struct ApprovalModel {
    table: FactTable,
    /// Effect of each fact on the log odds of approval.
    effects: Vec<f64>,
    /// How many leads with each fact were approved, and how many were decided.
    counts: Vec<(u32, u32)>,
    calibration: Calibration,
    held_out: HeldOut,
    unusual: Vec<UnusualDecision>,
    approve_from: Option<f64>,
    reject_up_to: Option<f64>,
}

/// Training in steps, so that each fits an idle moment of the browser.
pub struct Training {
    log: DecisionLog,
    /// The fold of each decision.
    folds: Vec<usize>,
    next_fold: usize,
    /// Log odds of each decision according to a model of the other folds, and whether it was approved.
    log_odds: Vec<(f64, bool)>,
}

impl Training {
    /// Returns `None` if there are too few decisions, or nearly all are the same.
    pub fn new(log: DecisionLog) -> Option<Self> {
        let decisions: Vec<&LoggedDecision> = log.decisions().collect();
        let approved = log.approved();
        let fewer = approved.min(decisions.len() - approved);
        if decisions.len() < MIN_DECISIONS || fewer < MIN_PER_OUTCOME {
            return None;
        }
        Some(Self {
            folds: folds(&decisions),
            next_fold: 0,
            log_odds: vec![(0.0, false); decisions.len()],
            log,
        })
    }

    /// Predicts the decisions of the next fold. Returns `false` once all are predicted.
    pub fn step(&mut self) -> bool {
        let fold = self.next_fold;
        self.next_fold += 1;
        let decisions: Vec<&LoggedDecision> = self.log.decisions().collect();
        let is_other = |index: &usize| self.folds[*index] != fold;
        let effects = fit(&examples(&decisions, self.log.table().numbers(), is_other));
        for (index, decision) in decisions.iter().enumerate() {
            if self.folds[index] == fold {
                self.log_odds[index] = (sum_of(&effects, &decision.facts), decision.approved);
            }
        }
        self.next_fold < FOLDS
    }

    /// Trains the model on all decisions. Call it after the last step.
    pub fn finish(self) -> ApprovalModel {
        let decisions: Vec<&LoggedDecision> = self.log.decisions().collect();
        let numbers = self.log.table().numbers();
        let calibration = Calibration::new(&self.log_odds);
        let likelihood = |(log_odds, _): &(f64, bool)| calibration.likelihood(*log_odds);
        let likelihoods: Vec<f64> = self.log_odds.iter().map(likelihood).collect();
        let held_out = descending(&likelihoods).into_iter();
        let held_out = HeldOut::new(held_out.map(|index| HeldOutDecision {
            likelihood: likelihoods[index],
            approved: decisions[index].approved,
        }));

        let mut counts = vec![(0, 0); numbers];
        for decision in &decisions {
            for number in decision.facts.iter().chain(&[0]) {
                let (approved, all) = &mut counts[*number as usize];
                *approved += u32::from(decision.approved);
                *all += 1;
            }
        }
        let informative = held_out.is_informative();
        ApprovalModel {
            effects: fit(&examples(&decisions, numbers, |_| true)),
            counts,
            calibration,
            unusual: unusual(&likelihoods, &decisions),
            approve_from: held_out.approve_from().filter(|_| informative),
            reject_up_to: held_out.reject_up_to().filter(|_| informative),
            held_out,
            table: self.log.table().clone(),
        }
    }
}

/// Returns a likelihood in percent, 1 to 99: a model is never certain.
pub fn percent(likelihood: f64) -> u8 {
    (likelihood * 100.0).round().clamp(1.0, 99.0) as u8
}

/// What the user is told about a pending lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// Likelihood of approval, see [`percent`].
    pub percent: u8,
    pub explanation: Explanation,
}

impl ApprovalModel {
    /// Trains a model at once; see [`Training`].
    pub fn train(log: &DecisionLog) -> Option<Self> {
        let mut training = Training::new(log.clone())?;
        while training.step() {}
        Some(training.finish())
    }

    /// Returns how likely the user approves a lead, see [`percent`]; `None` if the model is not clearly better than
    /// chance.
    pub fn percent(&self, lead: &LeadFacts) -> Option<u8> {
        let informative = self.held_out.is_informative();
        informative.then(|| percent(self.likelihood(lead)))
    }

    /// Returns what to say about a lead; `None` if the model is not clearly better than chance.
    pub fn suggestion(&self, lead: &LeadFacts) -> Option<Suggestion> {
        Some(Suggestion {
            percent: self.percent(lead)?,
            explanation: self.explain(lead),
        })
    }

    /// Returns how likely the user approves a lead, 0 to 1.
    pub fn likelihood(&self, lead: &LeadFacts) -> f64 {
        let sum = sum_of(&self.effects, &self.known(lead));
        self.calibration.likelihood(sum)
    }

    /// Returns what speaks most for and against the approval of a lead.
    pub fn explain(&self, lead: &LeadFacts) -> Explanation {
        Explanation::new(self, lead)
    }

    /// Returns how well held-out decisions were predicted.
    pub fn held_out(&self) -> &HeldOut {
        &self.held_out
    }

    /// Returns the decisions that differ most from similar ones, the most unusual first. Those that
    /// the user already repeated are left out.
    pub fn unusual_decisions(&self) -> &[UnusualDecision] {
        &self.unusual
    }

    /// Returns the indices of the leads that may be offered for approval together, the most likely
    /// first: those with a likelihood from which on held-out decisions agree
    /// ([`MIN_AGREEMENT`]). Empty if there are too few held-out decisions to tell.
    pub fn offer_approval(&self, pending: &[LeadFacts]) -> Vec<usize> {
        self.offer(pending, |likelihood| {
            self.approve_from.is_some_and(|from| likelihood >= from)
        })
    }

    /// Returns the indices of the leads that may be offered for rejection together, the most likely to
    /// be approved first; see [`offer_approval`](Self::offer_approval).
    pub fn offer_rejection(&self, pending: &[LeadFacts]) -> Vec<usize> {
        self.offer(pending, |likelihood| {
            self.reject_up_to.is_some_and(|up_to| likelihood <= up_to)
        })
    }

    /// Returns whether there may be offers of approvals, and of rejections.
    pub fn offers(&self) -> (bool, bool) {
        (self.approve_from.is_some(), self.reject_up_to.is_some())
    }

    fn offer(&self, pending: &[LeadFacts], is_sure: impl Fn(f64) -> bool) -> Vec<usize> {
        let mut offer = self.order(pending);
        offer.retain(|index| is_sure(self.likelihood(&pending[*index])));
        offer
    }

    /// Returns the indices of the leads, the most likely to be approved first.
    pub fn order(&self, leads: &[LeadFacts]) -> Vec<usize> {
        let likelihoods = leads.iter().map(|lead| self.likelihood(lead));
        descending(&likelihoods.collect::<Vec<f64>>())
    }

    /// Returns the numbers of the facts that the model knows.
    fn known(&self, lead: &LeadFacts) -> Vec<u32> {
        let facts = lead.facts().iter();
        facts.filter_map(|fact| self.table.number(fact)).collect()
    }
}

/// Assigns decisions to folds with about the same share of approvals. All leads of a company are in
/// one fold: a prediction must not know what was decided on a colleague.
fn folds(decisions: &[&LoggedDecision]) -> Vec<usize> {
    let mut companies: Vec<(u32, usize)> = Vec::new();
    let mut counts = [[0; FOLDS]; 2];
    let mut fold = |decision: &&LoggedDecision| {
        let counts = &mut counts[usize::from(decision.approved)];
        let known = companies
            .iter()
            .find(|(company, _)| *company == decision.company);
        let fold = known.map(|(_, fold)| *fold).unwrap_or_else(|| {
            let fewest = (0..FOLDS).min_by_key(|fold| counts[*fold]).unwrap_or(0);
            companies.push((decision.company, fewest));
            fewest
        });
        counts[fold] += 1;
        fold
    };
    decisions.iter().map(&mut fold).collect()
}

fn examples<'a>(
    decisions: &[&'a LoggedDecision],
    numbers: usize,
    is_used: impl Fn(&usize) -> bool,
) -> Examples<'a> {
    let used = (0..decisions.len()).filter(is_used);
    let used: Vec<&LoggedDecision> = used.map(|index| decisions[index]).collect();
    Examples {
        facts: used
            .iter()
            .map(|decision| decision.facts.as_slice())
            .collect(),
        approved: used.iter().map(|decision| decision.approved).collect(),
        numbers,
    }
}

fn unusual(likelihoods: &[f64], decisions: &[&LoggedDecision]) -> Vec<UnusualDecision> {
    let mut surprise = likelihoods.to_vec();
    for (surprise, decision) in surprise.iter_mut().zip(decisions) {
        if decision.approved {
            *surprise = 1.0 - *surprise;
        }
    }
    let mut unusual = descending(&surprise);
    unusual.retain(|index| surprise[*index] >= UNUSUAL && !decisions[*index].again);
    let unusual = unusual.into_iter().map(|index| UnusualDecision {
        lead: decisions[index].lead.clone(),
        approved: decisions[index].approved,
        likelihood: likelihoods[index],
    });
    unusual.collect()
}

/// Returns the indices of the values, the highest value first. One sort of one type is small in the
/// Wasm.
fn descending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*other].total_cmp(&values[*one]));
    order
}
