//! One module per route.

pub mod accounts;
pub mod import;
pub mod leads;
pub mod portfolio;
pub mod settings;
