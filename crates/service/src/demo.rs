//! Demo data: invented people and companies, the same for the same seed on every machine.
//!
//! Every row is a pure function of seed and number, so a million leads need no more memory than a
//! thousand, a fill that was cut off goes on where it stopped, and a larger demo begins with the
//! smaller one's people. Addresses end in `.example`; no person or company is meant.

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

/// The seed that is used when nobody asks for another.
pub const DEFAULT_SEED: u64 = 1;

/// The last day of the demo data; all of it happened within the 120 days before. Signs of intent
/// lose worth as they age, so a new scoring at a later date gives lower scores than the demo's own.
const LAST_DAY: Date = Date::constant(2026, 5, 29);

/// Makes the rows of one seed.
struct Demo {
    seed: u64,
    /// How many companies there are.
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
