//! Demo leads, scored by the default rules.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use lead_workspace_demo::{Demo, Lead, LeadScore, ScoreInput};

use crate::scoring::{Attributes, IntentSignal, Rules, Score, Scorer};

/// Demo records, scored by the default rules.
pub struct ScoredDemo {
    pub records: Demo,
    scorer: Scorer,
}

impl ScoredDemo {
    /// Takes the seed, the number of leads of the demo, and the time after which nothing has happened.
    pub fn new(seed: u64, leads: u64, now: Timestamp) -> Self {
        Self {
            records: Demo::new(seed, leads, now),
            scorer: Scorer::new(Rules::default()),
        }
    }

    /// Returns the lead with a number, counted from 0.
    pub fn lead(&self, number: u64) -> Lead<Score> {
        self.records.lead(number, |input| self.score(input))
    }

    fn score(&self, input: &ScoreInput<'_>) -> Score {
        let intents = input.intents.iter().map(|intent| IntentSignal {
            event_type: intent.event_type,
            age_days: intent.age_days,
            day: TimeZone::UTC.to_datetime(intent.created_at).date(),
        });
        self.scorer.score(&Attributes {
            industry: Some(input.industry),
            size: Some(input.size),
            titles: &[input.title],
            location: Some(input.location),
            company_location: None,
            intents: &intents.collect::<Vec<_>>(),
        })
    }
}

impl LeadScore for Score {
    fn points(&self) -> u32 {
        self.points
    }

    fn tier(&self) -> &str {
        self.tier
    }
}

#[cfg(test)]
mod tests;
