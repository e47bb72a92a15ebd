//! One module per route.

pub mod accounts;
pub mod import;
pub mod insights;
pub mod leads;
pub mod portfolio;
pub mod settings;
