//! Demo data: invented people and companies, the same for the same seed on every machine.
//!
//! Every record is a pure function of seed and number. A million leads therefore need no more memory
//! than a thousand, an interrupted fill can be resumed, and a larger demo starts with the people of
//! the smaller one. Addresses end in `.example`; all people and companies are fictitious.
//!
//! Decisions and some lists depend on the score of a lead, so the caller passes a scoring function.

mod catalog;
mod clock;
mod company;
mod ids;
mod intent;
mod lead;
mod lists;
mod outreach;
mod person;
mod profile;
mod random;
mod text;
mod vocabulary;

use jiff::Timestamp;
use jiff::civil::Date;

use clock::Clock;
use company::company_count;

pub use catalog::{Campaign, Catalog, IMPORT_DURATION, Named, Signal, SignalRun};
pub use company::Company;
pub use ids::id;
pub use intent::Intent;
pub use lead::{Lead, LeadScore, ScoreInput};
pub use lists::ListItem;
pub use outreach::{CampaignLead, Chat, Nurture, Outreach};

/// Seed that is used by default.
pub const DEFAULT_SEED: u64 = 1;

/// Last day of the demo data; all of it happened within the 120 days before. Intent signals lose
/// value with age, so scoring again at a later date gives lower scores than the demo's own.
const LAST_DAY: Date = Date::constant(2026, 5, 29);

/// Generates the records of one seed.
pub struct Demo {
    /// Number of companies.
    pub companies: u64,
    pub catalog: Catalog,
    seed: u64,
    clock: Clock,
}

impl Demo {
    /// Returns the generator for a seed, with companies for this number of leads.
    pub fn new(seed: u64, leads: u64) -> Self {
        let clock = Clock::at_end_of(LAST_DAY);
        Self {
            companies: company_count(leads),
            catalog: Catalog::new(seed, clock),
            seed,
            clock,
        }
    }

    /// Returns the end of the period that the data covers.
    pub fn end(&self) -> Timestamp {
        self.clock.end
    }
}

#[cfg(test)]
mod tests;
