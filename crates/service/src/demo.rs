//! Demo data: invented people and companies, the same for the same seed on every machine.
//!
//! Every row is a pure function of seed and number. A million leads therefore need no more memory
//! than a thousand, an interrupted fill can be resumed, and a larger demo starts with the people of
//! the smaller one. Addresses end in `.example`; all people and companies are fictitious.

mod catalog;
mod clock;
mod company;
mod export;
mod fill;
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
mod write;

use jiff::civil::Date;

use crate::scoring::{Rules, Scorer};
use catalog::Catalog;
use clock::Clock;
use company::company_count;

pub use export::{write_csv, write_jsonl};
pub use fill::fill;

/// Seed that is used by default.
pub const DEFAULT_SEED: u64 = 1;

/// Last day of the demo data; all of it happened within the 120 days before. Intent signals lose
/// value with age, so scoring again at a later date gives lower scores than the demo's own.
const LAST_DAY: Date = Date::constant(2026, 5, 29);

/// Generates the rows of one seed.
struct Demo {
    seed: u64,
    companies: u64,
    clock: Clock,
    catalog: Catalog,
    scorer: Scorer,
}

impl Demo {
    fn new(seed: u64, leads: u64) -> Self {
        let clock = Clock::at_end_of(LAST_DAY);
        Self {
            seed,
            companies: company_count(leads),
            clock,
            catalog: Catalog::new(seed, clock),
            scorer: Scorer::new(Rules::default()),
        }
    }
}

#[cfg(test)]
mod tests;
