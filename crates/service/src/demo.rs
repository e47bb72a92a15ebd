//! Demo data in a store or a file. The records come from [`lead_workspace_demo`]; here they are
//! scored and written.

mod export;
mod fill;
mod rows;
mod write;

use lead_workspace_demo::{Demo, Lead, ScoreInput};

use crate::scoring::{Attributes, IntentSignal, Rules, Score, Scorer};

pub use export::{write_csv, write_jsonl};
pub use fill::fill;
pub use lead_workspace_demo::DEFAULT_SEED;

/// Demo records, scored by the default rules.
pub struct ScoredDemo {
    records: Demo,
    scorer: Scorer,
}

impl ScoredDemo {
    /// Takes the seed, and the number of leads of the demo.
    pub fn new(seed: u64, leads: u64) -> Self {
        Self {
            records: Demo::new(seed, leads),
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

impl lead_workspace_demo::LeadScore for Score {
    fn points(&self) -> u32 {
        self.points
    }

    fn tier(&self) -> &str {
        self.tier
    }
}

#[cfg(test)]
mod tests;
