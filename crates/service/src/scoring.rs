//! Scoring: a rule-based fit with the ideal customer profile, 0 to 100, with its reasons.
//!
//! Five parts give points: industry, size and title (25 each), location (15) and intent (10). Each
//! part takes a share between 0 and 1 from the [`Rules`] and gives that share of its weight,
//! rounded; the points add up to the score. From 85 points a lead is tier A, from 70 B, from 55 C,
//! else D. All of this is a workspace's own choice (`lead-workspace scoring set`).
//!
//! A lead has a score for each list it is on, or one outside any list: a sign of intent that was
//! found for one list counts for that list only. The best of them is the lead's own.
//!
//! An account is scored by its industry, size and place, the best title among its leads, and the
//! signs of intent of its leads.
//!
//! The reasons are text of a stable form: see [`ScorePart`](lead_workspace_api::ScorePart).

mod accounts;
mod check;
mod defaults;
mod demo;
mod leads;
mod phrases;
mod rules;
mod score;
mod settings;
mod step;
mod worker;

pub use rules::Rules;
pub use score::{Facts, Score, Scorer, Sign};
pub use settings::{read_rules, write_rules};
pub use worker::spawn_worker;

pub(crate) use demo::score_demo_accounts;
