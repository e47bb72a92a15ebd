//! One page per route. A page connects the state to components.

pub mod account;
pub mod accounts;
#[cfg(feature = "split")]
mod arrival;
pub mod beside;
pub mod board;
pub mod dialogs;
pub mod errands;
pub mod frame;
pub mod hand;
pub mod import;
pub mod jobs;
pub mod keys;
pub mod late;
pub mod leads;
pub mod limited;
pub mod outcome;
pub mod peek;
pub mod portfolio;
pub mod pulse;
pub mod recent;
pub mod rows;
pub mod settings;
#[cfg(not(feature = "embed"))]
pub mod sign_out;
#[cfg(feature = "split")]
mod style;
pub mod trouble;
