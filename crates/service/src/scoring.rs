//! Scoring of the stored leads and accounts: jobs, the worker that runs them, the rules of a
//! workspace. How points are given is in [`lead_workspace_logic::scoring`].

mod account_score;
mod demo_accounts;
mod lead_scores;
mod settings;
mod step;
mod worker;

pub use lead_workspace_logic::scoring::{Attributes, IntentSignal, Rules, Score, Scorer};
pub use settings::{read_rules, write_rules};
pub use worker::spawn_worker;

#[cfg(test)]
pub(crate) use account_score::ACCOUNT_TITLES;
pub(crate) use demo_accounts::score_demo_accounts;
