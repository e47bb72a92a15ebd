//! Demo data: invented people and companies, the same for the same seed on every machine.
//!
//! Every record is a pure function of seed and number. A million leads therefore need no more memory
//! than a thousand, an interrupted fill can be resumed, and a larger demo starts with the people of
//! the smaller one. Addresses end in `.example`; all people and companies are fictitious.
//!
//! Times are relative to the time that the caller passes: the same leads, moved to another day.
//!
//! Decisions and some lists depend on the score of a lead, so the caller passes a scoring function.

mod catalog;
mod clock;
mod company;
mod decisions;
mod ids;
mod intent;
mod lead;
mod list_item;
mod lists;
mod outreach;
mod person;
mod profile;
mod random;
mod text;
mod vocabulary;

use jiff::Timestamp;

use clock::Clock;
use company::company_count;

pub use catalog::{Campaign, Catalog, IMPORT_DURATION, Named, Signal, SignalRun};
pub use clock::EXAMPLE_NOW;
pub use company::Company;
pub use decisions::{Decision, REVIEWERS, Reviewer, WORKSPACE_NAME};
pub use ids::id;
pub use intent::Intent;
pub use lead::{Lead, LeadScore, ScoreInput};
pub use list_item::ListItem;
pub use outreach::{CampaignLead, Chat, Nurture, Outreach};

/// Seed that is used by default.
pub const DEFAULT_SEED: u64 = 1;

/// Generates the records of one seed.
pub struct Demo {
    /// Number of companies.
    pub companies: u64,
    pub catalog: Catalog,
    seed: u64,
    clock: Clock,
}

impl Demo {
    /// Returns the generator for a seed, with companies for this number of leads. Everything happened before `now`: the
    /// leads were made within 120 days, and their intent signals found within a year. Signals lose value with age, so
    /// scoring again at a later date gives lower scores than the demo's own.
    pub fn new(seed: u64, leads: u64, now: Timestamp) -> Self {
        let clock = Clock::new(now);
        Self {
            companies: company_count(leads),
            catalog: Catalog::new(seed, clock),
            seed,
            clock,
        }
    }

    /// Returns the end of the period that the data covers.
    pub fn end(&self) -> Timestamp {
        self.clock.moved(EXAMPLE_NOW)
    }

    /// Returns the time from which the ages of signals are counted: the end of the day, so that scores do not depend on
    /// the hour.
    pub fn as_of(&self) -> Timestamp {
        self.clock.day_end()
    }

    /// Returns when the leads were scored.
    pub fn scored_at(&self) -> Timestamp {
        self.clock.moved(EXAMPLE_NOW - 3 * clock::HOUR)
    }
}

#[cfg(test)]
mod tests;
