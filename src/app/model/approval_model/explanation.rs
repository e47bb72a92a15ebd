//! The facts that speak most for and against the approval of a lead, with the user's own counts.

use super::fact_table::LEVELS;
use super::lead_facts::{FactKind, LeadFact, LeadFacts, SCORE_STEP};
use super::title::LEVEL_NAMES;
use super::{ApprovalModel, descending};

/// Maximum number of facts on each side.
const MAX_FACTS: usize = 2;

/// Minimum number of decided leads with a fact.
const MIN_DECIDED: u32 = 3;

/// Minimum effect on the log odds.
const MIN_EFFECT: f64 = 0.1;

/// What speaks for and against the approval of a lead: sentences, the strongest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    pub speaks_for: Vec<String>,
    pub speaks_against: Vec<String>,
}

/// A fact with its effect, compared with the average of the decided leads.
struct Effect<'a> {
    fact: &'a LeadFact,
    number: u32,
    log_odds: f64,
}

impl Explanation {
    pub(super) fn new(model: &ApprovalModel, lead: &LeadFacts) -> Self {
        let known = |fact| Some((fact, model.table.number(fact)?));
        let known = lead.facts().iter().filter_map(known);
        let effects = known.map(|(fact, number)| Effect {
            fact,
            number,
            log_odds: model.effects[number as usize] - model.average(fact),
        });
        let effects: Vec<Effect<'_>> = effects.collect();
        let strengths: Vec<f64> = effects.iter().map(|effect| effect.log_odds.abs()).collect();

        let mut explanation = Self::default();
        let mut topics: Vec<&str> = Vec::new();
        for effect in descending(&strengths)
            .into_iter()
            .map(|index| &effects[index])
        {
            let side = match effect.log_odds {
                MIN_EFFECT.. => &mut explanation.speaks_for,
                more if more <= -MIN_EFFECT => &mut explanation.speaks_against,
                _ => break,
            };
            let topic = topic(effect.fact);
            if side.len() == MAX_FACTS || topics.contains(&topic) {
                continue;
            }
            if let Some(sentence) = model.sentence(effect) {
                side.push(sentence);
                topics.push(topic);
            }
        }
        explanation
    }
}

impl ApprovalModel {
    /// Returns the average effect of the facts of this kind on the decided leads.
    fn average(&self, fact: &LeadFact) -> f64 {
        let mut sum = 0.0;
        for number in 1..self.effects.len() as u32 {
            if self.is_alternative(number, fact) {
                sum += self.effects[number as usize] * f64::from(self.counts[number as usize].1);
            }
        }
        sum / f64::from(self.counts[0].1)
    }

    /// Whether the fact with a number is one of those that a lead has instead of this one, or this one.
    fn is_alternative(&self, number: u32, fact: &LeadFact) -> bool {
        let levels = LEVELS.iter().find(|(kind, ..)| *kind == fact.kind);
        match (levels, self.table.fact(number)) {
            (Some((_, first, levels)), _) => (*first..first + levels).contains(&number),
            (None, Some(other)) => match fact.kind {
                // A title has several words, and a place several names.
                FactKind::TitleWord | FactKind::Place => other == fact,
                FactKind::ScorePart => other.kind == fact.kind && other.text == fact.text,
                kind => other.kind == kind,
            },
            (None, None) => false,
        }
    }

    /// Returns a sentence with counts; `None` if the counts are too small, or do not say the same as
    /// the effect.
    fn sentence(&self, effect: &Effect<'_>) -> Option<String> {
        let is_for = effect.log_odds > 0.0;
        let (approved, decided) = match (effect.fact.kind, is_for) {
            (FactKind::Score, true) => self.count_levels(FactKind::Score, effect.fact.level, 20),
            (FactKind::Score, false) => self.count_levels(FactKind::Score, 0, effect.fact.level),
            _ => self.counts[effect.number as usize],
        };
        let (all_approved, all) = self.counts[0];
        let (share, base) = (approved * all, all_approved * decided);
        if decided < MIN_DECIDED || (if is_for { share <= base } else { share >= base }) {
            return None;
        }
        if effect.fact.kind == FactKind::Size
            && let Some(sentence) = self.compare_size(effect.fact.level).filter(|_| !is_for)
        {
            return Some(sentence);
        }
        let label = label(effect.fact, is_for);
        Some(format!("{label}: you approved {approved} of {decided}"))
    }

    /// Compares the company with those of approved leads.
    fn compare_size(&self, level: u8) -> Option<String> {
        let (all, _) = self.count_levels(FactKind::Size, 1, 9);
        let (smaller, _) = self.count_levels(FactKind::Size, 1, level.checked_sub(1)?);
        let (up_to, _) = self.count_levels(FactKind::Size, 1, level);
        let in_ten = |count: u32| (count * 10).checked_div(all).unwrap_or(0);
        match (in_ten(smaller), in_ten(all - up_to)) {
            (10, _) => Some("Larger company than all that you approved".to_owned()),
            (tenths @ 7.., _) => Some(format!(
                "Larger company than {tenths} in 10 that you approved"
            )),
            (_, 10) => Some("Smaller company than all that you approved".to_owned()),
            (_, tenths @ 7..) => Some(format!(
                "Smaller company than {tenths} in 10 that you approved"
            )),
            _ => None,
        }
    }

    /// Counts the approved and the decided leads between two levels, both included.
    fn count_levels(&self, kind: FactKind, from: u8, to: u8) -> (u32, u32) {
        let first = LEVELS.iter().find(|(known, ..)| *known == kind);
        let first = first.map_or(0, |(_, first, _)| *first);
        let mut sum = (0, 0);
        for level in from..=to {
            let (approved, decided) = self.counts[(first + u32::from(level)) as usize];
            sum = (sum.0 + approved, sum.1 + decided);
        }
        sum
    }
}

/// Returns what a fact is about. Only one fact of each topic is named.
fn topic(fact: &LeadFact) -> &str {
    match fact.kind {
        FactKind::Score | FactKind::Tier => "Score",
        FactKind::Size => "Size",
        FactKind::Seniority | FactKind::TitleWord => "Title",
        FactKind::Industry => "Industry",
        FactKind::Country | FactKind::Place => "Location",
        FactKind::Intent => "Intent",
        // Our service names the parts like these topics.
        FactKind::ScorePart => &fact.text,
    }
}

fn label(fact: &LeadFact, is_for: bool) -> String {
    let text = &*fact.text;
    let points = u32::from(fact.level) * u32::from(SCORE_STEP);
    match fact.kind {
        FactKind::Score if is_for => format!("Score of {points} or more"),
        FactKind::Score => format!("Score below {}", points + u32::from(SCORE_STEP)),
        FactKind::Size if fact.level == 0 => "Company size not known".to_owned(),
        FactKind::Size => {
            let range = lead_workspace_api::STAFF_COUNT_RANGES.get(usize::from(fact.level) - 1);
            format!("{} people", range.map_or("", |range| range.0))
        }
        FactKind::Seniority => LEVEL_NAMES[usize::from(fact.level).min(8)].to_owned(),
        FactKind::ScorePart => {
            let amounts = ["No", "Few", "Some", "Most", "All"];
            let amount = amounts[usize::from(fact.level).min(4)];
            format!("{amount} points for {}", text.to_ascii_lowercase())
        }
        FactKind::Tier if text.is_empty() => "No tier".to_owned(),
        FactKind::Tier => format!("Tier {text}"),
        FactKind::Industry if text.is_empty() => "Industry not known".to_owned(),
        FactKind::Country if text.is_empty() => "Location not known".to_owned(),
        FactKind::TitleWord => format!("“{text}” in the title"),
        FactKind::Intent if text.is_empty() => "No intent signal".to_owned(),
        FactKind::Intent => format!("Intent signal “{text}”"),
        FactKind::Industry | FactKind::Country | FactKind::Place => text.to_owned(),
    }
}
