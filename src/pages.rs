//! One page per route. A page connects the state to components.

pub mod account;
pub mod accounts;
pub mod app_bar;
pub mod bulk_results;
pub mod detail_pane;
pub mod dialogs;
pub mod error_state;
pub mod grid_controller;
pub mod import;
pub mod jobs;
pub mod keys;
pub mod lazy;
#[cfg(feature = "split")]
mod lazy_fallback;
pub mod leads;
pub mod list_layout;
pub mod peek;
pub mod portfolio;
pub mod progress_panels;
pub mod pulse;
pub mod rate_limit_banner;
pub mod recent;
pub mod rows;
pub mod settings;
#[cfg(not(feature = "embed"))]
pub mod sign_out;
#[cfg(feature = "split")]
mod style;
